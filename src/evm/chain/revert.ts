import { errorCauses } from '../../delegation/error-causes.js';

/** geth, Besu and anvil; OpenEthereum and Nethermind; Hardhat. */
const TEXTS =
  /execution reverted|\bVM (execution error|Exception)|reverted (with|without)|invalid opcode|bad instruction/i;
/** JSON-RPC: the EVM reverted. */
const REVERTED = 3;

/** Whether a node's error means that it ran a call and the contract refused it. */
export function isRevert(error: unknown): boolean {
  return errorCauses(error).some(
    ({ code, name, message }) =>
      code === REVERTED ||
      name === 'ExecutionRevertedError' ||
      // A failure of the node itself, such as a rate limit, can quote anything but has another code.
      (code !== 429 && code !== -32005 && TEXTS.test(message)),
  );
}

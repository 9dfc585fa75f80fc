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

/** `Error(string)`, which Solidity writes for a text, and `Panic(uint256)`. */
const [WITH_TEXT, PANIC] = ['08c379a0', '4e487b71'];
/** Printable ASCII, and no longer than a sentence: the text is written by whoever wrote the token. */
const PLAIN_TEXT = /^[ -~]{1,120}$/;

/**
 * Why a contract refused a call, from the data in a node's error: its text, or the selector of its own
 * error, whose name no node knows. `undefined` when the node returned no data.
 */
export function revertReason(error: unknown): string | undefined {
  for (const { data } of errorCauses(error)) {
    if (typeof data !== 'string') continue;
    // OpenEthereum and Nethermind write "Reverted" before it.
    const [, hex] = /^(?:Reverted )?0x((?:[0-9a-f]{2}){4,})$/i.exec(data) ?? [];
    if (hex !== undefined) return describeRevert(hex.toLowerCase());
  }
  return undefined;
}

function describeRevert(hex: string): string {
  const selector = hex.slice(0, 8);
  const words = hex.slice(8);
  if (selector === PANIC && words.length === 64)
    return `panic 0x${BigInt(`0x${words}`).toString(16)}`;
  const text = selector === WITH_TEXT ? textIn(words) : '';
  return PLAIN_TEXT.test(text) ? `"${text}"` : `error 0x${selector}`;
}

/** The text of the words offset, length and content; empty if it is not in ASCII. */
function textIn(words: string): string {
  const length = Number(`0x${words.slice(64, 128)}`);
  const bytes = words.slice(128, 128 + length * 2).match(/../g) ?? [];
  return bytes.map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join('');
}

/** A reason as part of a sentence. */
export function inBrackets(reason: string | undefined): string {
  return reason === undefined ? '' : ` (${reason})`;
}

import type { RevocationResult } from '../../delegation/options.js';
import type { EvmRevocationOptions } from './revocation-options.js';
import { runEvmRevocation } from './run-evm-delegation.js';

/**
 * Revokes the spending authority of an EVM wallet: the flow of `delegateEvm` with a limit of zero. It
 * checks on the chain that nothing is left of the limit.
 *
 * Endpoints: as `delegateEvm`. With `submit: false`, only `GET /v1/delegation/chain/config` with
 * `'chain-config'`.
 *
 * @throws RequestValidationError for invalid input, before anything happens.
 * @throws ChainError as `delegateEvm`, and `RevocationNotRegisteredError` when the limit on the chain
 * is zero and the service did not confirm that it registered this.
 * @throws CardPlatformError of the client when the service refuses the token, and the signal's reason
 * on abort.
 *
 * @example
 * ```ts
 * import { type EvmRevocationOptions, revokeEvmDelegation } from 'card-platform-sdk/evm';
 *
 * async function revoke(options: EvmRevocationOptions) {
 *   const { transactionId } = await revokeEvmDelegation({ ...options, submit: false });
 *   return transactionId;
 * }
 * ```
 */
export async function revokeEvmDelegation(
  options: EvmRevocationOptions,
): Promise<RevocationResult> {
  return runEvmRevocation(options);
}

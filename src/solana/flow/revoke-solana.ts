import type { RevocationResult } from '../../delegation/options.js';
import { loadFlow } from './load-flow.js';
import type { SolanaRevocationOptions } from './options.js';

/**
 * Revokes the delegate of a token account, checks on the chain that nothing can be spent any more, and
 * submits that to the service with an amount of zero. The steps, errors and saved states are those of
 * `delegateSolana`. With `submit: false` only the chain is changed.
 *
 * Endpoints: `GET /v1/delegation/token`, `POST /v1/delegation/solana/post-approval`, and
 * `GET /v1/wallet/external` if the outcome of the last one is unknown. None with `submit: false`.
 *
 * @throws RequestValidationError for invalid input, before anything happens.
 * @throws ChainError as `delegateSolana` does, and `RevocationNotRegisteredError` when the chain is
 * changed and the service did not confirm that it registered this.
 *
 * @example
 * ```ts
 * import { revokeSolanaDelegation, type SolanaRevocationOptions } from 'card-platform-sdk/solana';
 *
 * async function stopSpending(options: SolanaRevocationOptions): Promise<string> {
 *   const { transactionId } = await revokeSolanaDelegation(options);
 *   return transactionId;
 * }
 * ```
 */
export async function revokeSolanaDelegation(
  options: SolanaRevocationOptions,
): Promise<RevocationResult> {
  return (await loadFlow()).runSolanaRevocation(options);
}

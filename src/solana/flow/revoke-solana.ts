import type { RevocationResult } from '../../delegation/options.js';
import type { SolanaRevocationOptions } from './options.js';
import { runSolanaRevocation } from './run-solana-delegation.js';

/**
 * Revokes the delegate of a token account, checks on the chain that nothing can be spent any more,
 * and submits that to the service with an amount of zero. Steps, errors and saved states are the
 * same as in `delegateSolana`. With `submit: false` only the chain is changed.
 *
 * Endpoints: as `delegateSolana`. With `submit: false`, only `GET /v1/delegation/chain/config` with
 * `'chain-config'`.
 *
 * @throws RequestValidationError for invalid input, before anything happens.
 * @throws ConfigurationError as `delegateSolana` does.
 * @throws ChainError as `delegateSolana` does, and `RevocationNotRegisteredError` when the chain is
 * changed and the service did not confirm that it registered this.
 * @throws CardPlatformError of the client when the service refuses the token, and the signal's
 * reason on abort.
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
  return runSolanaRevocation(options);
}

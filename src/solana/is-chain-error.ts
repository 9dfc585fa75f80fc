import { isChainError as isOfDelegation } from '../delegation/chain-error.js';
import type { AnyChainErrors, ChainErrorOf } from '../delegation/chain-error-of.js';
import type { DelegateInUseError, TokenAccountError } from './flow/errors.js';

/** The errors that carry more than every error of a delegation, by their code. */
export type SolanaChainErrors = AnyChainErrors & {
  delegate_in_use: DelegateInUseError;
  token_account_unusable: TokenAccountError;
};

/**
 * Whether a value is an error of a delegation and, if a code is given, that one. The classes
 * themselves are loaded with the flow, so that they are told apart by their code.
 *
 * @example
 * ```ts
 * import { isChainError } from 'card-platform-sdk/solana';
 *
 * function otherDelegate(error: unknown): string | undefined {
 *   return isChainError(error, 'delegate_in_use') ? error.delegate : undefined;
 * }
 * ```
 */
export function isChainError<Code extends string>(
  error: unknown,
  code?: Code,
): error is ChainErrorOf<SolanaChainErrors, Code> {
  return isOfDelegation(error, code);
}

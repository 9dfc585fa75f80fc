import { isChainError as isOfDelegation } from '../delegation/chain-error.js';
import type { AnyChainErrors, ChainErrorOf } from '../delegation/chain-error-of.js';
import type { WrongChainError } from '../delegation/surface.js';

/** The errors that carry more than every error of a delegation, by their code. */
export type EvmChainErrors = AnyChainErrors & { wrong_chain: WrongChainError };

/**
 * Whether a value is an error of a delegation and, if a code is given, that one. The classes
 * themselves are loaded with the flow, so that they are told apart by their code.
 *
 * @example
 * ```ts
 * import { isChainError } from 'card-platform-sdk/evm';
 *
 * function chainOfWallet(error: unknown): string | undefined {
 *   return isChainError(error, 'wrong_chain') ? error.actual : undefined;
 * }
 * ```
 */
export function isChainError<Code extends string>(
  error: unknown,
  code?: Code,
): error is ChainErrorOf<EvmChainErrors, Code> {
  return isOfDelegation(error, code);
}

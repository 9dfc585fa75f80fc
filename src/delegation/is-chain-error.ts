import { type ChainErrorCode, isCardPlatformError } from '../errors/index.js';
import type { DelegateInUseError, TokenAccountError } from '../solana/flow/errors.js';
import type { AllowanceRacedError, ApprovalMismatchError } from './approval-errors.js';
import type { ChainError } from './chain-error.js';
import type { LimitNotUpdatedError, StateMismatchError } from './flow-errors.js';
import type { UnsupportedSignatureError, WrongChainError } from './wallet-errors.js';

/** The delegation errors with fields of their own, by their code. */
export type ChainErrorByCode = {
  allowance_raced: AllowanceRacedError;
  approval_mismatch: ApprovalMismatchError;
  limit_not_updated: LimitNotUpdatedError;
  state_mismatch: StateMismatchError;
  wrong_chain: WrongChainError;
  unsupported_signature: UnsupportedSignatureError;
  delegate_in_use: DelegateInUseError;
  token_account_unusable: TokenAccountError;
};

/** The class of the delegation error with a given code. */
export type ChainErrorOf<Code> = Code extends keyof ChainErrorByCode
  ? ChainErrorByCode[Code]
  : ChainError;

/**
 * Whether a value is a delegation error and, if you pass a code, the one with that code. Use it
 * instead of `instanceof`: the classes are loaded with the flow, so an entry exports only their
 * types.
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
export function isChainError<Code extends ChainErrorCode>(
  error: unknown,
  code?: Code,
): error is ChainErrorOf<Code> {
  if (!isCardPlatformError(error) || !('transactionId' in error)) return false;
  return code === undefined || error.code === code;
}

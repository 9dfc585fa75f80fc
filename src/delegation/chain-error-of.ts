import type { AllowanceRacedError, ApprovalMismatchError } from './approval-errors.js';
import type { ChainError } from './chain-error.js';
import type { StateMismatchError } from './flow-errors.js';

/** The errors of a delegation on any chain that carry more than all of them, by their code. */
export type AnyChainErrors = {
  allowance_raced: AllowanceRacedError;
  approval_mismatch: ApprovalMismatchError;
  state_mismatch: StateMismatchError;
};

/** The class of the error with a code. */
export type ChainErrorOf<Errors, Code> = Code extends keyof Errors ? Errors[Code] : ChainError;

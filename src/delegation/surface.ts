export {
  AllowanceRacedError,
  ApprovalMismatchError,
  ApprovalUnknownError,
  ConfirmationTimeoutError,
  TransactionCancelledError,
  TransactionExpiredError,
  TransactionReplacedError,
  TransactionRevertedError,
} from './approval-errors.js';
export { ChainError, type ChainErrorFacts, isChainError } from './chain-error.js';
export type {
  DelegationCallOptions,
  DelegationClient,
  DelegationProof,
  DelegationTokenAnswer,
  RegisteredWallet,
} from './client.js';
export type { DelegationDriver, DriverContext, FoundApproval, IssuedToken } from './driver.js';
export {
  DelegationInProgressError,
  DelegationTokenExpiredError,
  ProofRefusedError,
  ProofUnknownError,
  StateMismatchError,
} from './flow-errors.js';
export type { DelegationOptions, DelegationResult } from './options.js';
export type { DelegationProgress, ProgressListener } from './progress.js';
export { cameToNothing } from './run.js';
export { runDelegation } from './run-delegation.js';
export type { DelegationRuntime } from './runtime.js';
export {
  type DelegationState,
  delegationStateOf,
  type Registration,
  type SignedMessage,
} from './state.js';
export { DELEGATION_STEPS, type DelegationStep } from './steps.js';
export { isUserRejection } from './user-rejection.js';
export {
  ChainReadError,
  NonceNotAllowedError,
  SignerMismatchError,
  UnsupportedSignatureError,
  UserRejectedError,
  WalletError,
  WrongChainError,
} from './wallet-errors.js';

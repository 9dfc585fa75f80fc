// What the entries show of the flow. The machine itself stays out, so that an entry which loads
// it later does not get it all the same.
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
export type { AnyChainErrors, ChainErrorOf } from './chain-error-of.js';
export type {
  DelegationCallOptions,
  DelegationClient,
  DelegationProof,
  DelegationTokenAnswer,
  RegisteredWallet,
  TokenCall,
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
export type { DelegationRuntime } from './runtime.js';
export type { DelegationState, Registration, SignedMessage } from './state.js';
export { delegationStateOf } from './state-of-error.js';
export { DELEGATION_STEPS, type DelegationStep } from './steps.js';
export {
  ChainReadError,
  NonceNotAllowedError,
  SignerMismatchError,
  UnsupportedSignatureError,
  UserRejectedError,
  WalletError,
  WrongChainError,
} from './wallet-errors.js';

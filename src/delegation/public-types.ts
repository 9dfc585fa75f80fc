// The types that both entries export. The error classes themselves are loaded with the flow.
export type {
  AllowanceRacedError,
  ApprovalMismatchError,
  ApprovalUnknownError,
  ConfirmationTimeoutError,
  TransactionCancelledError,
  TransactionExpiredError,
  TransactionReplacedError,
  TransactionRevertedError,
} from './approval-errors.js';
export type { ChainErrorFacts } from './chain-error.js';
export type {
  DelegationCallOptions,
  DelegationClient,
  DelegationTokenResult,
  RegisteredWallet,
  TokenCall,
} from './client.js';
export type {
  Delegation,
  DelegationSnapshot,
  DelegationStartOptions,
  DelegationStoreOptions,
  StoredDelegationResult,
} from './create-delegation.js';
export type {
  DelegationInProgressError,
  DelegationTokenExpiredError,
  LimitNotUpdatedError,
  ProofRefusedError,
  ProofUnknownError,
  RevocationNotRegisteredError,
  StateMismatchError,
} from './flow-errors.js';
export type { ChainErrorByCode, ChainErrorOf } from './is-chain-error.js';
export type { DelegationOptions, DelegationResult, RevocationResult } from './options.js';
export type { DelegationProgress, DelegationStep, ProgressListener } from './progress.js';
export type { PromptLimits } from './prompt-timeout.js';
export type { DelegationLocks, DelegationRuntime } from './runtime.js';
export type { DelegationState, Registration, SignedMessage } from './state.js';
export type { WireAmountUnit } from './submit-proof.js';
export type {
  ChainReadError,
  NonceNotAllowedError,
  PromptTimeoutError,
  SignerMismatchError,
  SmartAccountKind,
  UnsupportedSignatureError,
  UserRejectedError,
  WalletError,
  WrongChainError,
} from './wallet-errors.js';

export {
  AllowanceRacedError,
  ApprovalMismatchError,
  ApprovalUnknownError,
  ChainError,
  type ChainErrorFacts,
  ChainReadError,
  ConfirmationTimeoutError,
  DELEGATION_STEPS,
  type DelegationCallOptions,
  type DelegationClient,
  DelegationInProgressError,
  type DelegationOptions,
  type DelegationProgress,
  type DelegationProof,
  type DelegationResult,
  type DelegationRuntime,
  type DelegationState,
  type DelegationStep,
  type DelegationTokenAnswer,
  DelegationTokenExpiredError,
  delegationStateOf,
  isChainError,
  NonceNotAllowedError,
  type ProgressListener,
  ProofRefusedError,
  ProofUnknownError,
  type RegisteredWallet,
  type Registration,
  type SignedMessage,
  SignerMismatchError,
  StateMismatchError,
  type TokenCall,
  TransactionCancelledError,
  TransactionReplacedError,
  TransactionRevertedError,
  UnsupportedSignatureError,
  UserRejectedError,
  WalletError,
  WrongChainError,
} from '../delegation/surface.js';
export { amountToBaseUnits, baseUnitsToAmount } from './amounts.js';
export {
  buildApprovalCalls,
  buildRevokeCalls,
  type EvmCall,
  type SendCallsParams,
  toSendCallsParams,
} from './approval/calls.js';
export type { EvmSpendingLimit } from './approval/plan.js';
export { readAllowance } from './chain/allowance.js';
export type { EvmNode } from './chain/node.js';
export { delegateEvm } from './flow/delegate-evm.js';
export type { EvmDelegationClient, EvmDelegationOptions } from './flow/options.js';
export {
  EVM_NETWORKS,
  type EvmAsset,
  type EvmNetwork,
  type EvmNetworks,
  type EvmToken,
  findEvmToken,
} from './networks.js';
export { checkSiweMessage, type SiweCheck, type SiweExpectation } from './siwe/check.js';
export { buildSiweMessage, type SiweLeniency, type SiweMessage } from './siwe/message.js';
export { parseSiweMessage } from './siwe/parse.js';
export { checkSignature } from './siwe/signature.js';
export type { AnyEvmWallet } from './wallets/any.js';
export type { Eip1193Provider, EvmWallet, ViemWallet } from './wallets/wallet.js';

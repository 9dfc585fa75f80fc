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
  TransactionExpiredError,
  TransactionRevertedError,
  UnsupportedSignatureError,
  UserRejectedError,
  WalletError,
} from '../delegation/surface.js';
export { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './addresses.js';
export {
  buildSolanaApproval,
  buildSolanaRevoke,
  type SolanaApprovalInput,
  type TokenAccountInput,
} from './approval.js';
export { associatedTokenAccount, type TokenAccountOwner } from './associated-token-account.js';
export type {
  AddressObject,
  ExecutedTransaction,
  SolanaAccountInfo,
  SolanaCommitment,
  SolanaConnection,
  SolanaReader,
  SolanaSignatureStatus,
} from './connection.js';
export { SOLANA_CURRENCIES, type SolanaCurrency } from './currencies.js';
export { delegateSolana } from './flow/delegate-solana.js';
export {
  DelegateInUseError,
  TokenAccountError,
  type TokenAccountProblem,
  TransactionRefusedError,
} from './flow/errors.js';
export type { SolanaDelegationClient, SolanaDelegationOptions } from './flow/options.js';
export { AccountRole, type InstructionAccount, type SolanaInstruction } from './instruction.js';
export { type KitAddress, type KitInstruction, toKitInstruction } from './kit.js';
export { buildSolanaMessage, type SolanaMessageInput } from './message.js';
export {
  type ReadDelegationInput,
  readDelegation,
  type SolanaDelegation,
} from './read-delegation.js';
export type { TokenAccount } from './token-account.js';
export { encodeTransaction, type SolanaTransactionInput } from './transaction.js';
export { type SolanaKeypair, walletFromKeypair } from './wallets/keypair.js';
export {
  type StandardAccount,
  type StandardWallet,
  type StandardWalletOptions,
  walletFromStandard,
} from './wallets/standard.js';
export type { SolanaWallet } from './wallets/wallet.js';

export type { SolanaApprovalInput } from '../contract/delegation-proof.js';
export { next, say } from '../delegation/advice.js';
export { ChainError } from '../delegation/chain-error.js';
export { isChainError } from '../delegation/is-chain-error.js';
export { DELEGATION_STEPS } from '../delegation/progress.js';
export type * from '../delegation/public-types.js';
export type { ReadingOptions } from '../delegation/reading-context.js';
export { delegationStateOf } from '../delegation/state.js';
export type { NextStep } from '../errors/index.js';
export {
  SOLANA_CURRENCIES,
  type SolanaCurrency,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from './addresses.js';
export {
  buildSolanaApproval,
  buildSolanaRevoke,
  type SolanaSpendingLimit,
  type TokenAccountInput,
} from './approval.js';
export { associatedTokenAccount, type TokenAccountOwner } from './associated-token-account.js';
export type {
  AddressObject,
  ExecutedTransaction,
  SimulatedTransaction,
  SolanaAccountInfo,
  SolanaCommitment,
  SolanaConnection,
  SolanaReader,
  SolanaSignatureStatus,
} from './connection.js';
export {
  type SkippedSolanaToken,
  type SolanaChainToken,
  type SolanaTokenTable,
  solanaTokensFromChainConfig,
} from './flow/chain-config.js';
export {
  createDelegation,
  type SolanaDelegationInput,
  type SolanaResumeInput,
  type SolanaStartInput,
  type SolanaStoredDelegation,
} from './flow/create-delegation.js';
export { delegateSolana, revokeSolanaDelegation } from './flow/delegate-solana.js';
export type {
  DelegateInUseError,
  TokenAccountError,
  TokenAccountProblem,
  TransactionRefusedError,
} from './flow/errors.js';
export type {
  RevokingInstruction,
  SolanaCheckedNames,
  SolanaDelegationClient,
  SolanaDelegationOptions,
  SolanaRevocationOptions,
} from './flow/options.js';
export {
  previewSolanaDelegation,
  type SolanaDelegationPreview,
  type SolanaPreviewProblem,
} from './flow/preview.js';
export type { SolanaAccountReader } from './flow/read-chain.js';
export {
  readSolanaSpendingPower,
  type SolanaSpendingPower,
  type SolanaSpendingPowerInput,
  type SolanaSpendingPowers,
} from './flow/spending-power.js';
export { AccountRole, type InstructionAccount, type SolanaInstruction } from './instruction.js';
export {
  buildSolanaMessage,
  type SolanaMessageInput,
  type SolanaMessageOptions,
} from './message.js';
export {
  type ReadDelegationInput,
  readDelegation,
  type SolanaDelegation,
} from './read-delegation.js';
export type { TokenAccount } from './token-account.js';
export type { SolanaKeypair } from './wallets/keypair.js';
export type { StandardAccount, StandardWallet } from './wallets/standard.js';
export type { SolanaWallet } from './wallets/wallet.js';

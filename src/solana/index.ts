export type { SolanaApprovalInput } from '../contract/delegation-proof.js';
export { ChainError } from '../delegation/chain-error.js';
export { isChainError } from '../delegation/is-chain-error.js';
export type * from '../delegation/public-types.js';
export type { ReadingOptions } from '../delegation/reading-context.js';
export { next, say } from '../delegation/say.js';
export { delegationStateOf } from '../delegation/state-of-error.js';
export { DELEGATION_STEPS } from '../delegation/steps.js';
export type { NextStep } from '../errors/index.js';
export { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './addresses.js';
export {
  buildSolanaApproval,
  buildSolanaRevoke,
  type SolanaSpendingLimit,
  type TokenAccountInput,
} from './approval.js';
export { associatedTokenAccount, type TokenAccountOwner } from './associated-token-account.js';
export type {
  SkippedSolanaToken,
  SolanaChainToken,
  SolanaTokenTable,
} from './chain-config-types.js';
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
export { SOLANA_CURRENCIES, type SolanaCurrency } from './currencies.js';
export type { ReadDelegationInput, SolanaDelegation } from './delegation-types.js';
export {
  createDelegation,
  type SolanaDelegationInput,
  type SolanaResumeInput,
  type SolanaStartInput,
  type SolanaStoredDelegation,
} from './flow/create-delegation.js';
export { delegateSolana } from './flow/delegate-solana.js';
export type {
  DelegateInUseError,
  TokenAccountError,
  TokenAccountProblem,
  TransactionRefusedError,
} from './flow/errors.js';
export type {
  SolanaCheckedNames,
  SolanaDelegationClient,
  SolanaDelegationOptions,
  SolanaRevocationOptions,
} from './flow/options.js';
export { previewSolanaDelegation } from './flow/preview.js';
export type { SolanaAccountReader } from './flow/read-accounts.js';
export { revokeSolanaDelegation } from './flow/revoke-solana.js';
export type { RevokingInstruction } from './flow/revoking-instruction.js';
export { solanaTokensFromChainConfig } from './flow/solana-tokens.js';
export { readSolanaSpendingPower } from './flow/spending-power.js';
export { AccountRole, type InstructionAccount, type SolanaInstruction } from './instruction.js';
export {
  buildSolanaMessage,
  type SolanaMessageInput,
  type SolanaMessageOptions,
} from './message.js';
export type { SolanaDelegationPreview, SolanaPreviewProblem } from './preview-types.js';
export { readDelegation } from './read-delegation.js';
export type {
  SolanaSpendingPower,
  SolanaSpendingPowerInput,
  SolanaSpendingPowers,
} from './spending-power-types.js';
export type { TokenAccount } from './token-account.js';
export type { SolanaKeypair } from './wallets/keypair.js';
export type { StandardAccount, StandardWallet } from './wallets/standard.js';
export type { SolanaWallet } from './wallets/wallet.js';

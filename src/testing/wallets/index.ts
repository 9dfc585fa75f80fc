export {
  type EndedPinPage,
  endPinPage,
  type PinPageEnd,
  type PinPageEndOptions,
} from './end-pin-page.js';
export { MockEvmChain } from './evm/chain.js';
export { MockNodeError } from './evm/json-rpc.js';
export { MockEvmProvider } from './evm/provider.js';
export type { MockEvmTransaction } from './evm/transactions.js';
export { MockChain } from './mock-chain.js';
export { type MockChainRuntime, MockChains, mockChains } from './mock-chains.js';
export {
  createMockEvmWallet,
  createMockWallet,
  type MockEvmWallet,
  MockWallet,
  type MockWalletOptions,
} from './mock-wallet.js';
export {
  type HeldPrompt,
  type MockPrompt,
  type MockPromptKind,
  MockWalletError,
} from './prompts.js';
export { MockSolanaChain } from './solana/chain.js';
export type {
  MockExecutedTransaction,
  MockSignatureStatus,
  MockSolanaAccount,
  MockSolanaAddress,
  MockSolanaCommitment,
  MockSolanaConnection,
} from './solana/connection.js';
export type { MockSolanaTransaction } from './solana/ledger.js';
export { type MockStandardAccount, MockStandardWallet } from './solana/standard-wallet.js';

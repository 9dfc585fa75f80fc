export {
  type EndedPinPage,
  endPinPage,
  type PinPageEnd,
  type PinPageEndOptions,
} from './end-pin-page.js';
export { MockEvmChain } from './evm/chain.js';
export { MockNodeError } from './evm/node-error.js';
export { MockEvmProvider } from './evm/provider.js';
export type { MockEvmTransaction } from './evm/transactions.js';
export { MockChains, mockChains } from './mock-chains.js';
export { createMockWallet, MockWallet, type MockWalletOptions } from './mock-wallet.js';
export {
  type HeldPrompt,
  type MockPrompt,
  type MockPromptKind,
  MockWalletError,
} from './prompts.js';
export type { MockChainRuntime } from './runtime.js';
export {
  type MockExecutedTransaction,
  type MockSolanaAccount,
  type MockSolanaAddress,
  MockSolanaChain,
  type MockSolanaCommitment,
} from './solana/chain.js';
export type { MockSolanaTransaction } from './solana/ledger.js';
export { type MockStandardAccount, MockStandardWallet } from './solana/standard-wallet.js';

export { next, say } from '../delegation/advice.js';
export type {
  Delegation,
  DelegationSnapshot,
  StoredDelegationResult,
} from '../delegation/create-delegation.js';
export type { NextStep } from '../evm/index.js';
export type { WagmiConfig, WagmiConnection, WagmiStorage } from './config.js';
export {
  createDelegation,
  delegate,
  type WagmiCheckedNames,
  type WagmiDelegation,
  type WagmiDelegationInput,
  type WagmiDelegationParts,
  type WagmiStartInput,
} from './delegation.js';

export type { EvmApprovalInput } from '../contract/delegation-proof.js';
export { next, say } from '../delegation/advice.js';
export { ChainError } from '../delegation/chain-error.js';
export { isChainError } from '../delegation/is-chain-error.js';
export { DELEGATION_STEPS } from '../delegation/progress.js';
export type * from '../delegation/public-types.js';
export type { ReadingOptions } from '../delegation/reading-context.js';
export { delegationStateOf } from '../delegation/state.js';
export type { NextStep } from '../errors/index.js';
export { amountToBaseUnits, baseUnitsToAmount } from './amounts.js';
export {
  approvalHashOfCalls,
  buildApprovalCalls,
  buildRevokeCalls,
  type CallsStatus,
  type EvmCall,
  type SendCallsParams,
  toSendCallsParams,
} from './approval/calls.js';
export type { EvmSpendingLimit } from './approval/spending-limit.js';
export { readAllowance } from './chain/allowance.js';
export type { EvmNode } from './chain/json-rpc.js';
export {
  type EvmChainConfig,
  evmNetworksFromChainConfig,
  type SkippedChainConfig,
} from './chain-config.js';
export {
  createDelegation,
  type EvmDelegation,
  type EvmDelegationInput,
  type EvmResumeInput,
  type EvmStartInput,
} from './flow/create-delegation.js';
export { delegateEvm, revokeEvmDelegation } from './flow/delegate-evm.js';
export type {
  EvmCheckedNames,
  EvmDelegationClient,
  EvmDelegationOptions,
  EvmRevocationOptions,
} from './flow/options.js';
export type {
  EvmDelegationPreview,
  EvmPreviewOptions,
  EvmPreviewProblem,
} from './flow/preview.js';
export { previewEvmDelegation } from './flow/preview.js';
export {
  EVM_NETWORKS,
  type EvmAsset,
  type EvmNetwork,
  type EvmNetworks,
  type EvmToken,
  findEvmToken,
} from './networks.js';
export { buildSiweMessage, type SiweBuildOptions } from './siwe/build.js';
export { checkSiweMessage, type SiweCheck, type SiweExpectation } from './siwe/check.js';
export { parseSiweMessage } from './siwe/parse.js';
export type { SiweLeniency, SiweMessage } from './siwe/rules.js';
export { checkSignature } from './siwe/signature.js';
export {
  type EvmSpendingPower,
  type EvmSpendingPowerOptions,
  type EvmSpendingPowers,
  readEvmSpendingPower,
} from './spending-power.js';
export type { EvmChainDetails, ViemChain } from './wallets/chain-details.js';
export { type SwitchEvmNetworkOptions, switchEvmNetwork } from './wallets/switch-network.js';
export type { AnyEvmWallet } from './wallets/to-evm-wallet.js';
export type { Eip1193Provider, EvmWallet, ViemWallet } from './wallets/wallet.js';

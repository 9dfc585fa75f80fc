export type { EndpointId } from '../contract/endpoints.js';
export type { MockAnswer } from './behaviour.js';
export type { Duration } from './clock.js';
export type { DropMoment, ErrorStatus, Failure, FaultOptions, StrangeStatus } from './faults.js';
export type { MockCredentials } from './guard.js';
export {
  createMockPlatform,
  type MockPlatform,
  type MockPlatformOptions,
  type MockRequest,
  type MockSnapshot,
} from './platform.js';
export type { ProofVerifier, SubmittedProof } from './proofs.js';
export type {
  MockCard,
  MockConsentSet,
  MockDelegationToken,
  MockExternalWallet,
  MockInternalWallet,
  MockOrder,
  MockPage,
  MockState,
  MockTransaction,
  MockUser,
  MockWebhook,
} from './state.js';
export type { MockUsers, NewUser, NewWallet } from './users.js';
export { signWebhook } from './webhook-signature.js';

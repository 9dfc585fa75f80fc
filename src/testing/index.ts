export type { EndpointId } from '../contract/endpoints.js';
export type { MockResponse as MockAnswer } from './behaviour.js';
export type { Duration } from './clock.js';
export type { DeliveryOptions, MockDelivery, MockEvent } from './deliveries.js';
export type { DropMoment, ErrorStatus, Failure, FaultOptions, StrangeStatus } from './faults.js';
export type { MockCredentials } from './guard.js';
export { createMockPlatform, type MockPlatform } from './platform.js';
export type { ProofVerifier, SubmittedProof } from './proofs.js';
export type { MockRequest, MockRequests, RequestPattern } from './requests.js';
export type { MockScene } from './scene.js';
export type { MockPlatformOptions, MockSnapshot } from './set-up.js';
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

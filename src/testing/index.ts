export type { EndpointId } from '../contract/endpoints.js';
export type { MockResponse } from './behaviour.js';
export type { Duration } from './clock.js';
export type { MockControls } from './controls.js';
export type { MockCredentials } from './credentials.js';
export type { DeliveryOptions, MockDelivery, MockEvent } from './deliveries.js';
export type {
  DropMoment,
  ErrorStatus,
  Failure,
  FaultOptions,
  UndocumentedStatus,
} from './faults.js';
export type { MockPlatformOptions } from './options.js';
export { createMockPlatform, type MockPlatform } from './platform.js';
export type { ProofVerifier, SubmittedProof } from './proofs.js';
export type { MockRequest, MockRequests, RequestPattern } from './requests.js';
export type {
  MockCard,
  MockConsentSet,
  MockDelegationToken,
  MockExternalWallet,
  MockInternalWallet,
  MockOrder,
  MockPage,
  MockSnapshot,
  MockState,
  MockTransaction,
  MockUser,
  MockWebhook,
} from './state.js';
export type { MockUsers, NewUser, NewWallet } from './users.js';
export { signWebhook } from './webhook-signature.js';

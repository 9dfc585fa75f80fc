export type { EndpointId } from '../contract/endpoints.js';
export type { MockResponse } from './behaviour.js';
export type { MockChoices } from './choices.js';
export type { MockClientOptions } from './client-for.js';
export type { Duration } from './clock.js';
export type { MockCards, MockControls, MockWallets } from './controls.js';
export type { DeliveryOptions, MockEvent, WebhookFetch } from './deliveries.js';
export type { MockDeliveryControls } from './delivery-controls.js';
export type { ObservedId } from './endpoint-ids.js';
export type { HoldOptions, MockFaultControls } from './fault-controls.js';
export type {
  DropMoment,
  ErrorStatus,
  Failure,
  FaultMoment,
  FaultOptions,
  FaultScope,
  FaultTarget,
  UndocumentedStatus,
} from './faults.js';
export type { MockCollection } from './mock-collection.js';
export type { NewExternalWallet } from './new-objects.js';
export type { MockObserved, MockTokens } from './observed/mock-observed.js';
export type { MockReward } from './observed/reward.js';
export type {
  MockAuthorization,
  MockContactVerification,
  MockMessage,
  MockOAuthGrant,
  MockObservedState,
  MockPasswordReset,
  MockPlace,
  MockRegistration,
  MockRewardWallet,
  MockWalletPriority,
} from './observed/state.js';
export type { MockPlatformOptions } from './options.js';
export type { CardPayment } from './payments.js';
export type { HeldRequests } from './planned-faults.js';
export { createMockPlatform, type MockPlatform } from './platform.js';
export type { PlatformClock } from './platform-clock.js';
export type { ProofVerifier, SubmittedProof } from './proofs.js';
export type { Query } from './query.js';
export type { MockRequest, MockRequests, RequestPattern } from './requests.js';
export type {
  EndpointCall,
  EndpointResponse,
  PathParam,
  RouteCall,
  RouteMethod,
  RouteOptions,
  RouteResponse,
  ServedRoute,
} from './served-routes.js';
export type {
  MockCard,
  MockCardTransaction,
  MockConsentSet,
  MockCredentials,
  MockDelegationToken,
  MockDelivery,
  MockExternalWallet,
  MockInternalWallet,
  MockOrder,
  MockPage,
  MockSnapshot,
  MockState,
  MockTenant,
  MockTransaction,
  MockUser,
  MockWebhook,
} from './state.js';
export type { MockTenants } from './tenants.js';
export type { OnUnhandled } from './unhandled.js';
export type { MockUsers, NewUser, NewWallet } from './users.js';
export { signWebhook } from './webhook-signature.js';

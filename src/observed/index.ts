export type { ObservedOverrides } from './calls.js';
export * from './endpoints/index.js';
export type { ObservedAuthCalls, PasswordResetCalls } from './namespaces/auth.js';
export type { CardStatement, ObservedCardCalls, ProvisioningCalls } from './namespaces/card.js';
export type { ObservedConsentCalls } from './namespaces/consent.js';
export type { OAuthCalls } from './namespaces/oauth.js';
export type { OAuth2Calls } from './namespaces/oauth2.js';
export type { RegistrationCalls } from './namespaces/registration.js';
export type { RewardCalls } from './namespaces/reward.js';
export type {
  ObservedExternalWalletsCalls,
  ObservedInternalWalletsCalls,
  ObservedWalletsCalls,
} from './namespaces/wallets.js';
export type { WebhookEventsCalls } from './namespaces/webhook-events.js';
export { type ObservedPlatform, type ObserveOptions, observe } from './observe.js';
export { type EndpointChanges, override } from './override.js';
export { observedJsonSchema } from './schema/json-schema.js';
export type { WalletInOrder } from './wallet-order.js';

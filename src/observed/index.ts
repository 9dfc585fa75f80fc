export type { ObservedOverrides } from './calls.js';
export * from './every-endpoint.js';
export { observedJsonSchema } from './json-schema.js';
export type { ObservedAuthCalls, PasswordResetCalls } from './namespaces/auth.js';
export type { CardStatement, ObservedCardCalls, ProvisioningCalls } from './namespaces/card.js';
export type { ObservedConsentCalls } from './namespaces/consent.js';
export type { OAuthCalls } from './namespaces/oauth.js';
export type { OAuth2Calls } from './namespaces/oauth2.js';
export type { RegistrationCalls } from './namespaces/registration.js';
export type { RegistrationContactCalls } from './namespaces/registration-contact.js';
export type { RewardCalls } from './namespaces/reward.js';
export type {
  ObservedExternalWalletsCalls,
  ObservedInternalWalletsCalls,
  ObservedWalletsCalls,
} from './namespaces/wallets.js';
export type { WebhookEventsCalls } from './namespaces/webhook-events.js';
export {
  type LoginToken,
  type OAuthLogin,
  type OAuthLoginOptions,
  startOAuthLogin,
} from './oauth/api-login.js';
export { isOAuthError, OAuthError, type OAuthErrorCode } from './oauth/oauth-error.js';
export {
  finishOAuth2Login,
  type OAuth2Login,
  type OAuth2LoginOptions,
  type OAuth2RedirectOptions,
  startOAuth2Login,
} from './oauth/page-login.js';
export type { PendingLoginStore } from './oauth/pending-login.js';
export { createPkce, createState, type Pkce, type RandomSource } from './oauth/pkce.js';
export { type RenewableSession, type RenewOAuthOptions, renewOAuth } from './oauth/renew-oauth.js';
export { revokeSession } from './oauth/revoke-session.js';
export type { OAuthFamily, OAuthSessionTokens, Region } from './oauth/session-tokens.js';
export * from './oauth2-authorize-url.js';
export { type ObservedPlatform, type ObserveOptions, observe } from './observe.js';
export { type EndpointChanges, override } from './override.js';
export type { RecordConsentInput, RegistrationConsents } from './registration/consent-steps.js';
export { createRegistration } from './registration/create-registration.js';
export type {
  RegistrationFlow,
  RegistrationIdField,
  ResumeInput,
} from './registration/flow-types.js';
export type { RegistrationOptions } from './registration/options.js';
export type {
  LogInReason,
  RegistrationProgress,
  StepDueAgainReason,
} from './registration/progress.js';
export { type RegistrationStepName, registrationStepOfPhase } from './registration/steps.js';
export type { WalletInOrder } from './wallet-order.js';

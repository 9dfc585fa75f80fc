export {
  listenForPinPage,
  type MessageTarget,
  type PinPageListener,
  type WindowMessage,
} from './browser/listen-for-pin-page.js';
export {
  PIN_PAGE_SCRIPT,
  type PinPageInWebView,
  readPinPageEvent,
  type WebViewEvent,
} from './browser/read-pin-page-event.js';
export { CardPlatformClient } from './client.js';
export type { BusinessErrorCode } from './contract/business-errors.js';
export type { Open, OpenEnum, SuccessResult } from './contract/common.js';
export { REQUIRED_CONSENTS } from './contract/consent.js';
export type { Credential, ResponseKind } from './contract/endpoint.js';
export type { EndpointCredentials } from './contract/endpoint-credentials.js';
export type * from './contract/endpoint-types.js';
export type { EndpointId } from './contract/endpoints.js';
export { isSolanaAddress, isSolanaSignature } from './contract/formats/base58.js';
export { isDecimal, isPositiveDecimal } from './contract/formats/decimal.js';
export { isEvmAddress } from './contract/formats/evm-address.js';
export {
  ACCESS_TOKEN_LIFETIME_MS,
  DELEGATION_TOKEN_LIFETIME_MS,
} from './contract/formats/token-lifetimes.js';
export type {
  Additions,
  AddressFormat,
  AddressFormats,
  Listed,
  ListName,
} from './contract/lists.js';
export type { RecognisedErrorCode, RefusalCode } from './contract/recognised-errors.js';
export type {
  JsonObject,
  JsonValue,
  Schema,
  SchemaIssue,
  SchemaResult,
} from './contract/schema.js';
export { HISTORY_PAGE_SIZE } from './contract/wallet-history.js';
export * from './errors/index.js';
export type { PageOptions } from './flows/pagination.js';
export type { WaitOptions } from './flows/polling.js';
export {
  baseUnitsToDecimal,
  decimalToBaseUnits,
  decodeBase58,
  encodeBase58,
  toChecksumAddress,
} from './formats/conversions.js';
export type {
  ClientJournal,
  JournalCause,
  JournalEntry,
  JournalEvidence,
  JournalVerdict,
  ReconcileOptions,
  Reconciliation,
  RecoveredEntry,
} from './journal/journal-types.js';
export type { AuthResource } from './resources/auth.js';
export type { CardResource } from './resources/card.js';
export type { ConsentResource } from './resources/consent.js';
export type { CreditWalletResource } from './resources/credit-wallet.js';
export type { DelegationResource } from './resources/delegation.js';
export type { ExternalWalletsResource } from './resources/external-wallets.js';
export type { InternalWalletsResource } from './resources/internal-wallets.js';
export type { OrdersResource } from './resources/orders.js';
export type { ReferralResource } from './resources/referral.js';
export type { UserResource } from './resources/user.js';
export type { WalletHistoryResource } from './resources/wallet-history.js';
export type { WalletsResource } from './resources/wallets.js';
export type { WebhooksResource } from './resources/webhooks.js';
export type { KeyValueStore } from './stores/key-value-store.js';
export type { FetchFunction, HttpAgent } from './transport/adapters/choose-adapter.js';
export type { LogFields, Logger } from './transport/attempts/attempt-plan.js';
export type { Clock } from './transport/attempts/clock.js';
export type {
  Middleware,
  MiddlewareRequest,
  MiddlewareResponse,
  Next,
} from './transport/attempts/middleware.js';
export type {
  AccessToken,
  AccessTokenProvider,
  TokenRequest,
} from './transport/credentials/credentials.js';
export type { Method, RawRequest } from './transport/declare/raw-request.js';
export { nextStepOf, outcomeOf } from './transport/outcome/outcome-of-error.js';
export type { Region } from './transport/request/wire-request.js';
export type { DriftKind, DriftReport } from './transport/response/drift.js';
export type {
  PlatformPromise,
  SafeResult,
  WithResponse,
} from './transport/response/platform-promise.js';
export type { Journal } from './transport/settings/journal-option.js';
export type {
  ClientOptions,
  RequestOptions,
  RetryOptions,
  SchemaOption,
} from './transport/settings/options.js';
export type { IncomingHeaders } from './webhooks/headers.js';
export {
  OBSERVED_WEBHOOK_SCHEME,
  type WebhookEnvelope,
  type WebhookEvent,
  type WebhookScheme,
} from './webhooks/scheme.js';
export { type VerifyWebhookInput, verifyWebhook } from './webhooks/verify-webhook.js';

export type { NoInput } from '../contract/common.js';
export type {
  Credential,
  Endpoint,
  Interpretation,
  Lookup,
  PageAccess,
  ResponseKind,
  ResponseShape,
  RetryResolution,
  Routing,
} from '../contract/endpoint.js';
export type { LookResult, SeenEffect } from '../contract/lookup.js';
export type { RetryClass, RetryPolicy } from '../contract/retry-policy.js';
export type { Safeguard } from '../contract/safeguard.js';
export * from '../errors/index.js';
export type {
  ClientJournal,
  CustomReconcile,
  JournalCause,
  JournalEntry,
  JournalEvidence,
  JournalVerdict,
  LookTools,
  ReconcileOptions,
  Reconciliation,
  RecoveredEntry,
} from '../journal/journal-types.js';
export { outcomeOf } from '../transport/outcome/outcome-of-error.js';
export type { Send, Sender } from '../transport/send.js';
export type { Journal } from '../transport/settings/journal-option.js';
export { call } from './call.js';
export { createClient, type EndpointClient } from './create-client.js';
export type { CustomEndpoint, CustomInput, CustomResult, ResponseBytes } from './custom-types.js';
export { defineEndpoint } from './define-endpoint.js';
export * from './every-endpoint.js';
export type { OpenApiObject, ToJsonSchema } from './openapi-operations.js';
export { openApiPaths } from './openapi-paths.js';

export type { NoInput } from '../contract/common.js';
export type {
  Endpoint,
  Interpretation,
  ResponseShape,
  RetryResolution,
  Routing,
} from '../contract/endpoint.js';
export type { RetryClass, RetryPolicy } from '../contract/retry-policy.js';
export type { Safeguard } from '../contract/safeguard.js';
export type { Send } from '../transport/send.js';
export type { Sender } from '../transport/sender.js';
export { call } from './call.js';
export { createClient, type EndpointClient } from './create-client.js';
export * from './every-endpoint.js';

export { type CardProxy, createCardProxy } from './create-card-proxy.js';
export { createErrorResponse } from './error-response.js';
export {
  type NodeHandler,
  type NodeRequest,
  type NodeResponse,
  toNodeHandler,
} from './node-handler.js';
export { DEFAULT_OPERATIONS } from './operations.js';
export type { CardProxyOptions, ProxyFailure, ProxySession } from './options.js';
export type { ProxyRefusalReason } from './refusal.js';

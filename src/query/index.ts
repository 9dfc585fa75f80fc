export { createQueries, type QueriesOptions } from './create-queries.js';
export type { PlatformKey, QueryNamespace } from './keys.js';
export { shouldDehydrateMutation } from './run-once.js';
export type {
  PlatformInfiniteQuery,
  PlatformMutation,
  PlatformQuery,
  Queries,
} from './types.js';

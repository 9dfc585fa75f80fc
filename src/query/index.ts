export { createQueries, type QueriesOptions } from './create-queries.js';
export type { PlatformKey, QueryNamespace } from './keys.js';
export { shouldDehydrateMutation } from './run-once.js';
export { shouldDehydrateQuery } from './should-dehydrate-query.js';
export type {
  PlatformInfiniteQuery,
  PlatformMutation,
  PlatformQuery,
  Queries,
} from './types.js';

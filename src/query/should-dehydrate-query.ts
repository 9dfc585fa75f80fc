import { factsOf } from './keys.js';

/**
 * Returns whether the result of a query may be stored: pass it to `dehydrate` or a persister, so that no
 * result with a secret or with identity data, such as that of `user.get`, is stored. It decides by the key.
 * Everything else is stored as the library does by default: once it has succeeded.
 *
 * @example
 * ```ts
 * import { QueryClient } from '@tanstack/query-core';
 * import { shouldDehydrateQuery } from 'card-platform-sdk/query';
 *
 * const queryClient = new QueryClient({
 *   defaultOptions: { dehydrate: { shouldDehydrateQuery } },
 * });
 * ```
 */
export function shouldDehydrateQuery(query: {
  readonly queryKey: readonly unknown[];
  readonly state: { readonly status: string };
}): boolean {
  return query.state.status === 'success' && !factsOf(query.queryKey).includes('secret');
}

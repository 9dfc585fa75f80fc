import type { CardPlatformClient } from '../client.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { checkOwner, keyOf } from './keys.js';
import { OPERATIONS } from './operations.js';
import { caller, historyPages, mutationOptions, queryOptions } from './options-of-call.js';
import type { Queries } from './types.js';

/** The options of {@link createQueries}. */
export type QueriesOptions = {
  /** The user's client, which sends the calls. */
  client: CardPlatformClient;
  /**
   * An id of the user, never a token: it is part of every key, so that nobody sees the cached data of
   * another user. `null` while nobody is signed in.
   */
  user: string | null;
  /** The region of every call. It replaces the client's region, and is part of every key. */
  region: 'global' | 'us';
};

type Node = { [name: string]: unknown };

/** Returns the object at a path of names. Creates what is missing on the way. */
function nodeAt(root: Node, names: readonly string[]): Node {
  return names.reduce((node, name) => {
    node[name] ??= {};
    return node[name] as Node;
  }, root);
}

/**
 * Creates the options of every endpoint for TanStack Query 5 (React, Vue, Solid, Svelte). They are
 * plain objects: the library is not loaded.
 *
 * - User and region are part of every key.
 * - Reads pass the signal on and are not retried by the library, because the client retries.
 * - Calls that must not be sent twice are sent at most once, whatever the app's default options are.
 *   They never wait for the network, and are never resumed from a stored cache.
 *
 * Create it once for each client, not with each render.
 *
 * @param options - the client, the user and the region
 * @throws ConfigurationError when one of them cannot be used
 * @example
 * ```ts
 * import { QueryClient } from '@tanstack/query-core';
 * import { createQueries } from 'card-platform-sdk/query';
 *
 * const queryClient = new QueryClient();
 * const queries = createQueries({ client: userClient, user: 'user-1', region: 'global' });
 * const { status } = await queryClient.fetchQuery(queries.card.status());
 * await queryClient.invalidateQueries(queries.within('card'));
 * console.log(status);
 * ```
 */
export function createQueries(options: QueriesOptions): Queries {
  const { client, user, region } = options;
  // For callers without types.
  if (Object(client).wallets === undefined) {
    throw new ConfigurationError('client', 'client must be a CardPlatformClient.');
  }
  const owner = { user, region };
  checkOwner(owner);
  const root: Node = {
    within: (namespace = '') => ({ queryKey: keyOf(owner, namespace) }),
  };
  for (const [id, facts] of Object.entries(OPERATIONS)) {
    const [retryClass, ...flags] = facts as readonly string[];
    const names = id.split('.');
    const name = names.pop() ?? '';
    const send = caller(options, id, flags.includes('input'));
    nodeAt(root, names)[name] =
      retryClass === 'safe'
        ? queryOptions(owner, id, send, flags.includes('secret'))
        : mutationOptions(owner, id, send, retryClass ?? 'never');
  }
  const list = caller(options, 'wallets.history.list', true);
  nodeAt(root, ['wallets', 'history'])['pages'] = historyPages(owner, list);
  return root as unknown as Queries;
}

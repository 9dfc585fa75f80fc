import type { CardPlatformClient } from '../client.js';
import type { HISTORY_PAGE_SIZE } from '../contract/wallet-history.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import type { RequestOptions } from '../transport/settings/options.js';
import { checkOwner, type KeyOwner, keyOf, stableInput } from './keys.js';
import { OPERATIONS } from './operations.js';
import { runOnce } from './run-once.js';
import type { Queries } from './types.js';

/** Repeated here, because an import of the value would also load the declaration of the endpoint. */
const FULL_PAGE: typeof HISTORY_PAGE_SIZE = 10;

type Node = { [name: string]: unknown };
type CallSettings = { readonly client: CardPlatformClient; readonly region: KeyOwner['region'] };
type Call = (...args: unknown[]) => Promise<unknown>;

/** How long the cache keeps a result with a secret after its last use, in milliseconds. */
const SHORT = 1_000;

/** Returns a function that calls the client's method for an endpoint, in the region of the queries. */
function caller({ client, region }: CallSettings, id: string, hasInput: boolean) {
  return (input: unknown, options?: RequestOptions): Promise<unknown> => {
    const names = id.split('.');
    const method = names.pop() ?? '';
    const resource = names.reduce((node, name) => node[name] as Node, client as unknown as Node);
    const args = [...(hasInput ? [input] : []), { ...options, region }];
    return (resource[method] as Call)(...args);
  };
}

type Send = ReturnType<typeof caller>;

function queryOptions(owner: KeyOwner, id: string, send: Send, isSecret: boolean) {
  return (input?: unknown) => {
    const copy = stableInput(input);
    return {
      queryKey: keyOf(owner, id, copy),
      queryFn: ({ signal }: { signal: AbortSignal }) => send(copy, { signal }),
      retry: false,
      // The library would copy the result, and the copy would print its secrets.
      ...(isSecret && { structuralSharing: false }),
    };
  };
}

function mutationOptions(
  owner: KeyOwner,
  id: string,
  send: Send,
  facts: { readonly retryClass: string; readonly isSecret: boolean },
) {
  const call = (variables: unknown) => send(variables);
  return () => ({
    mutationKey: keyOf(owner, id),
    networkMode: 'always',
    retry: false,
    // A scope of the app could make it wait behind a paused mutation.
    scope: undefined,
    // Without a secret it stays as long as any: the app may need to show that its outcome is unknown.
    ...(facts.isSecret && { gcTime: SHORT }),
    ...(facts.retryClass === 'never' ? runOnce(id, call) : { mutationFn: call }),
  });
}

function historyPages(owner: KeyOwner, send: Send) {
  return (input: unknown) => {
    const copy = stableInput(input) as Node;
    return {
      queryKey: keyOf(owner, 'wallets.history.pages', copy),
      queryFn: ({ signal, pageParam: page }: { signal: AbortSignal; pageParam: number }) =>
        send({ ...copy, page }, { signal }),
      initialPageParam: 0,
      getNextPageParam: (last: readonly unknown[], _: unknown, page: number) =>
        last.length < FULL_PAGE ? undefined : page + 1,
      retry: false,
    };
  };
}

/** The options of {@link createQueries}. */
export type QueriesOptions = {
  /** The user's client, which sends the calls. */
  client: CardPlatformClient;
  /**
   * An id of the user, never a token: it is part of every key, so that nobody sees the cached data of
   * another user. `null` while nobody is signed in.
   */
  user: string | null;
  /**
   * The region of every call. It replaces the client's region, and is part of every key. Behind a proxy,
   * pass the region of the session: `us` is refused in another session, and `global` has no effect.
   */
  region: 'global' | 'us';
};

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
    const [retryClass = 'never', ...flags] = facts as readonly string[];
    const isSecret = flags.includes('secret');
    const names = id.split('.');
    const name = names.pop() ?? '';
    const send = caller(options, id, flags.includes('input'));
    nodeAt(root, names)[name] =
      retryClass === 'safe'
        ? queryOptions(owner, id, send, isSecret)
        : mutationOptions(owner, id, send, { retryClass, isSecret });
  }
  const list = caller(options, 'wallets.history.list', true);
  nodeAt(root, ['wallets', 'history'])['pages'] = historyPages(owner, list);
  return root as unknown as Queries;
}

import type { CardPlatformClient } from '../client.js';
import type { HISTORY_PAGE_SIZE } from '../contract/wallet-history.js';
import type { RequestOptions } from '../transport/settings/options.js';
import { type KeyOwner, keyOf, stableInput } from './keys.js';
import { runOnce } from './run-once.js';

/** Repeated here, because an import of the value would also load the declaration of the endpoint. */
const FULL_PAGE: typeof HISTORY_PAGE_SIZE = 10;

type Node = { [name: string]: unknown };
type CallSettings = { readonly client: CardPlatformClient; readonly region: KeyOwner['region'] };
type Call = (...args: unknown[]) => Promise<unknown>;

/** How long the cache keeps a result that may hold a secret after its last use, in milliseconds. */
const SHORT = 1_000;

/** Returns a function that calls the client's method for an endpoint, in the region of the queries. */
export function caller({ client, region }: CallSettings, id: string, hasInput: boolean) {
  return (input: unknown, options?: RequestOptions): Promise<unknown> => {
    const names = id.split('.');
    const method = names.pop() ?? '';
    const resource = names.reduce((node, name) => node[name] as Node, client as unknown as Node);
    const args = [...(hasInput ? [input] : []), { ...options, region }];
    return (resource[method] as Call)(...args);
  };
}

type Send = ReturnType<typeof caller>;

export function queryOptions(owner: KeyOwner, id: string, send: Send, isSecret: boolean) {
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

export function mutationOptions(owner: KeyOwner, id: string, send: Send, retryClass: string) {
  const call = (variables: unknown) => send(variables);
  return () => ({
    mutationKey: keyOf(owner, id),
    networkMode: 'always',
    retry: false,
    // A scope of the app could make it wait behind a paused mutation.
    scope: undefined,
    ...(retryClass !== 'idempotent' && { gcTime: SHORT }),
    ...(retryClass === 'never' ? runOnce(id, call) : { mutationFn: call }),
  });
}

export function historyPages(owner: KeyOwner, send: Send) {
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

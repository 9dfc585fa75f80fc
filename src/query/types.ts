import type { DataTag, InfiniteData } from '@tanstack/query-core';
import type { Endpoint } from '../contract/endpoint.js';
import type { ENDPOINT_BY_ID, EndpointId } from '../contract/endpoints.js';
import type { WalletHistoryInput, WalletTransaction } from '../contract/wallet-history.js';
import type { PlatformKey, QueryNamespace } from './keys.js';
import type { OPERATIONS } from './operations.js';

/** The options of a read, for `useQuery`, `useSuspenseQuery`, `prefetchQuery` and the like. */
export type PlatformQuery<Data> = {
  readonly queryKey: DataTag<PlatformKey, Data>;
  /** Sends the read. The signal aborts it. */
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>;
  /** The client retries. */
  readonly retry: false;
};

/** The options of a paged read, for `useInfiniteQuery` and the like. */
export type PlatformInfiniteQuery<Page> = {
  readonly queryKey: DataTag<PlatformKey, InfiniteData<Page, number>>;
  /** Sends the read of a page. The signal aborts it. */
  readonly queryFn: (context: {
    readonly signal: AbortSignal;
    readonly pageParam: number;
  }) => Promise<Page>;
  readonly initialPageParam: number;
  /** Returns the number of the next page; `undefined` after the last one. */
  readonly getNextPageParam: (
    lastPage: Page,
    pages: readonly Page[],
    lastPageParam: number,
  ) => number | undefined;
  /** The client retries. */
  readonly retry: false;
};

/** The options of a call that changes something, or that returns a token, for `useMutation`. */
export type PlatformMutation<Input, Data> = {
  readonly mutationKey: PlatformKey;
  /** Sends the call. A call of class `never` is sent once per mutation. */
  readonly mutationFn: (input: Input, context?: object) => Promise<Data>;
  /** A call does not wait for the network: without one it fails, and is not sent later. */
  readonly networkMode: 'always';
  /** The client retries what is safe to retry. */
  readonly retry: false;
};

type InputOf<Id extends EndpointId> =
  (typeof ENDPOINT_BY_ID)[Id] extends Endpoint<infer Input, infer _> ? Input : never;

type OutputOf<Id extends EndpointId> =
  (typeof ENDPOINT_BY_ID)[Id] extends Endpoint<infer _, infer Output> ? Output : never;

/** The arguments of a call: nothing, or the input, which may be optional. */
type Arguments<Id extends EndpointId> = 'input' extends (typeof OPERATIONS)[Id][number]
  ? Record<never, never> extends InputOf<Id>
    ? [input?: InputOf<Id>]
    : [input: InputOf<Id>]
  : [];

/** The variables of a mutation: the argument of the call. */
type Variables<Id extends EndpointId> =
  | NonNullable<Arguments<Id>[number]>
  // biome-ignore lint/suspicious/noConfusingVoidType: only with void, `mutate()` takes no argument.
  | ([] extends Arguments<Id> ? void : never);

type OptionsOf<Id extends EndpointId> = (typeof OPERATIONS)[Id][0] extends 'safe'
  ? (...input: Arguments<Id>) => PlatformQuery<OutputOf<Id>>
  : () => PlatformMutation<Variables<Id>, OutputOf<Id>>;

type NameIn<Prefix extends string> = EndpointId extends infer Id
  ? Id extends `${Prefix}${infer Rest}`
    ? Rest extends `${infer Name}.${string}`
      ? Name
      : Rest
    : never
  : never;

type OptionsIn<Prefix extends string> = {
  readonly [Name in NameIn<Prefix>]: `${Prefix}${Name}` extends EndpointId
    ? OptionsOf<`${Prefix}${Name}`>
    : OptionsIn<`${Prefix}${Name}.`>;
};

type WithoutPage<Input> = Input extends unknown ? Omit<Input, 'page'> : never;

/**
 * The options of every endpoint, under the name of its method: `queries.card.status()`. A read
 * returns {@link PlatformQuery}, everything else {@link PlatformMutation}. Calls that return a
 * short-lived token or URL (card details, PIN, verification, delegation token) are mutations, so
 * that no cache shows the token or URL again.
 */
export type Queries = OptionsIn<''> & {
  readonly wallets: {
    readonly history: {
      /** All pages of the history of a wallet, one after the other. */
      readonly pages: (
        input: WithoutPage<WalletHistoryInput>,
      ) => PlatformInfiniteQuery<readonly WalletTransaction[]>;
    };
  };
  /**
   * Returns the filter that matches every query of this user and region in a namespace, or in all
   * namespaces if you pass none.
   *
   * @example
   * ```ts
   * import { createQueries } from 'card-platform-sdk/query';
   *
   * const queries = createQueries({ client: userClient, user: 'user-1', region: 'global' });
   * console.log(queries.within('wallets').queryKey.join('/')); // card-platform/global/user-1/wallets
   * ```
   */
  readonly within: (namespace?: QueryNamespace) => { readonly queryKey: PlatformKey };
};

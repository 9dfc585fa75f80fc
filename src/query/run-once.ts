import type { Mutation, MutationFunctionContext, MutationOptions } from '@tanstack/query-core';
import { CardPlatformError } from '../errors/base.js';
import { factsOf } from './keys.js';

/** Marks mutations that may run only once. Its value identifies the page load that created them. */
const MARK = 'cardPlatformPage';
let page: { readonly id: string; readonly openedAt: number } | undefined;

// Not at load: some runtimes have no random numbers and no time then.
function thisPage() {
  page ??= { id: Math.random().toString(36), openedAt: Date.now() };
  return page;
}

type Options = MutationOptions<unknown, Error, unknown, unknown>;

/** The first run of each mutation: by the mutation, and by the context that its retries share. */
const runs = new WeakMap<object, Promise<unknown>>();
/** The contexts of mutations that were started in this page, not restored from a cache. */
const started = new WeakSet<object>();

/**
 * Records that a mutation was started: the library calls `onMutate` for such a mutation, and not for
 * one that it restores. Then calls the app's default `onMutate`, which this one replaces.
 */
function onMutate(variables: unknown, context: MutationFunctionContext): unknown {
  started.add(context);
  const { client, mutationKey } = context;
  const defaults: Options = client.defaultMutationOptions(
    mutationKey === undefined ? {} : { mutationKey },
  );
  return defaults.onMutate === onMutate ? undefined : defaults.onMutate?.(variables, context);
}

/** The mutations that may be running: those with the same options and variables. */
function candidates(
  options: unknown,
  variables: unknown,
  context: MutationFunctionContext,
): Mutation<unknown, Error, unknown, unknown>[] {
  const all = context.client?.getMutationCache().getAll() ?? [];
  return all.filter((one) => one.options === options && one.state.variables === variables);
}

function wasRestored(
  mutation: Mutation<unknown, Error, unknown, unknown> | undefined,
  { meta }: MutationFunctionContext,
  isStarted: boolean,
): boolean {
  const mark = meta?.[MARK];
  if (mark !== undefined && mark !== thisPage().id) return true;
  if (isStarted || mutation === undefined) return false;
  if (mutation.options.onMutate === onMutate) return true;
  // The app has replaced `onMutate`. If it has replaced `meta` too, only the time is left.
  return mark === undefined && !(mutation.state.submittedAt >= thisPage().openedAt);
}

/**
 * The part of a mutation's options that keeps it from running twice, whatever the settings of the
 * app. A second run sends nothing and settles as the first one did, so that its outcome is not lost.
 * A mutation that was restored from a stored cache is refused.
 */
export function runOnce(operation: string, send: (variables: unknown) => Promise<unknown>) {
  // The library calls it as a method of the mutation's options.
  function mutationFn(
    this: unknown,
    variables: unknown,
    context?: MutationFunctionContext,
  ): Promise<unknown> {
    // The app called it, not the library.
    if (context === undefined) return send(variables);
    const mutations = candidates(this, variables, context);
    const mutation = mutations.find((one) => !runs.has(one));
    const known = runs.get(context) ?? (mutation ? undefined : runs.get(mutations[0] ?? context));
    if (known !== undefined) return known;
    if (wasRestored(mutation, context, started.has(context))) {
      const message = 'the mutation was restored from a stored cache, so it was not sent now.';
      const facts = { message, operation, code: 'mutation_restored', outcome: 'unknown' } as const;
      return Promise.reject(new CardPlatformError(facts));
    }
    const run = send(variables);
    runs.set(context, run);
    if (mutation !== undefined) runs.set(mutation, run);
    return run;
  }
  return { mutationFn, onMutate, meta: { [MARK]: thisPage().id } };
}

/**
 * Returns whether a paused mutation may be stored: pass it to `dehydrate` or a persister, so that no
 * call that must not be sent twice is stored. A stored one would be refused when it is resumed.
 *
 * @example
 * ```ts
 * import { QueryClient } from '@tanstack/query-core';
 * import { shouldDehydrateMutation } from 'card-platform-sdk/query';
 *
 * const queryClient = new QueryClient({
 *   defaultOptions: { dehydrate: { shouldDehydrateMutation } },
 * });
 * ```
 */
export function shouldDehydrateMutation(mutation: {
  readonly state: { readonly isPaused: boolean };
  readonly options?: { readonly mutationKey?: readonly unknown[] | undefined } | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}): boolean {
  // An app may replace `meta`, and keeps the key.
  const [retryClass] = factsOf(mutation.options?.mutationKey);
  return mutation.state.isPaused && mutation.meta?.[MARK] === undefined && retryClass !== 'never';
}

import type { RetryOptions } from '../../src/transport/settings/options.js';
import type { Random } from '../engine/random.js';
import type { Machine } from './process.js';

/** What the programs of a machine chose: each world has others. */
export type Choices = {
  /** Milliseconds per attempt; `undefined` leaves the default. */
  readonly timeout: number | undefined;
  /** Milliseconds per call; `undefined` leaves the default. */
  readonly totalTimeout: number | undefined;
  readonly retry: boolean | RetryOptions | undefined;
  /** Hooks that see everything, or fail, or take their time. */
  readonly hooks: 'fail' | 'fine' | 'slow';
  /** What the journal may rely on, and what it does when it cannot write an entry. */
  readonly journal: 'has-all' | 'has-some' | 'sends-without-entry';
  /** A store whose operations take time, or one without waits. */
  readonly store: 'slow' | 'instant';
};

/** The limit of a call for which nobody has chosen another one. */
export const DEFAULT_TOTAL_TIMEOUT_MS = 60_000;

/** Returns what the programs of a machine chose. */
export function choicesOf(world: { readonly random: Random }, { name }: Machine): Choices {
  const random = world.random.fork(`choices of ${name}`);
  return {
    timeout: random.pick([undefined, 5_000, 45_000, 90_000]),
    totalTimeout: random.pick([undefined, undefined, 14_000, 90_000]),
    retry: random.pick<Choices['retry']>([
      undefined,
      true,
      false,
      false,
      { maxRetries: 1, baseDelay: 20 },
      { baseDelay: 1_000, maxDelay: 10_000, maxRetryAfter: 0 },
    ]),
    hooks: random.pick(['fine', 'fine', 'fail', 'slow'] as const),
    journal: random.pick(['has-all', 'has-all', 'has-some', 'sends-without-entry'] as const),
    store: random.pick(['slow', 'slow', 'instant'] as const),
  };
}

/** How many requests these options allow for one call. */
export function mostRequests({ retry }: Choices): number {
  const { maxRetries = 5 } = retry === false ? { maxRetries: 0 } : Object(retry);
  return 1 + (maxRetries as number);
}

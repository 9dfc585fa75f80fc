import { callEach } from './clock.js';
import type { Simulation } from './simulation.js';

/**
 * The clock of a mock platform, wherever a clock is passed: to clients, sessions, card secrets,
 * `verifyWebhook` and, as `runtime`, to the delegation flows.
 */
export type PlatformClock = {
  /** The platform's time, in milliseconds since 1970. */
  readonly now: () => number;
  /** The same. It never jumps back, except with `reset` and `restore`. */
  readonly elapsed: () => number;
  /**
   * Calls back when this much of the platform's time has passed. A `wait` moves the platform's
   * clock itself, so retries and polling take no real time. A `limit` moves nothing: it ends when
   * you `advance`, or when the waits of other calls have moved the clock that far.
   */
  readonly schedule: (
    callback: () => void,
    ms: number,
    purpose?: 'wait' | 'limit' | undefined,
  ) => () => void;
  /** Waits, and moves the platform's clock meanwhile. An abort ends it early. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

type Timer = { readonly due: number; readonly callback: () => void; readonly isWait: boolean };

/** Turns of the event loop in which requests in flight can end before a wait moves the clock. */
const TURNS = 3;

// Kept, because a test may replace the timers later.
const { setTimeout: startTimer } = globalThis;
const turn = () => new Promise<void>((resolve) => startTimer(resolve, 0));

/** The clock for programs around a simulation, and a function that drops everything scheduled. */
export function createPlatformClock(simulation: Simulation): {
  clock: PlatformClock;
  clear: () => void;
} {
  const timers = new Set<Timer>();
  let isMoving = false;
  const now = () => simulation.clock.now();
  const earliest = (those: (timer: Timer) => boolean) =>
    [...timers].filter(those).sort((one, other) => one.due - other.due)[0];

  function* dueCallbacks() {
    for (;;) {
      const next = earliest(({ due }) => due <= now());
      if (next === undefined) return;
      timers.delete(next);
      yield next.callback;
    }
  }

  simulation.clock.onChange(() => callEach(dueCallbacks()));

  /** Moves the clock from one wait to the next, as long as there are any. */
  async function move(): Promise<void> {
    if (isMoving) return;
    isMoving = true;
    for (;;) {
      for (let count = 0; count < TURNS; count++) await turn();
      const next = earliest(({ isWait }) => isWait);
      if (next === undefined) break;
      try {
        simulation.advance(Math.max(0, next.due - now()));
      } catch (error) {
        // Nobody awaits the clock: the runtime reports the error, and the other waits go on. A wait
        // that the clock cannot reach is dropped.
        void Promise.reject(error);
        timers.delete(next);
      }
    }
    isMoving = false;
  }

  const schedule: PlatformClock['schedule'] = (callback, ms, purpose) => {
    const timer = { due: now() + Math.max(0, ms), callback, isWait: purpose === 'wait' };
    timers.add(timer);
    if (timer.isWait) void move();
    return () => void timers.delete(timer);
  };

  const sleep: PlatformClock['sleep'] = (ms, signal) =>
    new Promise((resolve) => {
      const end = () => {
        cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const cancel = schedule(end, ms, 'wait');
      if (signal?.aborted) end();
      else signal?.addEventListener('abort', end);
    });

  return { clock: { now, elapsed: now, schedule, sleep }, clear: () => timers.clear() };
}

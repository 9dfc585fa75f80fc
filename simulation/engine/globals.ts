import { LightRequest, LightResponse } from './light-http.js';
import type { Random } from './random.js';
import type { Scheduler } from './scheduler.js';

type Timer = { ref(): Timer; unref(): Timer; hasRef(): boolean; cancel(): void };

/** Methods of WebCrypto that run in other threads. */
const IN_THREADS = ['digest', 'exportKey', 'generateKey', 'importKey', 'sign', 'verify'] as const;

const { crypto: realCrypto, Date: RealDate, Request: RealRequest } = globalThis;

/** The requests that the proxy of a page receives, with a stream as their body. */
export { RealRequest };

function virtualDate(scheduler: Scheduler): DateConstructor {
  const now = () => scheduler.now + scheduler.owner.skew;
  return class extends RealDate {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [now()] : given) as [number]));
    }

    static override now(): number {
      return now();
    }
  } as DateConstructor;
}

function virtualCrypto(scheduler: Scheduler, random: Random): Crypto {
  const subtle: Record<string, unknown> = {};
  for (const name of IN_THREADS) {
    const real = realCrypto.subtle[name] as (...given: unknown[]) => Promise<unknown>;
    subtle[name] = (...given: unknown[]) =>
      scheduler.external(() => real.apply(realCrypto.subtle, given));
  }
  const getRandomValues = (target: Uint8Array) => {
    for (let index = 0; index < target.length; index++) target[index] = random.between(0, 255);
    return target;
  };
  const randomUUID = () => {
    const bytes = [...getRandomValues(new Uint8Array(16))];
    const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  return { subtle, getRandomValues, randomUUID } as unknown as Crypto;
}

function virtualTimers(scheduler: Scheduler) {
  const start = (run: () => void, ms: number): Timer => {
    const cancel = scheduler.after(Number(ms) || 0, scheduler.owner, run);
    const timer: Timer = { ref: () => timer, unref: () => timer, hasRef: () => true, cancel };
    return timer;
  };
  const setTimeout = (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
    start(() => run(...given), ms);
  const clearTimeout = (timer: Timer | undefined) => timer?.cancel?.();
  const setInterval = (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    const interval = start(again, Math.max(1, ms));
    function again() {
      const next = start(again, Math.max(1, ms));
      interval.cancel = next.cancel;
      run(...given);
    }
    return interval;
  };
  return { setTimeout, clearTimeout, setInterval, clearInterval: clearTimeout };
}

/**
 * Replaces every source of time and randomness in this process, so that even code without a clock
 * option runs in the time of the simulation.
 */
export function installGlobals(scheduler: Scheduler, random: Random): void {
  const replace = (target: object, name: string, value: unknown) =>
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
  for (const [name, timer] of Object.entries(virtualTimers(scheduler))) {
    replace(globalThis, name, timer);
  }
  replace(globalThis, 'Date', virtualDate(scheduler));
  replace(globalThis, 'crypto', virtualCrypto(scheduler, random.fork('crypto')));
  const chances = random.fork('Math.random');
  replace(Math, 'random', () => chances.next());
  replace(performance, 'now', () => scheduler.now - scheduler.startedAt);
  replace(globalThis, 'Request', LightRequest);
  replace(globalThis, 'Response', LightResponse);
  // No request may reach a real network.
  replace(globalThis, 'fetch', () => {
    throw new Error('the simulation has no real network');
  });
}

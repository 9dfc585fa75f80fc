import { ConfigurationError, PollingTimeoutError } from '../errors/index.js';
import { type Clock, systemClock } from '../transport/attempts/clock.js';
import { Deadline, Interruption } from '../transport/attempts/deadline.js';
import { callHook } from '../transport/response/call-hook.js';

/** How to wait for a state. */
export type WaitOptions<Value> = {
  /** Milliseconds in all. */
  timeout?: number | undefined;
  /** Milliseconds before the second look; grows by half each time, up to `maxInterval`. */
  interval?: number | undefined;
  /** Longest wait between two looks, in milliseconds. */
  maxInterval?: number | undefined;
  /** Aborts the wait and the request that is under way; rejects with the signal's own reason. */
  signal?: AbortSignal | undefined;
  /** Told each value that was seen, also the last one. */
  onProgress?: ((value: Value, look: number) => void) | undefined;
};

/** What to wait for. */
export type Poll<Value> = {
  /** Endpoint id, for errors. */
  operation: string;
  /** Looks once. `undefined` says that there is nothing to see yet. */
  look: (signal: AbortSignal) => Promise<Value | undefined>;
  /** Whether the wait is over. Throws when it can never end well. */
  isDone: (value: Value) => boolean;
  defaults: { timeout: number; interval: number; maxInterval: number };
};

const GROWTH = 1.5;

function requirePositive(value: number, option: string): number {
  if (Number.isFinite(value) && value > 0 && value < 2 ** 31) return value;
  throw new ConfigurationError(option, `${option} must be milliseconds above zero.`);
}

/**
 * Looks again and again until the state is reached. A state that is not known keeps waiting.
 *
 * @throws PollingTimeoutError with the last value, or whatever a look throws
 */
export async function poll<Value>(
  task: Poll<Value>,
  options: WaitOptions<Value>,
  clock: Clock = systemClock,
): Promise<Value> {
  const { operation, look, isDone, defaults } = task;
  const timeout = requirePositive(options.timeout ?? defaults.timeout, 'timeout');
  const longest = requirePositive(options.maxInterval ?? defaults.maxInterval, 'maxInterval');
  let interval = requirePositive(options.interval ?? defaults.interval, 'interval');
  const deadline = new Deadline(clock, timeout, options.signal);
  let last: Value | undefined;
  try {
    for (let looks = 1; ; looks++) {
      const value = await deadline.run(timeout, (onInterrupt) => {
        const controller = new AbortController();
        onInterrupt(() => controller.abort());
        return look(controller.signal);
      });
      if (value !== undefined) {
        last = value;
        callHook(() => options.onProgress?.(value, looks));
        if (isDone(value)) return value;
      }
      await deadline.wait(interval);
      interval = Math.min(interval * GROWTH, longest);
    }
  } catch (error) {
    if (!(error instanceof Interruption)) throw error;
    if (error.kind === 'aborted') throw error.reason;
    throw new PollingTimeoutError(timeout, operation, last);
  } finally {
    deadline.release();
  }
}

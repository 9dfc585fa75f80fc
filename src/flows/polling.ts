import { ConfigurationError, PollingTimeoutError } from '../errors/index.js';
import type { Clock } from '../transport/attempts/clock.js';
import { CallInterrupted, Deadline, type Work } from '../transport/attempts/deadline.js';
import { recordOutcome } from '../transport/outcome/outcome-of-error.js';
import { callHook } from '../transport/response/call-hook.js';
import { redactErrorOf } from '../transport/response/redact-error.js';

/** The options of a wait. */
export type WaitOptions<Value> = {
  /** How long to wait at most, in milliseconds. A device that sleeps through the end reads once more. */
  timeout?: number | undefined;
  /** Milliseconds before the second read; grows by half each time, up to `maxInterval`. */
  interval?: number | undefined;
  /**
   * Longest wait between two reads, in milliseconds. Its default is that of the helper, or `interval`
   * where that is longer.
   */
  maxInterval?: number | undefined;
  /** Aborts the wait and its current request; rejects with the signal's own reason. */
  signal?: AbortSignal | undefined;
  /** Called with each value that was read, including the last one. */
  onProgress?: ((value: Value, reads: number) => void) | undefined;
};

/** A state to wait for. */
export type Poll<Value> = {
  /** Endpoint id, for errors. */
  operation: string;
  /** Reads once. `undefined` means that there is no value yet. */
  read: (signal: AbortSignal) => Promise<Value | undefined>;
  /** Whether the wait is over. Throws when the state can no longer be reached. */
  isDone: (value: Value) => boolean;
  defaults: { timeout: number; interval: number; maxInterval: number };
};

const GROWTH = 1.5;
/** How long the read after an overslept end may take, in milliseconds. */
const LAST_READ_MS = 10_000;

function requirePositive(value: number, option: string): number {
  if (Number.isFinite(value) && value > 0 && value < 2 ** 31) return value;
  throw new ConfigurationError(option, `${option} must be milliseconds above zero and below 2^31.`);
}

/** For callers without types: a promise counts as true, and would end the wait at once. */
function requireDecided(decided: unknown): boolean {
  if (typeof Object(decided).then !== 'function') return Boolean(decided);
  // Its rejection would end a Node process.
  callHook(() => decided);
  throw new ConfigurationError('isDone', 'isDone must return true or false, not a promise.');
}

/**
 * Reads repeatedly until the state is reached. The wait continues on an unknown state.
 *
 * @throws PollingTimeoutError with the last value, ConfigurationError for an option that cannot work,
 *   or any error of a read
 */
export async function poll<Value>(
  task: Poll<Value>,
  options: WaitOptions<Value>,
  clock: Clock,
): Promise<Value> {
  const { operation, read, isDone, defaults } = task;
  if (typeof options !== 'object' || options === null) {
    throw new ConfigurationError('options', 'the options must be an object.');
  }
  const timeout = requirePositive(options.timeout ?? defaults.timeout, 'timeout');
  const first = requirePositive(options.interval ?? defaults.interval, 'interval');
  // The waits never become shorter, and none is longer than the caller allows.
  const usual = Math.max(defaults.maxInterval, first);
  const longest = requirePositive(options.maxInterval ?? usual, 'maxInterval');
  if (typeof isDone !== 'function') {
    throw new ConfigurationError('isDone', 'isDone must be a function.');
  }
  let interval = Math.min(first, longest);
  const deadline = new Deadline(clock, timeout, options.signal);
  let last: Value | undefined;
  let hasRead = false;
  try {
    for (let reads = 1; ; reads++) {
      const work: Work<Value | undefined> = (onInterrupt) => {
        const controller = new AbortController();
        onInterrupt(() => controller.abort());
        hasRead = true;
        return read(controller.signal);
      };
      // The device slept through the end of the wait, and what happened meanwhile was not seen.
      const isOverslept = reads > 1 && deadline.remaining <= 0;
      const value = isOverslept
        ? await deadline.runBeyondTotal(Math.min(timeout, LAST_READ_MS), work)
        : await deadline.run(timeout, work);
      // A preview may also respond with null.
      if (value !== undefined && value !== null) {
        last = value;
        callHook(() => options.onProgress?.(value, reads));
        if (requireDecided(isDone(value))) return value;
      }
      await deadline.wait(interval);
      interval = Math.min(interval * GROWTH, longest);
    }
  } catch (error) {
    if (!(error instanceof CallInterrupted)) throw error;
    if (error.kind === 'aborted') {
      recordOutcome(error.reason, hasRead ? 'unknown' : 'not_sent', 'retry');
      throw error.reason;
    }
    throw redactErrorOf(new PollingTimeoutError(timeout, operation, last), last);
  } finally {
    deadline.release();
  }
}

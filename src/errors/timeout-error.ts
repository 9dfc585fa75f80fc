import { CardPlatformError, type ErrorFacts } from './base.js';

/**
 * How far a call had come when its time ran out: `load` (the part of this package that sends, which is
 * loaded with the first call), `credentials` (a token provider),
 * `middleware` (one that kept the request from leaving), `connect` (connecting, TLS included),
 * `headers` (waiting for the response to begin), `body` (while the response arrived), `schema` (the
 * caller's own schema for the response), `backoff` (waiting to try again), `polling` (a `waitUntil…`
 * helper).
 */
export type TimeoutPhase =
  | 'load'
  | 'credentials'
  | 'middleware'
  | 'connect'
  | 'headers'
  | 'body'
  | 'schema'
  | 'backoff'
  | 'polling';

/** Time ran out. `phase` tells where; `outcome` whether the call may have had an effect. */
export class TimeoutError extends CardPlatformError {
  override readonly name: string = 'TimeoutError';
  /** How far the call had come. */
  readonly phase: TimeoutPhase;
  /** The limit that ran out, in milliseconds. */
  readonly timeoutMs: number;

  constructor(
    phase: TimeoutPhase,
    timeoutMs: number,
    facts: Omit<ErrorFacts, 'code' | 'message'> & { message?: string },
    cause?: unknown,
  ) {
    const message = facts.message ?? `no response within ${timeoutMs} ms (${phase}).`;
    super({ ...facts, code: 'timeout', message }, cause);
    this.phase = phase;
    this.timeoutMs = timeoutMs;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), phase: this.phase, timeoutMs: this.timeoutMs };
  }
}

/** A `waitUntil…` helper ran out of time. `lastValue` is what it saw last. */
export class PollingTimeoutError<T = unknown> extends TimeoutError {
  override readonly name = 'PollingTimeoutError';
  readonly #lastValue: T | undefined;

  constructor(timeoutMs: number, operation: string, lastValue: T | undefined) {
    super('polling', timeoutMs, {
      operation,
      outcome: 'rejected',
      message: `what was waited for did not come within ${timeoutMs} ms.`,
      advice:
        'Only reads were sent: nothing was changed. Look at lastValue, and wait on if it helps.',
    });
    this.#lastValue = lastValue;
  }

  /** The last answer before time ran out; `undefined` when there was none. Not printed. */
  get lastValue(): T | undefined {
    return this.#lastValue;
  }
}

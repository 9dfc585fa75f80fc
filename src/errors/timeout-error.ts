import { CardPlatformError, type ErrorFacts, REDACT, type Redactor } from './base.js';

/**
 * The phase of a call in which its time ran out: `credentials` (a token provider), `journal` (the
 * store or the function `user` of the journal; or the time of its entry was over before the request could leave, because the
 * machine slept), `middleware` (a middleware that delayed the request), `connect` (connecting, TLS
 * included; or the machine slept beyond the time of the call before the request could leave), `headers` (waiting for the response to begin), `body` (reading the response), `schema` (the
 * caller's own schema for the response), `backoff` (waiting to retry: only where the app stood still
 * meanwhile, because a wait that does not fit into the time does not begin), `polling` (a `waitUntil…`
 * helper).
 */
export type TimeoutPhase =
  | 'credentials'
  | 'journal'
  | 'middleware'
  | 'connect'
  | 'headers'
  | 'body'
  | 'schema'
  | 'backoff'
  | 'polling';

/** Time ran out in a `phase` of the call; `outcome` shows whether it may have had an effect. */
export class TimeoutError extends CardPlatformError {
  override readonly name: string = 'TimeoutError';
  /** The phase of the call. */
  readonly phase: TimeoutPhase;
  /** The limit that ran out, in milliseconds. */
  readonly timeoutMs: number;

  constructor(
    phase: TimeoutPhase,
    timeoutMs: number,
    facts: Omit<ErrorFacts, 'code' | 'message'> & { message?: string },
    cause?: unknown,
  ) {
    const message = facts.message ?? `timed out after ${timeoutMs} ms (${phase}).`;
    super({ ...facts, code: 'timeout', message }, cause);
    this.phase = phase;
    this.timeoutMs = timeoutMs;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), phase: this.phase, timeoutMs: this.timeoutMs };
  }
}

/**
 * A `waitUntil…` helper ran out of time. `lastValue` is the last value it read, with its secrets
 * replaced, because errors are logged.
 */
export class PollingTimeoutError<T = unknown> extends TimeoutError {
  override readonly name = 'PollingTimeoutError';
  #lastValue: T | undefined;

  constructor(timeoutMs: number, operation: string, lastValue: T | undefined) {
    super('polling', timeoutMs, {
      operation,
      outcome: 'rejected',
      isRetryable: true,
      message: `the expected state was not seen within ${timeoutMs} ms.`,
      advice:
        'Only reads were sent: nothing was changed. Check lastValue, and wait again if it helps.',
    });
    this.#lastValue = lastValue;
  }

  /** @internal */
  override [REDACT](redactor: Redactor): void {
    super[REDACT](redactor);
    this.#lastValue = redactor.json(this.#lastValue) as T | undefined;
  }

  /**
   * The last value before time ran out; `undefined` when there was none. Its secrets and personal data
   * are replaced: read again for them. Not printed.
   */
  get lastValue(): T | undefined {
    return this.#lastValue;
  }
}

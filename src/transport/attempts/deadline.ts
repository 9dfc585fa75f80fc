import { abortReason } from '../../contract/formats/abort-reason.js';
import type { NextStep, Outcome } from '../../errors/index.js';
import type { Clock } from './clock.js';

type Watch = { callbacks: Set<() => void>; notify: () => void };

const watches = new WeakMap<AbortSignal, Watch>();

/**
 * Calls back when a signal aborts; returns a function that stops watching. All calls share one
 * listener on a signal, because Node warns of a leak when more than ten listen at once.
 */
function watchSignal(signal: AbortSignal, callback: () => void): () => void {
  const watch = watches.get(signal) ?? startWatch(signal);
  watch.callbacks.add(callback);
  return () => {
    watch.callbacks.delete(callback);
    if (watch.callbacks.size > 0) return;
    signal.removeEventListener('abort', watch.notify);
    watches.delete(signal);
  };
}

function startWatch(signal: AbortSignal): Watch {
  const callbacks = new Set<() => void>();
  const notify = () => {
    for (const callback of [...callbacks]) callback();
  };
  const watch = { callbacks, notify };
  watches.set(signal, watch);
  signal.addEventListener('abort', notify);
  return watch;
}

/** The caller aborted the call, or the caller's own code threw. The call rejects with the same value. */
export class CallAborted {
  constructor(
    readonly reason: unknown,
    readonly outcome: Outcome,
    /** The next step, where it does not follow from the outcome. */
    readonly next?: NextStep | undefined,
  ) {}
}

/** Why work was cut short: the caller aborted, or time ran out. */
export class CallInterrupted {
  constructor(
    readonly kind: 'aborted' | 'timeout',
    /** The caller's reason for the abort, or the limit in milliseconds. */
    readonly reason: unknown,
  ) {}
}

function aborted(signal: AbortSignal): CallInterrupted {
  return new CallInterrupted('aborted', abortReason(signal));
}

/** Work that can be cut short. `onInterrupt` registers the function that ends it early. */
export type Work<T> = (
  onInterrupt: (cancel: (interruption: CallInterrupted) => void) => void,
) => Promise<T>;

/**
 * One call's time: the caller's signal, and the limit over all attempts. Listens to the signal once,
 * for as long as the call lasts.
 */
export class Deadline {
  readonly #clock: Clock;
  readonly #endsAt: number;
  /** The limit over all attempts, in milliseconds. */
  readonly totalTimeout: number;
  readonly #signal: AbortSignal | undefined;
  readonly #release: (() => void) | undefined;
  readonly #running = new Set<(interruption: CallInterrupted) => void>();

  constructor(clock: Clock, totalTimeout: number, signal: AbortSignal | undefined) {
    this.#clock = clock;
    this.totalTimeout = totalTimeout;
    this.#endsAt = clock.elapsed() + totalTimeout;
    this.#signal = signal;
    this.#release = signal && watchSignal(signal, () => this.#abort(signal));
  }

  /** Milliseconds that are left for all attempts together. */
  get remaining(): number {
    return this.#endsAt - this.#clock.elapsed();
  }

  /** Throws if the call has already been aborted or run out of time. */
  check(): void {
    if (this.#signal?.aborted) throw aborted(this.#signal);
    if (this.remaining <= 0) throw new CallInterrupted('timeout', this.totalTimeout);
  }

  /**
   * Runs work for at most `limit` milliseconds and within the total. Does not wait for
   * work that is cut short.
   *
   * @throws CallInterrupted when it was cut short
   */
  async run<T>(limit: number, work: Work<T>): Promise<T> {
    this.check();
    const { remaining } = this;
    return limit < remaining
      ? this.#race(limit, limit, work)
      : this.#race(remaining, this.totalTimeout, work);
  }

  /**
   * Runs work for at most `limit` milliseconds, even after {@link release}. An abort by the caller
   * still ends it.
   */
  async runBeyondTotal<T>(limit: number, work: Work<T>): Promise<T> {
    const signal = this.#signal;
    if (signal?.aborted) throw aborted(signal);
    const release = signal && watchSignal(signal, () => this.#abort(signal));
    // Hermes calls what it is given, even `undefined`.
    return this.#race(limit, limit, work).finally(() => release?.());
  }

  #race<T>(allowed: number, reported: number, work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let cancel: ((interruption: CallInterrupted) => void) | undefined;
      const stop = () => {
        cancelTimer();
        this.#running.delete(interrupt);
      };
      const interrupt = (interruption: CallInterrupted) => {
        stop();
        reject(interruption);
        cancel?.(interruption);
      };
      const cancelTimer = this.#clock.schedule(
        () => interrupt(new CallInterrupted('timeout', reported)),
        allowed,
      );
      this.#running.add(interrupt);
      work((cancelWork) => {
        cancel = cancelWork;
      }).then(
        (value) => {
          stop();
          resolve(value);
        },
        (error) => {
          stop();
          reject(error);
        },
      );
    });
  }

  /** Waits, unless the call is cut short. */
  async wait(ms: number): Promise<void> {
    await this.run(
      this.totalTimeout,
      (onInterrupt) =>
        new Promise<void>((resolve) => {
          onInterrupt(this.#clock.schedule(resolve, ms, 'wait'));
        }),
    );
  }

  /** Stops listening to the caller's signal. */
  release(): void {
    this.#release?.();
  }

  #abort(signal: AbortSignal): void {
    const interruption = aborted(signal);
    for (const interrupt of [...this.#running]) interrupt(interruption);
  }
}

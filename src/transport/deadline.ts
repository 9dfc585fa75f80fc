import type { Clock } from './clock.js';
import { watchSignal } from './signal-watch.js';

/** Why work was cut short: the caller gave up, or time ran out. */
export class Interruption {
  constructor(
    readonly kind: 'aborted' | 'timeout',
    /** What the caller gave as reason for the abort, or the limit in milliseconds. */
    readonly reason: unknown,
  ) {}
}

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
  readonly #running = new Set<(interruption: Interruption) => void>();
  readonly #onAbort = () => {
    for (const interrupt of this.#running) {
      interrupt(new Interruption('aborted', this.#signal?.reason));
    }
  };

  constructor(clock: Clock, totalTimeout: number, signal: AbortSignal | undefined) {
    this.#clock = clock;
    this.totalTimeout = totalTimeout;
    this.#endsAt = clock.elapsed() + totalTimeout;
    this.#signal = signal;
    this.#release = signal && watchSignal(signal, this.#onAbort);
  }

  /** Milliseconds left over all attempts. */
  get remaining(): number {
    return this.#endsAt - this.#clock.elapsed();
  }

  /** Throws the interruption that has happened already, if any. */
  check(): void {
    if (this.#signal?.aborted) throw new Interruption('aborted', this.#signal.reason);
    if (this.remaining <= 0) throw new Interruption('timeout', this.totalTimeout);
  }

  /**
   * Runs work for at most `limit` milliseconds and within the total. The work gets a signal of its
   * own and is not waited for once it is cut short.
   *
   * @throws Interruption when it was cut short
   */
  async run<T>(limit: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.check();
    const controller = new AbortController();
    const allowed = Math.min(limit, this.remaining);
    const reported = allowed === limit ? limit : this.totalTimeout;
    let stop!: () => void;
    try {
      return await new Promise<T>((resolve, reject) => {
        const interrupt = (interruption: Interruption) => {
          reject(interruption);
          controller.abort();
        };
        this.#running.add(interrupt);
        const cancelTimer = this.#clock.schedule(
          () => interrupt(new Interruption('timeout', reported)),
          allowed,
        );
        stop = () => {
          cancelTimer();
          this.#running.delete(interrupt);
        };
        work(controller.signal).then(resolve, reject);
      });
    } finally {
      stop();
    }
  }

  /** Waits, unless it is cut short. */
  async wait(ms: number): Promise<void> {
    let cancel = () => {};
    try {
      await this.run(this.totalTimeout, () => {
        return new Promise<void>((resolve) => {
          cancel = this.#clock.schedule(resolve, ms);
        });
      });
    } finally {
      cancel();
    }
  }

  /** Lets go of the caller's signal. */
  release(): void {
    this.#release?.();
  }
}

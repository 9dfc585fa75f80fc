import type { Clock } from '../../src/transport/attempts/clock.js';

type Timer = { at: number; callback: () => void };

/** A clock that jumps to the next timer as soon as there is nothing else to run. */
export class FakeClock implements Clock {
  readonly #timers = new Set<Timer>();
  /** The length of each wait that ended, in milliseconds. */
  readonly waits: number[] = [];
  #elapsed = 0;
  readonly #startsAt: number;
  #isDraining = false;
  readonly #auto: boolean;

  constructor({ startsAt = Date.UTC(2026, 0, 1), auto = true } = {}) {
    this.#startsAt = startsAt;
    this.#auto = auto;
  }

  now(): number {
    return this.#startsAt + this.#elapsed;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  /** The number of timers that have not fired. */
  get pending(): number {
    return this.#timers.size;
  }

  schedule(callback: () => void, ms: number): () => void {
    const timer = { at: this.#elapsed + ms, callback };
    this.#timers.add(timer);
    if (this.#auto) this.#drainLater();
    return () => this.#timers.delete(timer);
  }

  /** Advances the time and runs every timer that is due. */
  advance(ms: number): void {
    const until = this.#elapsed + ms;
    for (;;) {
      const next = this.#next();
      if (next === undefined || next.at > until) break;
      this.#run(next);
    }
    this.#elapsed = until;
  }

  #next(): Timer | undefined {
    return [...this.#timers].sort((one, other) => one.at - other.at)[0];
  }

  #run(timer: Timer): void {
    this.#timers.delete(timer);
    this.waits.push(timer.at - this.#elapsed);
    this.#elapsed = Math.max(this.#elapsed, timer.at);
    timer.callback();
  }

  // After a macrotask, every promise that does not depend on time has settled.
  #drainLater(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    setImmediate(() => {
      setImmediate(() => {
        this.#isDraining = false;
        const next = this.#next();
        if (next !== undefined) this.#run(next);
        if (this.#timers.size > 0) this.#drainLater();
      });
    });
  }
}

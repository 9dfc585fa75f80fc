import { Refusal } from './refusal.js';

const isOver = () => new Refusal('timeout', 'The request took too long.');

/**
 * The time that a request may take, from its arrival to its response. While a machine sleeps, one of its
 * clocks may stand still.
 */
export class TimeLimit {
  readonly #ms: number;
  readonly #startedAt = { elapsed: performance.now(), now: Date.now() };

  /** @param ms - milliseconds from now */
  constructor(ms: number) {
    this.#ms = ms;
  }

  get #remaining(): number {
    const { elapsed, now } = this.#startedAt;
    return this.#ms - Math.max(performance.now() - elapsed, Date.now() - now);
  }

  /**
   * Returns the whole milliseconds that are left.
   *
   * @throws Refusal when there are none: the page may have been told that nothing will be done any more
   */
  requireRemaining(): number {
    if (this.#remaining <= 0) throw isOver();
    return Math.ceil(this.#remaining);
  }

  /**
   * Waits for work that sends nothing to the service.
   *
   * @throws Refusal when time runs out
   */
  async wait<T>(work: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(isOver()), Math.max(0, this.#remaining));
    });
    try {
      return await Promise.race([work, end]);
    } finally {
      clearTimeout(timer);
    }
  }
}

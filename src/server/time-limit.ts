import { Refusal } from './refusal.js';

/** The time that a request may take, from its arrival to its response. */
export class TimeLimit {
  readonly #endsAt: number;

  /** @param ms - milliseconds from now */
  constructor(ms: number) {
    this.#endsAt = performance.now() + ms;
  }

  /** Whole milliseconds that are left, at least 1. */
  get remaining(): number {
    return Math.max(1, Math.floor(this.#endsAt - performance.now()));
  }

  /**
   * Waits for work that sends nothing to the service.
   *
   * @throws Refusal when time runs out
   */
  async wait<T>(work: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = new Promise<never>((_, reject) => {
      const late = () => reject(new Refusal('timeout', 'The request took too long.'));
      timer = setTimeout(late, this.remaining);
    });
    try {
      return await Promise.race([work, end]);
    } finally {
      clearTimeout(timer);
    }
  }
}

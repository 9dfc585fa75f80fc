import { requireWait } from './numbers.js';

/** How long responses wait, in milliseconds of real time: all of them, or those of one endpoint. */
export class Latency {
  readonly #msById = new Map<string, number>();

  /**
   * Sets the delay of an endpoint or a route; `*`: of every other one.
   *
   * @throws TypeError for a delay that a timer does not accept
   */
  set(id: string, ms: number): void {
    this.#msById.set(id, requireWait('latency', ms));
  }

  /** Returns the delay of an endpoint, a route, or anything else. */
  of(id: string | undefined): number {
    return this.#msById.get(id ?? '*') ?? this.#msById.get('*') ?? 0;
  }

  /** Removes all delays. */
  clear(): void {
    this.#msById.clear();
  }
}

/** Waits in real time, or until the caller aborts. */
export function delay(ms: number, signal: AbortSignal): Promise<void> | undefined {
  if (ms === 0) return undefined;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

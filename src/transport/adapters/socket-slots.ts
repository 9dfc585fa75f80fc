/**
 * Limits the requests to one host that are under way. The others wait here, in the order in which
 * they came, rather than in the queue of Node's agent: that one gives a waiting request a connection
 * which has carried another, cannot be left, and fails as a whole when no file handle is free.
 */
export class SocketSlots {
  readonly #limit: number;
  /** Lower than the limit while the system has no handle left. */
  #capacity: number;
  #taken = 0;
  readonly #waiting = new Set<() => void>();
  /** Requests that have had a slot, and got no handle. They come first. */
  readonly #withoutHandle = new Set<() => void>();

  constructor(limit: number) {
    this.#limit = limit;
    this.#capacity = limit;
  }

  /** Takes a slot, if one is free. */
  take(): boolean {
    if (this.#taken >= this.#capacity) return false;
    this.#taken++;
    return true;
  }

  /**
   * Calls `start` when a slot has been taken for it.
   *
   * @returns a function that leaves the queue; no effect once `start` has been called
   */
  wait(start: () => void): () => void {
    this.#waiting.add(start);
    return () => this.#waiting.delete(start);
  }

  /** Returns the slot of a request that has ended. */
  release(): void {
    this.#taken--;
    // After a shortage of handles, one request more at a time.
    if (this.#withoutHandle.size === 0) {
      this.#capacity = Math.min(this.#limit, this.#capacity + 1);
    }
    for (const queue of [this.#withoutHandle, this.#waiting]) {
      for (const start of queue) {
        if (!this.take()) return;
        queue.delete(start);
        start();
      }
    }
  }

  /**
   * Returns the slot of a request for which the system had no handle, and calls `start` when another
   * request to this host has ended.
   *
   * @returns a function that leaves the queue; `undefined` where no other request holds a slot, so
   *   that waiting is useless
   */
  waitForHandle(start: () => void): (() => void) | undefined {
    if (this.#taken <= 1) return undefined;
    this.#taken--;
    this.#capacity = this.#taken;
    this.#withoutHandle.add(start);
    return () => this.#withoutHandle.delete(start);
  }
}

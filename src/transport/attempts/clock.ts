/** A source of time, so that tests and simulations need not wait. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds on a clock that never jumps. Only differences between two readings mean something. */
  elapsed(): number;
  /**
   * Calls `callback` after `ms` milliseconds. Returns a function that cancels it. `purpose` is
   * `wait` for a pause between attempts or polls, which a test can skip. It is `limit` or absent
   * for a time limit, which may never be reached.
   */
  schedule(callback: () => void, ms: number, purpose?: 'wait' | 'limit' | undefined): () => void;
};

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  schedule: (callback, ms) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** A source of time, so that tests and simulations need not wait. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds on a clock that never jumps; only differences mean something. */
  elapsed(): number;
  /**
   * Calls back after `ms` milliseconds; returns a function that cancels it. The purpose is `wait` for
   * a pause between attempts or polls, which a test can skip, and absent or `limit` for anything that
   * may never be due.
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

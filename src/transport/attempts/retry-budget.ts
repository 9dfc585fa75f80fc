const FULL = 500;

/**
 * Keeps a client from making an outage worse: each retry costs tokens, each call that succeeds at
 * once returns one, and nothing is retried while the bucket is empty.
 */
export class RetryBudget {
  #tokens = FULL;

  /** Takes the cost of a retry; `false` when too few tokens are left. */
  spend(afterTimeout: boolean): boolean {
    const cost = afterTimeout ? 10 : 5;
    if (this.#tokens < cost) return false;
    this.#tokens -= cost;
    return true;
  }

  /** A call succeeded at its first attempt. */
  refund(): void {
    this.#tokens = Math.min(FULL, this.#tokens + 1);
  }
}

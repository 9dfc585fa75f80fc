const FULL = 500;

/**
 * Keeps a client from making an outage worse: each repeat costs tokens, each call that succeeds at
 * once gives one back, and an empty bucket means that nothing is repeated.
 */
export class RetryBudget {
  #tokens = FULL;

  /** Takes what a repeat costs; `false` when there is not enough left. */
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

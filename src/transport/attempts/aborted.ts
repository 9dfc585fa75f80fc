import type { Outcome } from '../../errors/index.js';

/** The caller aborted the call, or the caller's own code threw. The call rejects with the same value. */
export class Aborted {
  constructor(
    readonly reason: unknown,
    readonly outcome: Outcome,
  ) {}
}

import type { Outcome } from '../../errors/index.js';

/** The caller aborted a call, or its own code threw: the call rejects with the reason as it is. */
export class Aborted {
  constructor(
    readonly reason: unknown,
    readonly outcome: Outcome,
  ) {}
}

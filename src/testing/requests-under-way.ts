import { connectionError } from './broken-connections.js';

/** The requests that have no response yet. */
export class RequestsUnderWay {
  readonly #endings = new Set<AbortController>();

  /**
   * Runs a request with a signal that ends it, when its caller gives up or with all others.
   *
   * @throws TypeError, as `fetch` does, when it was ended with all others
   */
  async run<Result>(
    caller: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const ending = new AbortController();
    const giveUp = () => ending.abort(caller.reason);
    if (caller.aborted) giveUp();
    else caller.addEventListener('abort', giveUp);
    this.#endings.add(ending);
    try {
      return await work(ending.signal);
    } catch (error) {
      if (ending.signal.aborted && !caller.aborted) throw connectionError('ECONNRESET');
      throw error;
    } finally {
      caller.removeEventListener('abort', giveUp);
      this.#endings.delete(ending);
    }
  }

  /** Breaks the connections of all. What a request has not begun, it never does. */
  endAll(): void {
    for (const ending of this.#endings) ending.abort();
  }
}

/** The kinds of faults. Each can be switched off, which is how a failing run is made smaller. */
export const FAULT_KINDS = [
  /** A connection that is refused: nothing was sent. */
  'refused',
  /** A connection that breaks before the request is processed, or after. */
  'reset',
  /** A request or a response that gets lost, so that the caller waits until its time limit. */
  'lost',
  /** A request that arrives late, after others, and perhaps when its caller has stopped waiting. */
  'late',
  /** A safe request that something on the way sends a second time. */
  'duplicate',
  /** A body that is cut off. */
  'cut-body',
  /** A body that arrives too slowly, or never completely. */
  'slow-body',
  /** A page of a proxy in front of the service, before the request is processed or after. */
  'proxy-page',
  /** A firewall that replaces the response to a processed request with an error page of its own. */
  'firewall',
  /** A refusal with 429. */
  'rate-limit',
  /** A server error whose text is a refusal, or whose body shows that the service acted. */
  'misleading',
  /** An error that echoes the secrets of the request. */
  'echo',
  /** A success with an unusable body. */
  'bad-body',
  /** A page with 200, of a portal or for maintenance, whether the request was processed or not. */
  'portal',
  /** Words in a 2xx that are not the documented success, whether it was processed or not. */
  'words',
  /** An empty 2xx to a request that moves money, whether it was processed or not. */
  'empty-money',
  /** A redirect to another origin. */
  'redirect',
  /** A session that the service ends. */
  'revoked',
  /** A read that shows what was true some time ago. */
  'lag',
  /** Entries that arrive while a history is read, and move the others to later pages. */
  'arrivals',
  /** A provider of tokens that fails, or hangs. */
  'provider',
  /** A caller that gives up. */
  'abort',
  /** A process that dies in the middle of its work, and starts again. */
  'crash',
  /** A process that dies right before or right after a write of its store. */
  'store-crash',
  /** A store that fails. */
  'store',
  /** Clocks that differ. */
  'skew',
  /** A receiver of webhooks that is down, fails, or gets the same delivery again. */
  'receiver',
  /** A chain that reverts blocks, is congested or lets a transaction fail; nodes that lag. */
  'chain',
  /** A user who declines, is slow, or whose wallet does not respond. */
  'wallet',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

/** The faults that are lies: a response with a success status that is not the service's own word. */
export const LIES = [
  'portal',
  'words',
  'empty-money',
  'bad-body',
  'cut-body',
  'slow-body',
] as const;

/** Which faults have occurred in a run, and how often. */
export class Faults {
  readonly counts = new Map<FaultKind, number>();
  /** How often each lie met each command, by `<kind> <operation>`. */
  readonly lies = new Map<string, number>();
  readonly #without: ReadonlySet<FaultKind>;
  /** Once true, no fault happens any more. */
  isOver = false;

  constructor(without: ReadonlySet<FaultKind>) {
    this.#without = without;
  }

  /**
   * Returns whether a fault that was drawn may happen, and counts it.
   *
   * @param operation - of the command that it meets
   */
  take(kind: FaultKind, operation?: string): boolean {
    if (this.isOver || this.#without.has(kind)) return false;
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    const met = `${kind} ${operation}`;
    const isLie = (LIES as readonly string[]).includes(kind) && operation !== undefined;
    if (isLie) this.lies.set(met, (this.lies.get(met) ?? 0) + 1);
    return true;
  }

  allows(kind: FaultKind): boolean {
    return !this.isOver && !this.#without.has(kind);
  }
}

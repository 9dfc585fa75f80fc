import type { FaultAction, RequestCounter } from './faults.js';
import type { Hold } from './hold.js';
import type { MockRequest } from './requests.js';

/** A planned fault, or a planned hold. */
type Planned<Action> = {
  /** Id of an endpoint or a route; `*`: all. */
  target: string;
  counter: RequestCounter;
  action: Action;
  /** For an error message: `fail card.freeze 503`. */
  label: string;
};

/** Faults of one kind, in the order in which they were planned. At most one takes a request. */
class Plan<Action> {
  readonly #planned: Planned<Action>[] = [];

  add(planned: Planned<Action>): void {
    this.#planned.push(planned);
  }

  /**
   * Returns the fault that takes a request: one with `nth` before one without, and one for the
   * endpoint before one for all.
   */
  take(id: string, request: MockRequest): Action | undefined {
    const concerned = this.#planned.filter(
      // Each of them counts the request, even when another one takes it.
      ({ target, counter }) => (target === id || target === '*') && counter.sees(request),
    );
    const rank = ({ target, counter }: Planned<Action>) =>
      (counter.hasNth ? 0 : 2) + (target === '*' ? 1 : 0);
    const [first] = concerned.sort((one, other) => rank(one) - rank(other));
    first?.counter.use();
    return first?.action;
  }

  get all(): readonly Planned<Action>[] {
    return this.#planned;
  }

  clear(): void {
    this.#planned.length = 0;
  }
}

/** The planned faults and holds of a platform. A request may be held and then fail. */
export class PlannedFaults {
  readonly faults = new Plan<FaultAction>();
  readonly holds = new Plan<Hold>();

  /** Returns the planned fault and hold of a request, and counts them as used. */
  take(
    id: string,
    request: MockRequest,
  ): { hold?: Hold | undefined; fault?: FaultAction | undefined } {
    return { hold: this.holds.take(id, request), fault: this.faults.take(id, request) };
  }

  /** Returns a line for each fault that still waits for a request. */
  unused(): string[] {
    return [...this.faults.all, ...this.holds.all]
      .filter(({ counter }) => counter.remaining > 0)
      .map(({ label, counter }) => `${label} (used ${counter.describe()})`);
  }

  /** Removes all faults. The connection of a request that is held breaks. */
  clear(): void {
    for (const { action } of this.holds.all) action.abandon();
    this.faults.clear();
    this.holds.clear();
  }
}

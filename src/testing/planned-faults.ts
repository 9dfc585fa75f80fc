import { abortReason } from '../contract/formats/abort-reason.js';
import { requireWait } from './check-options.js';
import type { FaultAction, FaultMoment, RequestCounter } from './faults.js';
import type { MockRequest } from './requests.js';

/** Requests that are held until you release them; see `hold`. */
export type HeldRequests = {
  /** Resolves with the first request when it is held: from then on, its caller waits. */
  readonly arrived: Promise<MockRequest>;
  /** The requests that have reached the hold so far, oldest first. */
  readonly requests: readonly MockRequest[];
  /** Releases the held requests. Requests that arrive later are not held. */
  release(): void;
};

/** A gate that holds requests, before they are processed or after. */
export class Hold {
  readonly moment: FaultMoment;
  readonly requests: MockRequest[] = [];
  readonly arrived: Promise<MockRequest>;
  #announce: (request: MockRequest) => void = () => {};
  #waiting: (() => void)[] = [];
  #isReleased = false;

  constructor(moment: FaultMoment) {
    this.moment = moment;
    this.arrived = new Promise((resolve) => {
      this.#announce = resolve;
    });
  }

  /** The hold as a test sees it. */
  get handle(): HeldRequests {
    const { arrived, requests } = this;
    return { arrived, requests, release: () => this.release() };
  }

  /** Waits until the request is released. Throws the reason of the signal when it is ended. */
  async holdBack(request: MockRequest, signal: AbortSignal): Promise<void> {
    this.requests.push(request);
    if (this.#isReleased) {
      this.#announce(request);
      return;
    }
    await new Promise<void>((proceed, breakOff) => {
      this.#waiting.push(proceed);
      signal.addEventListener('abort', () => breakOff(abortReason(signal)));
      this.#announce(request);
    });
  }

  release(): void {
    this.#isReleased = true;
    for (const proceed of this.#waiting) proceed();
    this.#waiting = [];
  }
}

/** How long responses wait, in milliseconds of real time: all of them, or those of one endpoint. */
export class Latency {
  readonly #msById = new Map<string, number>();

  /**
   * Sets the delay of an endpoint or a route; `*`: of every other one.
   *
   * @throws TypeError for a delay that a timer does not accept
   */
  set(id: string, ms: number): void {
    this.#msById.set(id, requireWait('latency', ms));
  }

  /** Returns the delay of an endpoint, a route, or anything else. */
  of(id: string | undefined): number {
    return this.#msById.get(id ?? '*') ?? this.#msById.get('*') ?? 0;
  }

  /** Removes all delays. */
  clear(): void {
    this.#msById.clear();
  }
}

/** Waits in real time, or until the caller aborts. */
export function delay(ms: number, signal: AbortSignal): Promise<void> | undefined {
  if (ms === 0) return undefined;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

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

  /** Removes all faults and holds. */
  clear(): void {
    this.faults.clear();
    this.holds.clear();
  }
}

import { abortReason } from '../contract/formats/abort-reason.js';
import { connectionError } from './broken-connections.js';
import type { FaultMoment } from './faults.js';
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
  #waiting: { proceed: () => void; breakOff: (error: unknown) => void }[] = [];
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

  /** Waits until the request is released. Throws when its caller gives up, or the hold is abandoned. */
  async holdBack(request: MockRequest, signal: AbortSignal): Promise<void> {
    this.requests.push(request);
    if (this.#isReleased) {
      this.#announce(request);
      return;
    }
    await new Promise<void>((proceed, breakOff) => {
      this.#waiting.push({ proceed, breakOff });
      signal.addEventListener('abort', () => breakOff(abortReason(signal)));
      this.#announce(request);
    });
  }

  release(): void {
    this.#isReleased = true;
    for (const { proceed } of this.#waiting) proceed();
    this.#waiting = [];
  }

  /** Breaks the connections of the held requests. */
  abandon(): void {
    this.#isReleased = true;
    for (const { breakOff } of this.#waiting) breakOff(connectionError('ECONNRESET'));
    this.#waiting = [];
  }
}

import type { EndpointId } from '../contract/endpoints.js';
import { nearestName } from '../contract/formats/nearest-name.js';
import type { MockResponse } from './behaviour.js';
import { requireInteger, requireKnownOptions, requireOneOf } from './check-options.js';
import { ENDPOINT_IDS, type ObservedId } from './endpoint-ids.js';
import type { MockRequest } from './requests.js';

/**
 * The requests that a fault concerns: those to an endpoint, by its id; to a route of your own, by the
 * endpoint or by what `serve` returned; or to any of these (`*`). Requests to unknown endpoints and
 * to pages never fail.
 */
export type FaultTarget = EndpointId | ObservedId | '*' | { readonly id: string };

/**
 * Returns the id of a target.
 *
 * @throws Error for any other text, and for a route that is not served: its fault would never occur
 */
export function requireFaultTarget(target: FaultTarget, servedIds: readonly string[]): string {
  const id: unknown = typeof target === 'object' ? target?.id : target;
  const known = [...servedIds, ...ENDPOINT_IDS];
  if (typeof id === 'string' && (id === '*' || known.includes(id))) return id;
  const nearest = nearestName(String(id), known);
  throw new Error(
    `"${String(id)}" is not an endpoint id, and no route of that id is served. The nearest is "${nearest}"`,
  );
}

/**
 * When the connection of a request breaks: before the platform has processed it or after.
 * `mid-body`: after the headers and half of the response's body. `refused`: there is no connection,
 * and the request is not processed.
 */
export type DropMoment = 'before-processing' | 'after-processing' | 'mid-body' | 'refused';

/** Whether a request fails, or is held, before the platform has processed it or after. */
export type FaultMoment = 'before-processing' | 'after-processing';

/** The values of {@link DropMoment}. */
export const DROP_MOMENTS = [
  'before-processing',
  'after-processing',
  'mid-body',
  'refused',
] as const satisfies readonly DropMoment[];

/** The values of {@link FaultMoment}. */
export const FAULT_MOMENTS: readonly FaultMoment[] = ['before-processing', 'after-processing'];

/** An error status of the contract, or of a proxy in front of the service. */
export type ErrorStatus =
  | 400
  | 401
  | 403
  | 404
  | 409
  | 422
  | 429
  | 498
  | 499
  | 500
  | 502
  | 503
  | 504;

/** Any other status, requested explicitly. */
export type UndocumentedStatus = { status: number; isUndocumented: true };

/** How a request fails: a status, or the body of a refusal with status 200. */
export type Failure = ErrorStatus | UndocumentedStatus | { success: false };

/**
 * Returns the status of a failure, and its body where the failure defines one.
 *
 * @throws TypeError for an unknown property, or a status outside 200 to 599
 */
export function statusOf(failure: Failure): { status: number; body?: unknown } {
  if (typeof failure === 'object') {
    requireKnownOptions('fail', failure, ['status', 'isUndocumented', 'success']);
    if (!('status' in failure)) return { status: 200, body: failure };
  }
  return { status: requireStatus(typeof failure === 'object' ? failure.status : failure) };
}

/**
 * Returns a status that a response can have.
 *
 * @throws TypeError for any other value
 */
export function requireStatus(status: unknown): number {
  const isStatus = Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599;
  if (isStatus) return Number(status);
  throw new TypeError('status must be a whole number from 200 to 599');
}

/** The requests to its target that a fault concerns. Default: the next one. */
export type FaultScope = {
  /** How many requests. Default 1. */
  times?: number | undefined;
  /**
   * The first request that the fault concerns, counted from now: 2 lets one pass. Only requests that
   * `user` and `when` select count. Default: the first that no other fault has taken.
   */
  nth?: number | undefined;
  /**
   * Only requests of this user, given by id, e-mail address or object: with an access token of the
   * user, or with the user's e-mail address or id in the input of an endpoint that needs no token.
   */
  user?: { readonly id: string } | string | undefined;
  /**
   * Only requests for which this returns `true`. It is called once for each request to the target that
   * `user` selects, in order, until the fault is used up.
   */
  when?: ((request: MockRequest) => boolean) | undefined;
};

/** The names of the options in {@link FaultScope}. */
export const SCOPE_OPTIONS = ['times', 'nth', 'user', 'when'] as const;

/** Options of `fail`. */
export type FaultOptions = FaultScope & {
  /** JSON body of the response; a string is sent unchanged. Default: the documented body. */
  body?: unknown;
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * `after-processing`: the state changes, but the response reports a failure. Default
   * `before-processing`.
   */
  moment?: FaultMoment | undefined;
  /**
   * Whether the connection breaks after the headers and half of this response's body, so that nobody
   * can read what it says. Default `false`.
   */
  isCutOff?: boolean | undefined;
};

/** Counts the requests that a fault concerns. */
export class RequestCounter {
  readonly #userId: string | undefined;
  readonly #when: ((request: MockRequest) => boolean) | undefined;
  readonly #nth: number | undefined;
  readonly #times: number;
  #seen = 0;
  #used = 0;

  /** @throws TypeError for `times` or `nth` below 1, and for a `when` that is not a function */
  constructor({ times = 1, nth, when }: FaultScope, userId: string | undefined) {
    this.#times = requireInteger('times', times, 1);
    this.#nth = nth === undefined ? undefined : requireInteger('nth', nth, 1);
    this.#userId = userId;
    if (when !== undefined && typeof when !== 'function') {
      throw new TypeError('when must be a function');
    }
    this.#when = when;
  }

  /** Whether the fault is for the nth request, and not for the next one. */
  get hasNth(): boolean {
    return this.#nth !== undefined;
  }

  /** How many requests the fault still waits for. */
  get remaining(): number {
    return this.#times - this.#used;
  }

  /** Counts a request, and returns whether the fault concerns it. */
  sees(request: MockRequest): boolean {
    if (this.remaining === 0) return false;
    if (this.#userId !== undefined && request.userId !== this.#userId) return false;
    if (this.#when !== undefined && !this.#when(request)) return false;
    this.#seen++;
    if (this.#nth === undefined) return true;
    return this.#seen >= this.#nth && this.#seen < this.#nth + this.#times;
  }

  /** Counts a request that the fault has taken. */
  use(): void {
    this.#used++;
  }

  /** Describes how much of the fault was used, for an error message. */
  describe(): string {
    const nth = this.#nth === undefined ? '' : `, nth ${this.#nth}`;
    return `${this.#used} of ${this.#times} times${nth}`;
  }
}

/** The effect of a fault on a request. A response without a body gets the documented one. */
export type FaultAction =
  | { kind: 'fail'; response: MockResponse; moment: FaultMoment; isCutOff: boolean }
  | { kind: 'drop'; moment: DropMoment };

/** Checks the value of `moment`, for callers without types too. */
export const requireFaultMoment = (moment: unknown = 'before-processing'): FaultMoment =>
  requireOneOf('moment', moment, FAULT_MOMENTS);

import { requireKnownOptions, requireOneOf } from './check-options.js';
import { MockControls } from './controls.js';
import {
  DROP_MOMENTS,
  type DropMoment,
  type Failure,
  type FaultAction,
  type FaultMoment,
  type FaultOptions,
  type FaultScope,
  type FaultTarget,
  RequestCounter,
  requireFaultMoment,
  requireFaultTarget,
  SCOPE_OPTIONS,
  statusOf,
} from './faults.js';
import { type HeldRequests, Hold, type Latency, type PlannedFaults } from './planned-faults.js';
import type { ServedRoutes } from './served-routes.js';
import type { Simulation } from './simulation.js';

/** Options of `hold`. */
export type HoldOptions = FaultScope & {
  /**
   * `after-processing`: the state has changed, and the response is held. Default
   * `before-processing`.
   */
  moment?: FaultMoment | undefined;
};

/** The parts of a platform that faults use. */
export type FaultParts = {
  planned: PlannedFaults;
  latency: Latency;
  routes: ServedRoutes;
  /** Ids of the observed calls; empty when the platform does not respond to them. */
  observedIds: readonly string[];
};

function requireStreams(what: string): void {
  if (typeof ReadableStream !== 'undefined') return;
  throw new TypeError(`${what} needs ReadableStream, which this runtime does not have`);
}

/** Faults of a mock platform: failures, broken connections, held requests and latency. */
export class MockFaultControls extends MockControls {
  readonly #parts: FaultParts;

  /** @internal */
  constructor(simulation: Simulation, parts: FaultParts) {
    super(simulation);
    this.#parts = parts;
  }

  /**
   * Fails the next requests to an endpoint or a route of your own (`*`: every one). The failure is a
   * status, sent with the body that the contract documents unless you pass another, or
   * `{ success: false }`, sent with status 200. A status that the contract does not document must be
   * requested explicitly: `{ status: 418, isUndocumented: true }`.
   *
   * @throws TypeError for an unknown option or moment, `times` or `nth` below 1, a status outside
   * 200 to 599, or `isCutOff` in a runtime without `ReadableStream`
   * @throws Error for an unknown target or user
   *
   * @example
   * ```ts
   * mock.fail('card.freeze', 503, { times: 2, headers: { 'retry-after': '1' } });
   * mock.fail('wallets.credit.withdraw', 504, { moment: 'after-processing' }); // the money has moved
   * mock.fail('card.status', 500, { nth: 3, user: ada, when: ({ method }) => method === 'GET' });
   * mock.fail('wallets.internal.linkToCard', { success: false }, { isCutOff: true }); // a lost refusal
   * ```
   */
  fail(target: FaultTarget, failure: Failure, options: FaultOptions = {}): void {
    const id = this.#idOf(target);
    requireKnownOptions('fail', options, [
      ...SCOPE_OPTIONS,
      ...['body', 'headers', 'moment', 'isCutOff'],
    ]);
    const { status, body: ownBody } = statusOf(failure);
    const { body = ownBody, headers = {}, isCutOff = false } = options;
    if (typeof isCutOff !== 'boolean') throw new TypeError('isCutOff must be true or false');
    if (isCutOff) requireStreams('isCutOff');
    const moment = requireFaultMoment(options.moment);
    const response = { status, body, headers };
    this.#plan(id, { kind: 'fail', response, moment, isCutOff }, options, `fail ${id} ${status}`);
  }

  /**
   * Breaks the connection of the next requests to an endpoint or a route of your own (`*`: every one).
   * `mid-body` sends the headers and half of the body first. Default `after-processing`: the service
   * acts, and the response is lost.
   *
   * @throws TypeError for an unknown option or moment, for `times` or `nth` below 1, and for `mid-body`
   * in a runtime without `ReadableStream`
   * @throws Error for an unknown target or user
   *
   * @example
   * ```ts
   * mock.drop('wallets.credit.withdraw'); // the money moves, the response is lost
   * mock.drop('card.status', 'mid-body', { nth: 2 });
   * ```
   */
  drop(
    target: FaultTarget,
    moment: DropMoment = 'after-processing',
    options: FaultScope = {},
  ): void {
    const id = this.#idOf(target);
    requireKnownOptions('drop', options, SCOPE_OPTIONS);
    const action = { kind: 'drop', moment: requireOneOf('moment', moment, DROP_MOMENTS) } as const;
    if (moment === 'mid-body') requireStreams(moment);
    this.#plan(id, action, options, `drop ${id} ${moment}`);
  }

  /**
   * Holds the next request to an endpoint or a route of your own (`*`: every one) until you release it
   * or its caller gives up. A held request may then fail or be dropped, if you plan that as well.
   *
   * @throws TypeError for an unknown option or moment, and for `times` or `nth` below 1
   * @throws Error for an unknown target or user
   *
   * @example
   * ```ts
   * const held = mock.hold('card.freeze');
   * const call = userClient.card.freeze();
   * await held.arrived; // your screen shows that it waits
   * held.release();
   * await call;
   * ```
   */
  hold(target: FaultTarget, options: HoldOptions = {}): HeldRequests {
    const id = this.#idOf(target);
    requireKnownOptions('hold', options, [...SCOPE_OPTIONS, 'moment']);
    const hold = new Hold(requireFaultMoment(options.moment));
    const counter = this.#counterOf(options);
    this.#parts.planned.holds.add({ target: id, counter, action: hold, label: `hold ${id}` });
    return hold.handle;
  }

  /**
   * Delays every response, or those of one endpoint or route of your own, by this many milliseconds of
   * real time. The delay of an endpoint takes precedence over the delay of all.
   *
   * @throws TypeError for a delay that a timer does not accept, Error for an unknown target
   *
   * @example
   * ```ts
   * mock.setLatency(250);
   * mock.setLatency('card.createDetailsToken', 2_000);
   * ```
   */
  setLatency(ms: number): void;
  setLatency(target: FaultTarget, ms: number): void;
  setLatency(...given: [ms: number] | [target: FaultTarget, ms: number]): void {
    const [target, ms] = given.length === 1 ? ['*' as const, given[0]] : given;
    this.#parts.latency.set(this.#idOf(target), ms);
  }

  /**
   * Checks that every planned fault and every hold was used. Without this check, a test passes when
   * the request that should have failed was never sent.
   *
   * @throws Error that lists the faults that were never used, or less often than planned
   *
   * @example
   * ```ts
   * mock.assertFaultsUsed(); // in `afterEach`, before `mock.reset()`
   * ```
   */
  assertFaultsUsed(): void {
    const unused = this.#parts.planned.unused();
    if (unused.length === 0) return;
    throw new Error(`planned faults were not used: ${unused.join('; ')}`);
  }

  #idOf(target: FaultTarget): string {
    const servedIds = this.#parts.routes.known.map(({ id }) => id);
    return requireFaultTarget(target, [...servedIds, ...this.#parts.observedIds]);
  }

  #counterOf(options: FaultScope): RequestCounter {
    const { user } = options;
    const key = typeof user === 'object' ? user.id : user;
    // A user that does not exist would never send a request.
    const userId = key === undefined ? undefined : this.users.get(key).id;
    return new RequestCounter(options, userId);
  }

  #plan(target: string, action: FaultAction, options: FaultScope, label: string): void {
    const counter = this.#counterOf(options);
    this.#parts.planned.faults.add({ target, counter, action, label });
  }
}

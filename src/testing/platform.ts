import type { EndpointId } from '../contract/endpoints.js';
import { throwIfAborted } from '../contract/formats/abort-reason.js';
import { dropTrailing } from '../contract/formats/trailing.js';
import { MockControls } from './controls.js';
import type { MockEvent } from './deliveries.js';
import { type CredentialsById, requireEndpointCredentials } from './endpoint-credentials.js';
import { documentedErrorResponse } from './error-responses.js';
import { type DropMoment, type Failure, type FaultOptions, Faults, statusOf } from './faults.js';
import { requireKnownOptions } from './known-options.js';
import { delay } from './latency.js';
import { requireLoopback } from './loopback.js';
import type { MockCredentials } from './mock-credentials.js';
import { requireInteger, requireWait } from './numbers.js';
import { checkOptions, type MockPlatformOptions } from './options.js';
import { receiveRequest } from './receive-request.js';
import { type MockRequests, RequestLog } from './requests.js';
import { Simulation } from './simulation.js';
import type { MockDelivery, MockSnapshot } from './state.js';
import { DEFAULT_CREDENTIALS } from './tenants.js';
import { requireEndpointId } from './users.js';
import { signWebhook } from './webhook-signature.js';

const DEFAULT_BASE_URL = 'https://mock.card-platform.test';

/** Options of `deliver`. */
export type DeliveryOptions = {
  /** A URL on this machine to send to, instead of the webhook's own. */
  to?: string | undefined;
};

/**
 * An in-memory platform for tests: the contract's state machines behind a `fetch`. Its clock moves
 * only when you move it, and its ids are the same in every run.
 *
 * @example
 * ```ts
 * import { CardPlatformClient } from 'card-platform-sdk';
 * import { createMockPlatform } from 'card-platform-sdk/testing';
 *
 * const mock = createMockPlatform();
 * const ada = mock.users.add({ card: 'ACTIVE' });
 * const client = new CardPlatformClient({
 *   baseUrl: mock.baseUrl,
 *   fetch: mock.fetch,
 *   ...mock.credentials,
 *   accessToken: mock.accessTokenFor(ada),
 * });
 * await client.card.freeze();
 * console.log(mock.users.get(ada.id).card?.status);
 * ```
 */
export class MockPlatform extends MockControls {
  /** Base URL of the platform. */
  readonly baseUrl: string;
  /** Credentials of the first tenant. Spread them into the client's options. */
  readonly credentials: Readonly<MockCredentials>;
  readonly #options: MockPlatformOptions;
  readonly #simulation: Simulation;
  readonly #endpointCredentials: CredentialsById;
  readonly #faults = new Faults();
  #requests = new RequestLog();
  #latencyMs = 0;

  constructor(options: MockPlatformOptions = {}) {
    checkOptions(options);
    const simulation = new Simulation(options);
    super(simulation);
    this.#simulation = simulation;
    this.#options = options;
    this.#endpointCredentials = requireEndpointCredentials(options.endpointCredentials);
    this.baseUrl = dropTrailing(options.baseUrl ?? DEFAULT_BASE_URL, '/');
    this.credentials = Object.freeze({ ...DEFAULT_CREDENTIALS, ...options.credentials });
  }

  /** The received requests, oldest first, with methods to search them. */
  get requests(): MockRequests {
    return this.#requests;
  }

  /**
   * Fails the next requests to an endpoint (`*`: every endpoint). The failure is a status, with the body that
   * the contract documents unless you pass another, or `{ success: false }` with status 200. A status
   * that the contract does not document must be requested explicitly:
   * `{ status: 418, isUndocumented: true }`.
   *
   * @throws TypeError for `times` below 1, or a status outside 200 to 599
   *
   * @example
   * ```ts
   * mock.fail('card.freeze', 503, { times: 2, headers: { 'retry-after': '1' } });
   * ```
   */
  fail(endpointId: EndpointId | '*', failure: Failure, options: FaultOptions = {}): void {
    const { status, body: documentedBody = documentedErrorResponse(endpointId, status).body } =
      statusOf(failure);
    requireKnownOptions('fail', options, ['times', 'body', 'headers']);
    const { times = 1, body = documentedBody, headers = {} } = options;
    const response = { status, body, headers };
    const remaining = requireInteger('times', times, 1);
    this.#faults.plan(requireEndpointId(endpointId), { kind: 'response', response, remaining });
  }

  /**
   * Breaks the connection of the next requests to an endpoint (`*`: every endpoint).
   *
   * @throws TypeError for `times` below 1
   *
   * @example
   * ```ts
   * mock.drop('wallets.credit.withdraw', 'after-processing'); // the money moves, the response is lost
   * ```
   */
  drop(endpointId: EndpointId | '*', moment: DropMoment, options: { times?: number } = {}): void {
    requireKnownOptions('drop', options, ['times']);
    const { times = 1 } = options;
    const remaining = requireInteger('times', times, 1);
    this.#faults.plan(requireEndpointId(endpointId), { kind: 'drop', moment, remaining });
  }

  /**
   * Delays every response by this many milliseconds of real time.
   *
   * @throws TypeError for a delay that a timer does not accept
   *
   * @example
   * ```ts
   * mock.setLatency(250);
   * ```
   */
  setLatency(ms: number): void {
    this.#latencyMs = requireWait('latency', ms);
  }

  /**
   * Delivers an event to every active webhook that subscribes to it, signed with the webhook's key.
   * Returns the deliveries, which you pass to your handler. They are sent by `webhookFetch`, or with
   * `to` to a URL on this machine. Each delivery is in the log of its webhook. The events of the
   * contract need no call: they come when the state changes.
   *
   * @throws Error for `to` on another machine
   *
   * @example
   * ```ts
   * const [delivery] = await mock.deliver({ type: 'card.activated', data: { userId: ada.id } });
   * console.log(delivery?.headers, delivery?.body);
   * ```
   */
  async deliver(event: MockEvent, options: DeliveryOptions = {}): Promise<MockDelivery[]> {
    const to = options.to === undefined ? undefined : requireLoopback(options.to);
    const deliveries = this.#simulation.deliveries.emit(event, to);
    await this.deliveriesSettled();
    return deliveries;
  }

  /** Every attempt to deliver an event to a webhook, oldest first. */
  get deliveries(): readonly MockDelivery[] {
    return this.#simulation.state.deliveries;
  }

  /**
   * Waits until every delivery that was started has got its response.
   *
   * @example
   * ```ts
   * mock.advance('3 seconds'); // the card is activated
   * await mock.deliveriesSettled();
   * console.log(mock.deliveries.at(-1)?.status);
   * ```
   */
  async deliveriesSettled(): Promise<void> {
    await this.#simulation.deliveries.settled();
  }

  /**
   * Returns the body and the headers of a delivery, signed with a webhook's key at the platform's time.
   *
   * @example
   * ```ts
   * const { body, headers } = await mock.signWebhook('whk_test', { type: 'card.activated' });
   * console.log(body, headers);
   * ```
   */
  async signWebhook(
    key: string,
    payload: unknown,
  ): Promise<{ body: string; headers: Record<string, string> }> {
    return signWebhook(key, payload, this.#simulation.clock.now());
  }

  /**
   * Resets everything: users, requests, faults, latency and clock.
   *
   * @example
   * ```ts
   * mock.reset(); // in `afterEach`, for example
   * ```
   */
  reset(): void {
    this.#simulation.reset();
    this.#requests = new RequestLog();
    this.#faults.clear();
    this.#latencyMs = 0;
  }

  /**
   * Returns a snapshot of the state and the clock for {@link restore}.
   *
   * @example
   * ```ts
   * const snapshot = mock.snapshot();
   * await user.card.freeze();
   * mock.restore(snapshot); // the card is active again
   * ```
   */
  snapshot(): MockSnapshot {
    return this.#simulation.snapshot();
  }

  /**
   * Restores a snapshot. Requests and faults are kept.
   *
   * @example
   * ```ts
   * const snapshot = mock.snapshot();
   * mock.restore(snapshot);
   * ```
   */
  restore(snapshot: MockSnapshot): void {
    this.#simulation.restore(snapshot);
  }

  /**
   * Responds to a request. Pass it to the client as its `fetch`.
   *
   * @throws Error for a request to an unknown endpoint; the message names the nearest one
   *
   * @example
   * ```ts
   * const response = await mock.fetch(`${mock.baseUrl}/v1/card/status`);
   * console.log(response.status); // 499: no client key
   * ```
   */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const text = await request.text();
    await delay(this.#latencyMs, request.signal);
    throwIfAborted(request.signal);
    return receiveRequest(request, text, {
      baseUrl: this.baseUrl,
      endpointCredentials: this.#endpointCredentials,
      simulation: this.#simulation,
      options: this.#options,
      faults: this.#faults,
      requests: this.#requests,
    });
  };
}

/**
 * Creates an in-memory platform for tests. See {@link MockPlatform}.
 *
 * @example
 * ```ts
 * import { createMockPlatform } from 'card-platform-sdk/testing';
 *
 * const mock = createMockPlatform({ startsAt: Date.UTC(2026, 0, 1) });
 * mock.users.add({ email: 'ada@example.com', card: 'ACTIVE' });
 * ```
 */
export function createMockPlatform(options: MockPlatformOptions = {}): MockPlatform {
  return new MockPlatform(options);
}

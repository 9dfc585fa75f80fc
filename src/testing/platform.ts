import type { EndpointId } from '../contract/endpoints.js';
import { dropTrailing } from '../contract/formats/trailing.js';
import { type DeliveryOptions, deliver, type MockDelivery, type MockEvent } from './deliveries.js';
import { type DropMoment, type Failure, type FaultOptions, Faults, statusOf } from './faults.js';
import type { MockCredentials } from './guard.js';
import { delay } from './latency.js';
import { requireWait, requireWhole } from './numbers.js';
import { receive } from './receiving.js';
import { documentedRefusal } from './refusals.js';
import { type MockRequests, RequestLog } from './requests.js';
import { MockScene } from './scene.js';
import type { MockPlatformOptions, MockSnapshot } from './set-up.js';
import { requireEndpointId } from './users.js';
import { signWebhook } from './webhook-signature.js';
import { World } from './world.js';

const DEFAULT_BASE_URL = 'https://mock.card-platform.test';

const DEFAULT_CREDENTIALS: MockCredentials = {
  clientKey: 'mock-client-key',
  clientId: 'mock-client-id',
  secretKey: 'mock-secret-key',
};

/**
 * The platform in memory: state machines of the contract behind a `fetch`. Its time moves only when
 * you say so, and its ids are the same in every run.
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
export class MockPlatform extends MockScene {
  /** Where it answers. */
  readonly baseUrl: string;
  /** The credentials that it takes. */
  readonly credentials: Readonly<MockCredentials>;
  readonly #options: MockPlatformOptions;
  readonly #world: World;
  readonly #faults = new Faults();
  #requests = new RequestLog();
  #latencyMs = 0;

  constructor(options: MockPlatformOptions = {}) {
    const world = new World(options);
    super(world);
    this.#world = world;
    this.#options = options;
    this.baseUrl = dropTrailing(options.baseUrl ?? DEFAULT_BASE_URL, '/');
    this.credentials = Object.freeze({ ...DEFAULT_CREDENTIALS, ...options.credentials });
  }

  /** The requests that came, oldest first, with questions to ask of them. */
  get requests(): MockRequests {
    return this.#requests;
  }

  /**
   * Lets the next requests of an endpoint (`*`: of all) fail with a status, in the contract's words
   * unless you give others, or with `{ success: false }` under 200. A status that the contract does
   * not know has to be asked for: `{ status: 418, outsideContract: true }`.
   *
   * @example
   * ```ts
   * mock.fail('card.freeze', 503, { times: 2, headers: { 'retry-after': '1' } });
   * ```
   */
  fail(endpointId: EndpointId | '*', failure: Failure, options: FaultOptions = {}): void {
    const { status, body: said = documentedRefusal(endpointId, status).body } = statusOf(failure);
    const { times = 1, body = said, headers = {} } = options;
    const answer = { status, body, headers };
    const left = requireWhole('times', times, 1);
    this.#faults.plan(requireEndpointId(endpointId), { kind: 'answer', answer, left });
  }

  /**
   * Breaks the connection of the next requests of an endpoint (`*`: of all).
   *
   * @throws TypeError for `times` below 1
   *
   * @example
   * ```ts
   * mock.drop('wallets.credit.withdraw', 'after-processing'); // the money moves, the answer is lost
   * ```
   */
  drop(
    endpointId: EndpointId | '*',
    moment: DropMoment,
    { times = 1 }: { times?: number } = {},
  ): void {
    const left = requireWhole('times', times, 1);
    this.#faults.plan(requireEndpointId(endpointId), { kind: 'drop', moment, left });
  }

  /**
   * Delays every response, in real milliseconds.
   *
   * @throws TypeError for anything that a timer cannot take
   *
   * @example
   * ```ts
   * mock.latency(250);
   * ```
   */
  latency(ms: number): void {
    this.#latencyMs = requireWait('latency', ms);
  }

  /**
   * Tells an event to every active webhook that hears of it, signed with the webhook's key. Gives the
   * deliveries, to be handed to your handler; with `to` they are sent to a URL on this machine as well.
   * The log of each webhook has them.
   *
   * @example
   * ```ts
   * const [delivery] = await mock.deliver({ type: 'card.activated', data: { userId: ada.id } });
   * console.log(delivery?.headers, delivery?.body);
   * ```
   */
  async deliver(event: MockEvent, options: DeliveryOptions = {}): Promise<MockDelivery[]> {
    return deliver(this.#world, event, options);
  }

  /**
   * Body and headers of a delivery, signed with the key of a webhook, at the platform's time.
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
    return signWebhook(key, payload, this.#world.clock.now());
  }

  /**
   * Forgets everything: users, requests, faults and time.
   *
   * @example
   * ```ts
   * mock.reset(); // in `afterEach`, for example
   * ```
   */
  reset(): void {
    this.#world.reset();
    this.#requests = new RequestLog();
    this.#faults.clear();
    this.#latencyMs = 0;
  }

  /**
   * Everything that it remembers now, to {@link restore} later.
   *
   * @example
   * ```ts
   * const scene = mock.snapshot();
   * await user.card.freeze();
   * mock.restore(scene); // the card is as it was
   * ```
   */
  snapshot(): MockSnapshot {
    return this.#world.snapshot();
  }

  /**
   * Goes back to a snapshot. Requests and faults stay.
   *
   * @example
   * ```ts
   * const scene = mock.snapshot();
   * mock.restore(scene);
   * ```
   */
  restore(snapshot: MockSnapshot): void {
    this.#world.restore(snapshot);
  }

  /**
   * Answers a request. Hand it to the client as its `fetch`.
   *
   * @throws Error for a request that no endpoint takes; it names the nearest
   *
   * @example
   * ```ts
   * const answer = await mock.fetch(`${mock.baseUrl}/v1/card/status`);
   * console.log(answer.status); // 499: no client key
   * ```
   */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const text = await request.text();
    await delay(this.#latencyMs, request.signal);
    request.signal.throwIfAborted();
    const { baseUrl, credentials } = this;
    const known = { baseUrl, credentials, world: this.#world, options: this.#options };
    return receive(request, text, { ...known, faults: this.#faults, requests: this.#requests });
  };
}

/**
 * A platform in memory, for tests. See {@link MockPlatform}.
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

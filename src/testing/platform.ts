import { ACCESS_TOKEN_LIFETIME_MS } from '../contract/auth.js';
import type { EndpointId } from '../contract/endpoints.js';
import { dropTrailing } from '../contract/formats/trailing.js';
import { answerRequest, meet, type Surroundings } from './answering.js';
import { type Duration, MockClock, toMilliseconds } from './clock.js';
import { type DeliveryOptions, deliver, type MockDelivery, type MockEvent } from './deliveries.js';
import { emptyState } from './empty-state.js';
import { type DropMoment, type Failure, type FaultOptions, Faults, statusOf } from './faults.js';
import type { MockCredentials } from './guard.js';
import { Identifiers } from './identifiers.js';
import { answerPage } from './pages.js';
import { settle } from './passing-time.js';
import { checkEvmMessage, trustSolanaProof } from './proofs.js';
import { documentedRefusal } from './refusals.js';
import { type MockRequest, type MockRequests, RequestLog } from './requests.js';
import { findRoute } from './routing.js';
import type { MockPlatformOptions, MockSnapshot } from './set-up.js';
import type { MockState, MockTransaction } from './state.js';
import { MockUsers, requireEndpointId } from './users.js';
import { submitVerification } from './verification.js';
import { signWebhook } from './webhook-signature.js';
import { parseBody, toResponse, unhandled } from './wire.js';

const DEFAULT_BASE_URL = 'https://mock.card-platform.test';
const DEFAULT_START = Date.UTC(2026, 0, 1);
const DEFAULT_SEED = 1;

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
export class MockPlatform {
  /** Where it answers. */
  readonly baseUrl: string;
  /** The credentials that it takes. */
  readonly credentials: Readonly<MockCredentials>;
  /** Its users. */
  readonly users: MockUsers;
  readonly #options: MockPlatformOptions;
  readonly #clock: MockClock;
  readonly #ids: Identifiers;
  readonly #faults = new Faults();
  #requests = new RequestLog();
  #state: MockState;
  #latencyMs = 0;

  constructor(options: MockPlatformOptions = {}) {
    this.#options = options;
    this.baseUrl = dropTrailing(options.baseUrl ?? DEFAULT_BASE_URL, '/');
    this.credentials = Object.freeze({ ...DEFAULT_CREDENTIALS, ...options.credentials });
    this.#clock = new MockClock(options.startsAt ?? DEFAULT_START);
    this.#ids = new Identifiers(options.seed ?? DEFAULT_SEED);
    this.#state = emptyState(options.chainConfig);
    this.users = new MockUsers(() => this.#state, this.#clock, this.#ids);
  }

  /** Everything that it remembers: read it, or change it to set a scene. */
  get state(): MockState {
    return this.#state;
  }

  /** Its time, in milliseconds since 1970. */
  get now(): number {
    return this.#clock.now();
  }

  /** The requests that came, oldest first, with questions to ask of them. */
  get requests(): MockRequests {
    return this.#requests;
  }

  /** Moves its time on: `advance('10 minutes')`, or milliseconds. */
  advance(duration: Duration): void {
    this.#clock.advance(toMilliseconds(duration));
    settle(this.#state, this.#clock);
  }

  /**
   * Lets the next requests of an endpoint (`*`: of all) fail with a status, in the contract's words
   * unless you give others, or with `{ success: false }` under 200. A status that the contract does not know has to be asked for:
   * `{ status: 418, outsideContract: true }`.
   */
  fail(endpointId: EndpointId | '*', failure: Failure, options: FaultOptions = {}): void {
    const { status, body: said = documentedRefusal(endpointId, status).body } = statusOf(failure);
    const { times = 1, body = said, headers = {} } = options;
    const answer = { status, body, headers };
    this.#faults.plan(requireEndpointId(endpointId), { kind: 'answer', answer, left: times });
  }

  /** Breaks the connection of the next requests of an endpoint (`*`: of all). */
  drop(
    endpointId: EndpointId | '*',
    moment: DropMoment,
    { times = 1 }: { times?: number } = {},
  ): void {
    this.#faults.plan(requireEndpointId(endpointId), { kind: 'drop', moment, left: times });
  }

  /** Lets every answer take so long, in real milliseconds. */
  latency(ms: number): void {
    this.#latencyMs = ms;
  }

  /** An access token for a user, as a login would give it. */
  accessTokenFor({ id }: { id: string }): string {
    const accessToken = `access_${this.#ids.hex(40)}`;
    const expiresAt = this.#clock.now() + ACCESS_TOKEN_LIFETIME_MS;
    this.#state.sessions.push({ accessToken, userId: this.users.get(id).id, expiresAt });
    return accessToken;
  }

  /** The one-time password that was sent to a user last; `undefined` when none is valid. */
  otpFor({ id }: { id: string }): string | undefined {
    const valid = this.#state.otps.filter(({ expiresAt }) => expiresAt > this.#clock.now());
    return valid.findLast(({ userId }) => userId === id)?.code;
  }

  /**
   * The user completes the provider's session: the verification is `PENDING`, and has its result
   * after ten minutes of the platform's time.
   */
  verify({ id }: { id: string }, result: 'VERIFIED' | 'REJECTED' = 'VERIFIED'): void {
    submitVerification(this.users.get(id), this.#clock, result);
  }

  /** Ends the provisioning of a card at once. */
  provision({ id }: { id: string }): void {
    const { card } = this.users.get(id);
    if (card === null) throw new Error('this user has ordered no card');
    card.activeAt = this.#clock.now();
    settle(this.#state, this.#clock);
  }

  /** Adds transactions to a wallet, newest first. */
  addTransactions(
    { id }: { id: string },
    walletId: string,
    transactions: readonly MockTransaction[],
  ): void {
    const user = this.users.get(id);
    user.transactions[walletId] = [...transactions, ...(user.transactions[walletId] ?? [])];
  }

  /** Sets the status of an order, as the payment gateway does. */
  settleOrder(orderId: string, status: string): void {
    const order = this.#state.users
      .flatMap(({ orders }) => orders)
      .find((o) => o.orderId === orderId);
    if (order === undefined) throw new Error(`there is no order "${orderId}" on this platform`);
    order.status = status;
    if (status === 'COMPLETED')
      order.paidAt = this.#clock.iso().replace('T', ' ').replace('Z', '+00');
  }

  /**
   * Tells an event to every active webhook that hears of it, signed with the webhook's key. Gives the
   * deliveries, to be handed to your handler; with `to` they are sent to a URL on this machine as well.
   * The log of each webhook has them.
   */
  async deliver(event: MockEvent, options: DeliveryOptions = {}): Promise<MockDelivery[]> {
    const known = { state: this.#state, clock: this.#clock, ids: this.#ids };
    return deliver(known, event, options);
  }

  /** Body and headers of a delivery, signed with the key of a webhook, at the platform's time. */
  async signWebhook(
    key: string,
    payload: unknown,
  ): Promise<{ body: string; headers: Record<string, string> }> {
    return signWebhook(key, payload, this.#clock.now());
  }

  /** Forgets everything: users, requests, faults and time. */
  reset(): void {
    this.#state = emptyState(this.#options.chainConfig);
    this.#requests = new RequestLog();
    this.#faults.clear();
    this.#clock.set();
    this.#ids.reset();
    this.#latencyMs = 0;
  }

  /** Everything that it remembers now, to {@link restore} later. */
  snapshot(): MockSnapshot {
    return { state: structuredClone(this.#state), now: this.#clock.now(), ids: this.#ids.state };
  }

  /** Goes back to a snapshot. Requests and faults stay. */
  restore(snapshot: MockSnapshot): void {
    this.#state = structuredClone(snapshot.state);
    this.#clock.set(snapshot.now);
    this.#ids.reset(snapshot.ids);
  }

  /**
   * Answers a request. Hand it to the client as its `fetch`.
   *
   * @throws Error for a request that no endpoint takes; it names the nearest
   */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const text = await request.text();
    await this.#wait(request.signal);
    request.signal.throwIfAborted();
    return this.#answer(request, text);
  };

  async #wait(signal: AbortSignal): Promise<void> {
    if (this.#latencyMs === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#latencyMs);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  async #answer(request: Request, text: string): Promise<Response> {
    const url = new URL(request.url);
    const base = new URL(this.baseUrl);
    const pathname = url.pathname.slice(base.pathname === '/' ? 0 : base.pathname.length);
    const isOurs = url.origin === base.origin;
    const { method } = request;
    const visited = { method, path: pathname, query: url.searchParams, text };
    const shown = isOurs ? answerPage(this.#state, this.#clock, visited) : undefined;
    if (shown !== undefined) return shown;
    const route = isOurs ? findRoute(method, pathname) : undefined;
    const body = parseBody(text);
    const entry: MockRequest = {
      operation: route?.endpoint.id as EndpointId | undefined,
      method,
      path: `${pathname}${url.search}`,
      headers: Object.fromEntries(request.headers),
      body,
      status: undefined,
    };
    this.#requests.push(entry);
    if (route === undefined) throw unhandled(method, url, pathname);
    const fault = this.#faults.take(route.endpoint.id);
    const { headers } = request;
    const arrived = { route, headers, query: url.searchParams, body };
    const answer = await meet(fault, () => answerRequest(this.#surroundings(), arrived));
    entry.status = answer.status;
    return toResponse(answer, this.#clock.now());
  }

  #surroundings(): Surroundings {
    const { verifyEvmProof, verifySolanaProof, additions = [] } = this.#options;
    return {
      state: this.#state,
      clock: this.#clock,
      ids: this.#ids,
      baseUrl: this.baseUrl,
      credentials: this.credentials,
      proofs: {
        evm: verifyEvmProof ?? checkEvmMessage,
        solana: verifySolanaProof ?? trustSolanaProof,
      },
      additions,
    };
  }
}

/** A platform in memory, for tests. See {@link MockPlatform}. */
export function createMockPlatform(options: MockPlatformOptions = {}): MockPlatform {
  return new MockPlatform(options);
}

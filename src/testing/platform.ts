import type { Endpoint } from '../contract/endpoint.js';
import { throwIfAborted } from '../contract/formats/abort-reason.js';
import { dropTrailing } from '../contract/formats/trailing.js';
import { requireKnownOptions } from './check-options.js';
import { type CardPlatformClient, createClientFor, type MockClientOptions } from './client-for.js';
import { type CredentialsById, requireEndpointCredentials } from './credentials.js';
import { MockDeliveryControls } from './delivery-controls.js';
import { OBSERVED_IDS } from './endpoint-ids.js';
import type { FaultParts } from './fault-controls.js';
import { MockObserved } from './observed/mock-observed.js';
import {
  checkFunctions,
  checkOptions,
  credentialsOf,
  type MockPlatformOptions,
} from './options.js';
import { Latency, PlannedFaults } from './planned-faults.js';
import { receiveRequest } from './receive-request.js';
import { type MockRequests, RequestLog } from './requests.js';
import { RequestsUnderWay } from './requests-under-way.js';
import {
  type EndpointCall,
  type EndpointResponse,
  type MaybePromise,
  type PathParam,
  type RouteCall,
  type RouteMethod,
  type RouteOptions,
  type RouteResponse,
  requireEndpoint,
  routeOf,
  type ServedRoute,
  ServedRoutes,
} from './served-routes.js';
import { readSnapshot, Simulation } from './simulation.js';
import type { MockCredentials, MockSnapshot } from './state.js';

const DEFAULT_BASE_URL = 'https://mock.card-platform.test';

/**
 * An in-memory platform for tests: the contract's state machines behind a `fetch`. Its clock moves
 * only with `advance` and with waits on it, and its ids are the same in every run. So are its tokens,
 * except that `reset` and `restore` change those that follow.
 *
 * @example
 * ```ts
 * import { createMockPlatform } from 'card-platform-sdk/testing';
 *
 * const mock = createMockPlatform();
 * const ada = mock.users.add({ card: 'ACTIVE' });
 * const client = mock.clientFor(ada);
 * await client.card.freeze();
 * console.log(mock.users.get(ada.id).card?.status);
 * ```
 */
export class MockPlatform extends MockDeliveryControls {
  /** Base URL of the platform. */
  readonly baseUrl: string;
  /** Credentials of the first tenant. Spread them into the client's options. */
  readonly credentials: Readonly<MockCredentials>;
  /** Whether the platform responds to the calls beyond the contract. */
  readonly isObserved: boolean;
  #options: MockPlatformOptions;
  readonly #simulation: Simulation;
  readonly #endpointCredentials: CredentialsById;
  readonly #parts: FaultParts;
  #requests = new RequestLog();
  readonly #underWay = new RequestsUnderWay();

  constructor(options: MockPlatformOptions = {}) {
    checkOptions(options);
    const simulation = new Simulation(options);
    const parts = {
      planned: new PlannedFaults(),
      latency: new Latency(),
      routes: new ServedRoutes(),
      observedIds: options.observed === true ? OBSERVED_IDS : [],
    };
    super(simulation, parts);
    this.#parts = parts;
    this.#simulation = simulation;
    this.#options = options;
    this.isObserved = options.observed === true;
    this.#endpointCredentials = requireEndpointCredentials(
      options.endpointCredentials,
      parts.observedIds,
    );
    this.baseUrl = dropTrailing(options.baseUrl ?? DEFAULT_BASE_URL, '/');
    this.credentials = Object.freeze(credentialsOf(options));
  }

  /**
   * Returns a client of a user: logged in, with the credentials of the user's tenant, on the
   * platform's `fetch` and `clock`.
   *
   * @param of - the user, as `users.add` and `users.get` return it
   * @param options - any options of a client, in place of these
   * @throws Error for an unknown user, TypeError for anything that is not a user, ConfigurationError
   *   for an option that is not valid
   *
   * @example
   * ```ts
   * const client = mock.clientFor(ada, { retry: false });
   * console.log((await client.card.status()).status);
   * ```
   */
  clientFor(of: { id: string }, options: MockClientOptions = {}): CardPlatformClient {
    const { id } = Object(of) as Partial<typeof of>;
    if (typeof id !== 'string') {
      throw new TypeError(
        'clientFor: pass a user: what users.add returned, or mock.users.get(idOrEmail)',
      );
    }
    const user = this.users.get(id);
    const { baseUrl, fetch, clock } = this;
    const credentials = this.tenants.get(user.tenant);
    const accessToken = this.accessTokenFor(user);
    const isUs = user.environment === 'us';
    const platform = { baseUrl, fetch, clock, credentials };
    return createClientFor(platform, { accessToken, isUs }, options);
  }

  /** The received requests, oldest first, with methods to search them. */
  get requests(): MockRequests {
    return this.#requests;
  }

  /**
   * Serves a route of your own: an endpoint, or a method and a path template. It takes precedence
   * over the platform's own endpoints, so it can replace one. Its requests are in `requests`, and
   * it can fail and be held like any endpoint. A route of an endpoint checks its credentials.
   *
   * @param endpoint - an endpoint of `defineEndpoint` or of the contract: input and response have
   *   its types
   * @param handler - returns status, body and headers, or a `Response`
   * @param options - `credentials` to check instead
   * @returns the route: a target for `fail`, `drop`, `hold` and `setLatency`
   * @throws TypeError for anything that is not an endpoint, a path template or a handler
   *
   * @example
   * ```ts
   * import { defineEndpoint } from 'card-platform-sdk/endpoints';
   * import * as z from 'zod/mini';
   *
   * const pausePayout = defineEndpoint({
   *   id: 'payouts.pause',
   *   method: 'POST',
   *   path: '/v1/payouts/{payoutId}',
   *   retry: 'never',
   *   input: z.strictObject({ payoutId: z.string() }),
   *   output: z.object({ state: z.string() }),
   * });
   * mock.serve(pausePayout, ({ input }) => ({ body: { state: `paused ${input.payoutId}` } }));
   * mock.serve('GET', '/v1/limits/{limitId}', ({ params }) => ({ body: { id: params.limitId } }));
   * ```
   */
  serve<Input, Output>(
    endpoint: Endpoint<Input, Output>,
    handler: (call: EndpointCall<Input>) => MaybePromise<EndpointResponse<Output>>,
    options?: RouteOptions,
  ): ServedRoute;
  serve<const Path extends string>(
    method: RouteMethod,
    path: Path,
    handler: (call: RouteCall<PathParam<Path>>) => MaybePromise<RouteResponse>,
    options?: RouteOptions,
  ): ServedRoute;
  serve(...given: unknown[]): ServedRoute {
    const isPath = typeof given[0] === 'string';
    const [handler, options = {}] = given.slice(isPath ? 2 : 1);
    const endpoint = isPath ? routeOf(given[0], given[1]) : requireEndpoint(given[0]);
    const remove = this.#parts.routes.add(endpoint, handler, options as RouteOptions);
    return { id: endpoint.id, remove };
  }

  /**
   * Sets the functions that check proofs, in place of the ones in the options. `mockChains` of
   * `card-platform-sdk/testing/wallets` calls it.
   *
   * @throws TypeError for an unknown property, or anything that is not a function
   *
   * @example
   * ```ts
   * mock.verifyProofs({
   *   verifySolanaProof: ({ amount }) =>
   *     amount === '0' ? { field: 'amount', message: 'Nothing was approved' } : undefined,
   * });
   * ```
   */
  verifyProofs(verifiers: Pick<MockPlatformOptions, 'verifyEvmProof' | 'verifySolanaProof'>): void {
    requireKnownOptions('verifyProofs', verifiers, ['verifyEvmProof', 'verifySolanaProof']);
    checkFunctions(verifiers);
    this.#options = { ...this.#options, ...verifiers };
  }

  /**
   * The controls of the observed calls: the codes that were sent, a sign-in on the hosted
   * page, rewards. The platform must be created with `observed: true`.
   *
   * @throws Error when the platform does not respond to the observed calls
   *
   * @example
   * ```ts
   * console.log(mock.observed.codeFor('new@example.com'));
   * ```
   */
  get observed(): MockObserved {
    if (!this.isObserved) {
      throw new Error(
        'the observed calls are off: pass observed: true to createMockPlatform, or --observed to the sandbox',
      );
    }
    return new MockObserved(this.#simulation, this.users, this.baseUrl);
  }

  /**
   * Resets the state, the requests, the faults, the latency, your own routes and the clock. The
   * connections of requests under way break, and no token or authorization code is issued again, so
   * none of an earlier test is valid in the next. Ids, keys of webhooks and codes of six digits may be
   * the same. Deliveries without a response end. Waits on the clock never end. The functions of
   * `verifyProofs`, the listeners of `onTimeChange` and the chains
   * of `mockChains` stay as they are.
   *
   * A client may retry a request whose connection breaks. The platform takes that for a new request:
   * it is in `requests`, uses up planned faults and moves the clock, and one without an access token
   * may change the state. Await or abort every call before you reset, or pass `retry: false`.
   *
   * @example
   * ```ts
   * mock.reset(); // in `afterEach`, for example
   * ```
   */
  reset(): void {
    this.clearClock();
    this.#requests = new RequestLog();
    this.#parts.planned.clear();
    this.#underWay.endAll();
    this.#parts.latency.clear();
    this.#parts.routes.clear();
    // Last, because it calls the listeners of `onTimeChange`, which may throw.
    this.#simulation.reset();
  }

  /**
   * Returns a snapshot of the state and the clock for {@link restore}.
   *
   * @example
   * ```ts
   * const snapshot = mock.snapshot();
   * await userClient.card.freeze();
   * mock.restore(snapshot); // the card is active again
   * ```
   */
  snapshot(): MockSnapshot {
    return this.#simulation.snapshot();
  }

  /**
   * Restores a snapshot. `requests`, faults, latency and your own routes are kept. The connections
   * of requests under way break, as on `reset`. The tokens of the snapshot are valid; no other that
   * was issued is valid or issued again.
   *
   * @example
   * ```ts
   * const snapshot = mock.snapshot();
   * mock.restore(snapshot);
   * ```
   */
  restore(snapshot: MockSnapshot): void {
    const checked = readSnapshot(snapshot);
    this.#underWay.endAll();
    this.#simulation.restore(checked);
  }

  /**
   * Responds to a request. Pass it to the client as its `fetch`.
   *
   * @throws Error for a request to an unknown endpoint, unless `onUnhandled` is a status; the
   *   message suggests the nearest endpoint
   * @throws TypeError, as `fetch` does, when a planned fault, `reset` or `restore` breaks the
   *   connection
   * @throws the reason of the signal when the caller aborts
   *
   * @example
   * ```ts
   * const response = await mock.fetch(`${mock.baseUrl}/v1/card/status`);
   * console.log(response.status); // 499: no client key
   * ```
   */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    return this.#underWay.run(request.signal, async (signal) => {
      const text = await request.text();
      throwIfAborted(signal);
      return receiveRequest(request, text, {
        signal,
        baseUrl: this.baseUrl,
        endpointCredentials: this.#endpointCredentials,
        simulation: this.#simulation,
        options: this.#options,
        ...this.#parts,
        requests: this.#requests,
        isObserved: this.isObserved,
      });
    });
  };
}

/**
 * Creates an in-memory platform for tests. See {@link MockPlatform}.
 *
 * @throws TypeError for an unknown option, or a value that an option cannot have
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

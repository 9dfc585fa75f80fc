import type { EndpointCredentials } from '../../contract/endpoint-credentials.js';
import type { Additions } from '../../contract/lists.js';
import type { Schema } from '../../contract/schema.js';
import type { FetchFunction, HttpAgent } from '../adapters/choose-adapter.js';
import type { Logger } from '../attempts/attempt-plan.js';
import type { Clock } from '../attempts/clock.js';
import type { Middleware } from '../attempts/middleware.js';
import type { AccessToken } from '../credentials/credentials.js';
import type { Region } from '../request/wire-request.js';
import type { DriftReport } from '../response/drift.js';
import type { Journal } from './journal-option.js';

/** Limits for retries. They apply to requests that are safe to retry; no option retries others. */
export type RetryOptions = {
  /** Retries in one call, at most; 0 to 5. The endpoint's own limit also applies. Default 5. */
  maxRetries?: number | undefined;
  /** First delay in milliseconds, doubled each time, with full jitter. Default 250. */
  baseDelay?: number | undefined;
  /** Longest delay in milliseconds. Default 4,000. */
  maxDelay?: number | undefined;
  /**
   * Longest `Retry-After` to wait for, in milliseconds. Beyond it, the error is thrown at once.
   * Default 30,000.
   */
  maxRetryAfter?: number | undefined;
};

/** Options of a single call. */
export type RequestOptions = {
  /** Aborts the call; it rejects with the signal's own reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds per attempt, headers and body together. */
  timeout?: number | undefined;
  /** Milliseconds over all attempts and the waits between them. */
  totalTimeout?: number | undefined;
  /** Further headers. Credentials, routing and framing cannot be set here. */
  headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** Region of this call. Default: the client's. */
  region?: Region | undefined;
  /** The access token of this call, in place of the client's. */
  accessToken?: AccessToken | undefined;
  /**
   * `false` retries nothing. An object replaces individual settings. `true` keeps the client's
   * settings: if the client has `retry: false`, nothing is retried.
   */
  retry?: boolean | RetryOptions | undefined;
  /** Runs inside the client's middleware, for this call only. */
  middleware?: readonly Middleware[] | undefined;
};

/** Options of a call to a preview endpoint, whose response the contract does not show. */
export type SchemaOption<Output> = {
  /** Any Standard Schema. It types the response, and a response that breaks it is an error. */
  schema: Schema<Output>;
};

/** Options of a client. */
export type ClientOptions = {
  /** URL of the service: https, or http on a loopback host. All credentials go there. */
  baseUrl: string;
  /** `x-client-key`: nearly every endpoint needs it. */
  clientKey?: string | undefined;
  /** `X-Client-ID`: orders need it. */
  clientId?: string | undefined;
  /** `x-secret-key`: consent needs it. Refused in a browser and in React Native. */
  secretKey?: string | undefined;
  /** The user's bearer token, or a function that returns it. */
  accessToken?: AccessToken | undefined;
  /** `us` sends `x-us-env: true` to every endpoint that accepts it. Default `global`. */
  region?: Region | undefined;
  /**
   * `true` for the client of a web page whose `baseUrl` is a proxy on the page's own server, from
   * `createCardProxy` of `card-platform-sdk/server`. The client then has no credentials: the proxy
   * adds them. It sends the cookies of the page, and the error of a failed call has the outcome
   * that the proxy reports. It cannot be combined with a credential or `region`, which the proxy
   * decides. For the same reason, calls and `withAccessToken` accept no access token. Default
   * `false`.
   *
   * @example
   * ```ts
   * import { CardPlatformClient } from 'card-platform-sdk';
   *
   * const user = new CardPlatformClient({
   *   baseUrl: 'https://app.example/api/card-platform',
   *   throughProxy: true,
   * });
   * ```
   */
  throughProxy?: boolean | undefined;
  /** Milliseconds per attempt. Default 15,000; 30,000 for a delegation token with faucet. */
  timeout?: number | undefined;
  /** Milliseconds over all attempts and the waits between them. Default 60,000. */
  totalTimeout?: number | undefined;
  /** `false` retries nothing; an object replaces individual settings. */
  retry?: boolean | RetryOptions | undefined;
  /**
   * Sends requests, called as `(url, init)`. Default: `node:http` on Node, unless something has
   * replaced the global `fetch`, or undici's global dispatcher by anything but a plain `Agent`;
   * elsewhere the global `fetch`. The global `fetch` is looked up at each call.
   */
  fetch?: FetchFunction | undefined;
  /**
   * Node only: the agent of `node:http` or `node:https` that opens connections. For certificates
   * and proxies. Requests that must not be sent twice always get a new connection from it, and
   * leave its idle ones alone. It cannot be combined with `fetch`. Default: connections that are
   * kept alive.
   *
   * @example
   * ```ts
   * import { Agent } from 'node:https';
   * import { CardPlatformClient } from 'card-platform-sdk';
   *
   * const client = new CardPlatformClient({
   *   baseUrl: 'https://api.example.com',
   *   clientKey: 'your-client-key',
   *   agent: new Agent({ keepAlive: true, ca: 'the certificate of your proxy, as PEM' }),
   * });
   * ```
   */
  agent?: HttpAgent | undefined;
  /**
   * Node only: the connections to one host that may be open at the same time, 1 to 65,535. Further
   * requests wait for one within their own `timeout`; a request that ends while it waits was not
   * sent. A lower `maxSockets` of `agent` applies as well. It cannot be combined with `fetch`.
   * Default 256.
   */
  maxSockets?: number | undefined;
  /** Wraps every attempt. The first one is the outermost. */
  middleware?: readonly Middleware[] | undefined;
  /**
   * Receives one line per attempt. Aborted attempts are not logged, nor attempts after whose
   * 401 the token was renewed, or its provider threw. `console` and pino fit.
   */
  logger?: Logger | undefined;
  /** `strict` turns every difference from the contract into an error. Default `tolerant`. */
  responseValidation?: 'strict' | 'tolerant' | undefined;
  /**
   * Called for each difference between a response and the contract (drift), once for each endpoint,
   * path and kind, and for at most 1,000 of them. Errors that it throws are ignored. Without it, and
   * without `strict`, responses are not compared.
   */
  onDrift?: ((report: DriftReport) => void) | undefined;
  /**
   * Networks, currencies and payment methods that the service has added to the contract's lists, the
   * URL schemes of your app (`redirectSchemes`), and the address formats of networks
   * (`addressFormats`).
   */
  additions?: Additions | undefined;
  /**
   * The credentials to send to individual endpoints, instead of the contract's, for a service
   * that is configured differently.
   *
   * **Warning:** the client sends exactly these, and cannot know whether they are right. A wrong
   * list makes the service refuse the call, or sends a credential to a system that should not have
   * it. List `secretKey` only for endpoints that your own server calls.
   *
   * @example
   * ```ts
   * import { CardPlatformClient } from 'card-platform-sdk';
   *
   * const client = new CardPlatformClient({
   *   baseUrl: 'https://api.example.com',
   *   clientKey: 'your-client-key',
   *   endpointCredentials: {
   *     'orders.create': ['clientKey', 'accessToken'],
   *     'consent.createOnboarding': ['clientKey'],
   *   },
   * });
   * ```
   */
  endpointCredentials?: EndpointCredentials | undefined;
  /**
   * Writes an entry before each request that must not be sent twice, and keeps it until the outcome
   * is known. After a crash, or an outcome `unknown`, `client.journal` lists these
   * requests and looks up whether they were executed. Default: no journal.
   *
   * @example
   * ```ts
   * import { CardPlatformClient } from 'card-platform-sdk';
   * import { createJournal, type KeyValueStore } from 'card-platform-sdk/journal';
   *
   * declare const store: KeyValueStore; // for example rows of your database
   *
   * const client = new CardPlatformClient({
   *   baseUrl: 'https://api.example.com',
   *   clientKey: 'your-client-key',
   *   journal: createJournal({ store }),
   * });
   * ```
   */
  journal?: Journal | undefined;
  /** The clock, for tests and simulations. Default: the system clock. */
  clock?: Clock | undefined;
  /** Returns a number from 0 up to 1, for the jitter of waits. Default `Math.random`. */
  random?: (() => number) | undefined;
};

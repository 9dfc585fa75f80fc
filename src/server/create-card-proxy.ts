import type { Endpoint } from '../contract/endpoint.js';
import { isMissing } from '../contract/formats/credential.js';
import { encodeUser, TIME_LEFT_HEADER, USER_HEADER } from '../contract/proxy-headers.js';
import { RequestValidationError } from '../errors/index.js';
import { callHook } from '../transport/response/call-hook.js';
import { SecretValues } from '../transport/response/redact.js';
import { credentialsFor, credentialsOf } from '../transport/send.js';
import { callService, type PageCall } from './call-service.js';
import { refuseOtherSites } from './cross-site.js';
import { decodeInput } from './decode-input.js';
import { pageResponseTo, timeIn } from './error-response.js';
import { matchOperation } from './match-operation.js';
import {
  type CardProxyOptions,
  type ProxySession,
  type ProxySettings,
  requireProxyOptions,
} from './options.js';
import { checkBodyHeaders, readBody } from './read-body.js';
import { Refusal } from './refusal.js';
import { type PageResponse, withoutSecrets, writeResponse } from './responses.js';
import { TimeLimit } from './time-limit.js';

/** A proxy: returns the response to a request of the page. It never rejects. */
export type CardProxy = (request: Request) => Promise<Response>;

const DEFAULT_TIMEOUT_MS = 12_000;
/** How much longer a page's client waits, in milliseconds. */
const MARGIN_MS = 3_000;

/** Whether an operation may do more than read, whatever its verb: a GET can issue a token. */
const isWrite = ({ retry }: Endpoint) => retry.class !== 'safe';

function timeoutOf({ retryWhen }: Endpoint, query: URLSearchParams, timeout: number | undefined) {
  if (timeout !== undefined) return timeout;
  const isSpecial = retryWhen !== undefined && query.get(retryWhen.field) === String(retryWhen.is);
  return isSpecial && retryWhen.timeout !== undefined
    ? retryWhen.timeout - MARGIN_MS
    : DEFAULT_TIMEOUT_MS;
}

/** Milliseconds in which the request of a page may be sent, where it says so. */
function timeLeft(headers: Headers): number {
  const text = headers.get(TIME_LEFT_HEADER);
  if (text === null) return Number.POSITIVE_INFINITY;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new Refusal('request_malformed', 'The time that is left is not a number.');
}

async function readSession(
  { client, session }: ProxySettings,
  request: Request,
  endpoint: Endpoint,
  time: TimeLimit,
): Promise<ProxySession | undefined> {
  // The option `endpointCredentials` of the client may replace those of the contract.
  if (!credentialsFor(client, endpoint).includes('accessToken')) return undefined;
  const read = async () => session(request);
  const found = await time.wait(read()).catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    throw new Refusal('session_failed', 'The session could not be read.', {}, error);
  });
  if (found === undefined || found === null) {
    throw new Refusal('session_missing', 'There is no session: log in.');
  }
  // Without one, the call would carry the token of the client.
  if (isMissing(found.accessToken)) {
    throw new Refusal('session_failed', 'The session could not be read.');
  }
  return found;
}

/** Refuses a call of a page that shows another user: another tab has changed the cookie. */
function refuseOtherUser(headers: Headers, { userId }: Partial<ProxySession> = {}): void {
  const shown = headers.get(USER_HEADER);
  if (shown === null || isMissing(userId) || shown === encodeUser(String(userId))) return;
  throw new Refusal('session_mismatch', 'The session is of another user: log in again.');
}

/** How far a request was read before it failed. */
type Progress = { operation?: string };

/**
 * Checks a request and reads its operation and input. Nothing is sent to the service.
 *
 * @throws Refusal, RequestValidationError
 */
async function readCall(
  settings: ProxySettings,
  request: Request,
  progress: Progress,
): Promise<PageCall> {
  const url = new URL(request.url);
  const operation = matchOperation(request.method, url.pathname, settings);
  const { endpoint } = operation;
  progress.operation = endpoint.id;
  refuseOtherSites(request.headers, url, isWrite(endpoint), settings.sites);
  checkBodyHeaders(request.headers, settings.maxBodyBytes);
  const usual = timeoutOf(endpoint, url.searchParams, settings.timeout);
  const time = new TimeLimit(usual);
  const timeToSend = new TimeLimit(timeLeft(request.headers));
  const session = await readSession(settings, request, endpoint, time);
  refuseOtherUser(request.headers, session);
  const body = await readBody(request, settings.maxBodyBytes, time);
  const input = decodeInput(operation, url.searchParams, body);
  if (request.signal?.aborted) throw new Refusal('page_gone', 'The page has gone.');
  return {
    operation,
    input,
    session,
    asksForUs: request.headers.get('x-us-env') === 'true',
    // A write continues, so that its outcome is known here: closing a page undoes nothing.
    signal: isWrite(endpoint) ? undefined : request.signal,
    timeout: time.requireRemaining(),
    sendWithin: timeToSend.requireRemaining(),
  };
}

/** A failure before anything was sent. */
function notSent(error: unknown): unknown {
  const isExpected = error instanceof Refusal || error instanceof RequestValidationError;
  return isExpected ? error : new Refusal('proxy_failed', 'The proxy failed.', {}, error);
}

function respondToFailure(
  { onFailure }: ProxySettings,
  error: unknown,
  { operation }: Progress,
): PageResponse {
  const response = { ...pageResponseTo(error), date: timeIn(error, operation) };
  const { status, outcome = 'rejected' } = response;
  const isRefusal = error instanceof Refusal;
  callHook(() =>
    onFailure?.({
      operation: isRefusal ? (error.operation ?? operation) : operation,
      status,
      outcome,
      reason: isRefusal ? error.reason : 'call_failed',
      error: isRefusal ? error.cause : error,
    }),
  );
  return response;
}

/**
 * Creates the proxy between a web page and the service, so that keys and access tokens stay on your
 * server. The page uses a client with `throughProxy: true`.
 *
 * The proxy passes on only allowed operations, with only the fields that the operation has, and
 * none of the page's headers. The page gets three of the service's headers: the request id, the date
 * and `retry-after`. It gets the same results and the same classes of errors as from a direct call,
 * with the `outcome` that the proxy determined, but without texts that are for your log. Requests
 * from other sites are refused.
 *
 * A read ends when the page aborts it. Every other call continues once it has been sent, so that
 * `onFailure` gets its outcome: closing a page does not undo anything.
 *
 * @param options - `client` and `session` are required
 * @returns a handler for every framework that uses `Request` and `Response`; `toNodeHandler` adapts
 *   it to Node and Express
 * @throws ConfigurationError that says which option is invalid
 * @example
 * ```ts
 * import { CardPlatformClient } from 'card-platform-sdk';
 * import { createCardProxy } from 'card-platform-sdk/server';
 *
 * const client = new CardPlatformClient({
 *   baseUrl: 'https://api.example.com',
 *   clientKey: 'your-client-key',
 * });
 *
 * export const proxy = createCardProxy({
 *   client,
 *   session: async (request) => readSession(request.headers.get('cookie')),
 *   basePath: '/api/card-platform',
 *   onFailure: ({ operation, outcome, reason, error }) =>
 *     console.warn(operation, outcome, reason, error),
 * });
 *
 * declare function readSession(
 *   cookie: string | null,
 * ): Promise<{ accessToken: string; region: 'us' | 'global' } | undefined>;
 * ```
 */
export function createCardProxy(options: CardProxyOptions): CardProxy {
  const settings = requireProxyOptions(options);
  return async (request) => {
    const progress: Progress = {};
    const tokens: string[] = [];
    const write = (response: PageResponse) => {
      const known = [...credentialsOf(settings.client), ...settings.secrets, ...tokens];
      return writeResponse(withoutSecrets(response, new SecretValues(known)));
    };
    try {
      const call = await readCall(settings, request, progress).catch((error: unknown) => {
        throw notSent(error);
      });
      return write(await callService(settings, call, tokens));
    } catch (error) {
      return write(respondToFailure(settings, error, progress));
    }
  };
}

import { isObject } from '../../contract/formats/is-object.js';
import { type ExchangeFacts, isRedirect } from '../outcome/facts.js';
import { FollowedRedirect, NotAResponse } from '../outcome/failures.js';
import { provesNoConnection } from '../outcome/network-error.js';
import {
  type HttpResponse,
  type ResponseHeaders,
  responseWith,
} from '../response/http-response.js';
import { readingFor } from './body-limits.js';
import { readFetchBody } from './fetch-body.js';
import { redirectFollowed } from './followed-redirect.js';
import type { Exchange, HttpAdapter, HttpRequest } from './http-adapter.js';
import type { Host } from './runtime.js';

/** What the adapter passes to a `fetch` besides the URL. */
export type FetchInit = {
  method: string;
  headers: Record<string, string>;
  body?: string;
  redirect: 'manual';
  signal: AbortSignal;
  cache?: 'no-store';
  credentials?: 'omit' | 'same-origin';
  referrerPolicy?: 'no-referrer';
};

/** Sends one request: a `fetch`, or a function that calls one. */
export type SendByFetch = (url: string, init: FetchInit, request: HttpRequest) => unknown;

/**
 * Options that keep single-use URLs and credentials out of a browser's caches and referrers, by host.
 * React Native has neither, and writes `?_=<time>` into the URL of a GET that names a `cache`.
 */
const PRIVACY = {
  server: {},
  browser: { cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer' },
  'react-native': { credentials: 'omit' },
} as const;

/** The headers of a `Response`. */
function readOnly(headers: Headers): ResponseHeaders {
  return { get: (name) => headers.get(name), toHeaders: () => new Headers(headers) };
}

/**
 * Describes what a `fetch` returned in place of a response; `undefined` for a response. Only the used
 * properties count, not `instanceof`: a `Response` of another realm is one too.
 */
function describeOther(value: unknown): string | undefined {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  const { status, headers } = value as { status?: unknown; headers?: { get?: unknown } };
  const missing = [
    ...(Number.isInteger(status) ? [] : ['a numeric status']),
    ...(typeof headers?.get === 'function' ? [] : ['headers with a get function']),
  ];
  return missing.length === 0 ? undefined : `an object without ${missing.join(' and ')}`;
}

function statusIn(value: unknown): number | undefined {
  const status = isObject(value) ? value['status'] : undefined;
  return Number.isInteger(status) ? Number(status) : undefined;
}

function discard(response: Response): void {
  response.body?.cancel?.().catch(() => {});
}

async function receive(
  returned: unknown,
  facts: ExchangeFacts,
  request: HttpRequest,
  host: Host,
): Promise<HttpResponse> {
  facts.status = statusIn(returned);
  const other = describeOther(returned);
  if (other !== undefined) throw new NotAResponse(other);
  const response = returned as Response;
  const target = redirectFollowed(response, request.url, host);
  if (target !== undefined) {
    discard(response);
    throw new FollowedRedirect(target.origin);
  }
  const { status } = response;
  const headers = readOnly(response.headers);
  if (isRedirect(status)) {
    discard(response);
    return { status, headers, text: '' };
  }
  const { limit, asBytes } = readingFor(status, request);
  return responseWith(status, headers, await readFetchBody(response, limit, asBytes));
}

/**
 * An adapter over a `fetch`. It is called as `(url, init)`, as people who write mocks and proxies
 * expect. A `fetch` does not show its connection, so a failure proves that nothing was
 * sent only where its error says that connecting failed.
 */
export function fetchAdapter(
  send: SendByFetch,
  { isForeign, host = 'server' }: { isForeign: boolean; host?: Host },
): HttpAdapter {
  const start = (request: HttpRequest): Exchange => {
    const facts: ExchangeFacts = { connection: 'unproven', status: undefined };
    const controller = new AbortController();
    const { headers } = request;
    // Asks for a connection of its own, where the runtime honours the header. Browsers refuse it, and in
    // React Native it would reach the native network.
    if (request.onlyOnce && host === 'server') headers['connection'] = 'close';
    const init: FetchInit = {
      method: request.method,
      headers,
      redirect: 'manual',
      signal: controller.signal,
      ...(request.body !== undefined && { body: request.body }),
      ...PRIVACY[host],
      ...(request.sendsCookies && host !== 'server' && { credentials: 'same-origin' }),
    };
    const exchange = async () => {
      let value: unknown;
      try {
        value = await send(request.url, init, request);
      } catch (error) {
        if (provesNoConnection(error)) facts.connection = 'none';
        throw error;
      }
      return receive(value, facts, request, host);
    };
    return { facts, response: exchange(), cancel: () => controller.abort() };
  };
  return { isForeign, start };
}

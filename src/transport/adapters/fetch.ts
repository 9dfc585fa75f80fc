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

/** Sends one request: a `fetch`, or what calls one. */
export type SendByFetch = (url: string, init: FetchInit, request: HttpRequest) => unknown;

/** Options that keep single-use URLs and credentials out of a browser's caches and referrers. */
export const BROWSER_PRIVACY = {
  cache: 'no-store',
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
} as const;

/**
 * By host. React Native has no cache and no referrer to keep out, and writes `?_=<time>` into the URL
 * of a GET that names a `cache`.
 */
const PRIVACY = {
  server: {},
  browser: BROWSER_PRIVACY,
  'react-native': { credentials: 'omit' },
} as const;

/** The headers of a `Response`. */
function readOnly(headers: Headers): ResponseHeaders {
  return { get: (name) => headers.get(name), toHeaders: () => new Headers(headers) };
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  const { status, headers } = value as { status?: unknown; headers?: { get?: unknown } };
  const missing = [
    ...(Number.isInteger(status) ? [] : ['a numeric status']),
    ...(typeof headers?.get === 'function' ? [] : ['headers with a get function']),
  ];
  return `an object without ${missing.join(' and ')}`;
}

// Judged by what is used, not by `instanceof`: a Response of another realm is one too.
function isResponse(value: unknown): value is Response {
  if (typeof value !== 'object' || value === null) return false;
  const { status, headers } = value as { status?: unknown; headers?: { get?: unknown } };
  return Number.isInteger(status) && typeof headers?.get === 'function';
}

function statusIn(value: unknown): number | undefined {
  const { status } = (typeof value === 'object' && value !== null ? value : {}) as {
    status?: unknown;
  };
  return Number.isInteger(status) ? Number(status) : undefined;
}

function discard(response: Response): void {
  response.body?.cancel?.().catch(() => {});
}

async function receive(
  value: unknown,
  facts: ExchangeFacts,
  request: HttpRequest,
  host: Host,
): Promise<HttpResponse> {
  facts.status = statusIn(value);
  if (!isResponse(value)) throw new NotAResponse(describe(value));
  const target = redirectFollowed(value, request.url, host);
  if (target !== undefined) {
    discard(value);
    throw new FollowedRedirect(target.origin);
  }
  const { status } = value;
  const headers = readOnly(value.headers);
  if (isRedirect(status)) {
    discard(value);
    return { status, headers, text: '' };
  }
  const { limit, asBytes } = readingFor(status, request);
  return responseWith(status, headers, await readFetchBody(value, limit, asBytes));
}

/**
 * An adapter over a `fetch`, which is called as `(url, init)`: what people who write mocks and
 * proxies expect. A `fetch` shows no connection, so a failure is proof only where its error says
 * that connecting failed.
 *
 * @param host - in a browser, responses are kept out of its caches
 */
export function fetchAdapter(
  send: SendByFetch,
  { isForeign, host = 'server' }: { isForeign: boolean; host?: Host },
): HttpAdapter {
  const start = (request: HttpRequest): Exchange => {
    const facts: ExchangeFacts = { connection: 'unproven', status: undefined };
    const controller = new AbortController();
    const { headers } = request;
    // A connection of its own, where the runtime heeds it. Browsers refuse the header, and in React
    // Native it would reach the native network.
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

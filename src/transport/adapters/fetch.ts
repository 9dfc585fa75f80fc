import { type ExchangeFacts, isRedirect } from '../outcome/facts.js';
import { NotAResponse } from '../outcome/failures.js';
import { provesNoConnection } from '../outcome/network-error.js';
import {
  type HttpResponse,
  type ResponseHeaders,
  responseWith,
} from '../response/http-response.js';
import { type BodyReading, readingFor } from './body-limits.js';
import { readFetchBody } from './fetch-body.js';
import type { Exchange, HttpAdapter, HttpRequest } from './http-adapter.js';

/** What the adapter passes to a `fetch` besides the URL. */
export type FetchInit = {
  method: string;
  headers: Record<string, string>;
  body?: string;
  redirect: 'manual';
  signal: AbortSignal;
  cache?: 'no-store';
  credentials?: 'omit';
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

async function receive(
  value: unknown,
  facts: ExchangeFacts,
  reading: BodyReading,
): Promise<HttpResponse> {
  facts.status = statusIn(value);
  if (!isResponse(value)) throw new NotAResponse(describe(value));
  const { status } = value;
  const headers = readOnly(value.headers);
  if (isRedirect(status)) {
    value.body?.cancel?.().catch(() => {});
    return { status, headers, text: '' };
  }
  const { limit, asBytes } = readingFor(status, reading);
  return responseWith(status, headers, await readFetchBody(value, limit, asBytes));
}

/**
 * An adapter over a `fetch`, which is called as `(url, init)`: what people who write mocks and
 * proxies expect. A `fetch` shows no connection, so a failure is proof only where its error says
 * that connecting failed.
 *
 * @param inBrowser - adds the options that keep responses out of a browser's caches
 */
export function fetchAdapter(
  send: SendByFetch,
  { isForeign, inBrowser = false }: { isForeign: boolean; inBrowser?: boolean },
): HttpAdapter {
  const start = (request: HttpRequest): Exchange => {
    const facts: ExchangeFacts = { connection: 'unproven', status: undefined };
    const controller = new AbortController();
    const { headers } = request;
    // A connection of its own, where the runtime heeds it. Browsers refuse the header.
    if (request.onlyOnce && !inBrowser) headers['connection'] = 'close';
    const init: FetchInit = {
      method: request.method,
      headers,
      redirect: 'manual',
      signal: controller.signal,
      ...(request.body !== undefined && { body: request.body }),
      ...(inBrowser && BROWSER_PRIVACY),
    };
    const exchange = async () => {
      let value: unknown;
      try {
        value = await send(request.url, init, request);
      } catch (error) {
        if (provesNoConnection(error)) facts.connection = 'none';
        throw error;
      }
      return receive(value, facts, request);
    };
    return { facts, response: exchange(), cancel: () => controller.abort() };
  };
  return { isForeign, start };
}

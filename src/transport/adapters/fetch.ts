import ky from 'ky';
import { isObject } from '../../contract/formats/is-object.js';
import { fitsUtf8 } from '../../contract/formats/utf8-length.js';
import {
  BodyMissing,
  BodyNotText,
  BodyTooLong,
  FollowedRedirect,
  NotAResponse,
  provesNoConnection,
} from '../outcome/network-error.js';
import { type ExchangeFacts, isRedirect } from '../outcome/outcome.js';
import {
  type HttpResponse,
  type ResponseHeaders,
  responseWith,
  targetOrigin,
} from '../response/http-response.js';
import {
  type Exchange,
  type HttpAdapter,
  type HttpRequest,
  readingFor,
  refuseLostBody,
} from './http-adapter.js';
import { type Host, isNode } from './runtime.js';

/**
 * Sends through ky, over the global `fetch` of the runtime. Deadlines, retries and errors depend on
 * the endpoint and are ours, so ky's own are off.
 */
export const sendByKy: SendByFetch = (url, init) =>
  ky(url, { ...init, retry: 0, timeout: false, throwHttpErrors: false });

/** Decodes percent-encoded text, and leaves escapes that are not UTF-8. */
function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes.toUpperCase();
    }
  });
}

/** Origin, path and query. The URL of a response has no fragment, or one that belongs to the same response. */
const PARTS = /^([^/?#]*\/\/[^/?#]*)([^?#]*)([^#]*)/;

/** Whether two URLs are the same. A native network spells one its own way: OkHttp sends `'` as `%27`. */
function isSameUrl(one: string, other: string): boolean {
  if (one === other) return true;
  // Decoded part by part, so that an encoded slash or question mark separates nothing.
  const parts = (url: string) => {
    const [, origin = '', path = '', query = ''] = PARTS.exec(url) ?? [];
    return [origin.toLowerCase(), decoded(path), decoded(query)].join('\n');
  };
  return parts(one) === parts(other);
}

/**
 * Finds out whether a `fetch` followed a redirect although it was told not to. React Native's does,
 * and only the URL of the response shows it: `redirected` is undefined.
 *
 * @returns the origin of the target, where it is known; `undefined` where none was followed
 */
function redirectFollowed(
  response: Response,
  requestUrl: string,
  host: Host,
): { origin: string | undefined } | undefined {
  const { url, redirected } = response as Partial<Response>;
  // A fetch that reports redirects and has followed none may have asked a proxy at another URL.
  if (redirected === false && host !== 'react-native') return undefined;
  // A response that was made in memory has no URL.
  const isElsewhere = typeof url === 'string' && url !== '' && !isSameUrl(url, requestUrl);
  if (redirected !== true && !isElsewhere) return undefined;
  return { origin: typeof url === 'string' ? targetOrigin(url, requestUrl) : undefined };
}

// Made when it is first needed: a runtime without it must still be able to load this file.
let decoder: TextDecoder | undefined;

function decode(bytes: Uint8Array): string {
  decoder ??= new TextDecoder('utf-8', { fatal: true });
  try {
    return decoder.decode(bytes);
  } catch {
    throw new BodyNotText();
  }
}

/** A body: text, or a copy of its bytes that nothing else refers to. */
type Body = string | Uint8Array<ArrayBuffer>;

function join(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    // Anything else would be read as zeros.
    if (!ArrayBuffer.isView(chunk)) throw new BodyMissing('stream', true);
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

function textOf(chunks: readonly Uint8Array[], length: number): string {
  return decode(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : join(chunks, length));
}

async function readStream(
  stream: ReadableStream<Uint8Array>,
  limit: number,
  asBytes: boolean,
): Promise<Body> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) {
      return asBytes ? join(chunks, length) : textOf(chunks, length);
    }
    length += value.byteLength;
    if (length > limit) {
      reader.cancel().catch(() => {});
      throw new BodyTooLong(limit);
    }
    chunks.push(value);
  }
}

/** The length of the body that a response announces, in bytes; 0 where it announces none. */
function announcedLength({ headers }: Partial<Response>): number {
  const length = String(headers?.get('content-length'));
  return /^\d+$/.test(length) ? Number(length) : 0;
}

async function readWhole(response: Pick<Response, 'text'>, limit: number): Promise<string> {
  const text: unknown = await response.text();
  // On iOS, React Native turns a body that is not UTF-8 into `null`.
  if (typeof text !== 'string') throw new BodyMissing('text', true);
  if (!fitsUtf8(text, limit)) throw new BodyTooLong(limit);
  // Streams and the standard `text()` drop the byte order mark. React Native may not.
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

async function readWholeBytes(
  response: Pick<Response, 'arrayBuffer'>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const buffer: ArrayBuffer = await response.arrayBuffer();
  // Not instanceof: the buffer may come from another realm.
  if (Object.prototype.toString.call(buffer) !== '[object ArrayBuffer]') {
    throw new BodyMissing('arrayBuffer', true);
  }
  if (buffer.byteLength > limit) throw new BodyTooLong(limit);
  return new Uint8Array(buffer);
}

/**
 * Reads the body of a `Response` as text, or as the bytes that it consists of. A stream is counted in
 * decoded bytes as it arrives, because a compressed body of a few bytes may unpack to gigabytes. A
 * runtime without streams, such as React Native, hands over the whole body: the announced length is
 * checked first, and the bytes are counted when they are in memory.
 *
 * @param limit - bytes after decompression
 * @throws BodyTooLong, BodyNotText, BodyMissing, or what the stream throws when the connection breaks
 */
export function readFetchBody(response: Response, limit: number, asBytes = false): Promise<Body> {
  const { body, text, arrayBuffer } = response as Partial<Response>;
  if (body === null) return Promise.resolve(asBytes ? new Uint8Array() : '');
  // Without a TextDecoder, `text()` of the response decodes.
  const isDecodable = asBytes || typeof TextDecoder === 'function' || typeof text !== 'function';
  if (typeof body?.getReader === 'function' && isDecodable) return readStream(body, limit, asBytes);
  if (announcedLength(response) > limit) return Promise.reject(new BodyTooLong(limit));
  if (asBytes) {
    if (typeof arrayBuffer === 'function') return readWholeBytes(response, limit);
  } else if (typeof text === 'function') return readWhole(response, limit);
  return Promise.reject(new BodyMissing(asBytes ? 'arrayBuffer' : 'text'));
}

/** What the adapter passes to a `fetch` besides the URL. */
type FetchInit = {
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
 * Options that keep single-use URLs and credentials out of a browser's caches and referrers, by
 * host. React Native has neither, and adds `?_=<time>` to the URL of a GET that sets `cache`.
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

/** Whether only the closed connection marks the end of a body, as far as the headers show it. */
function endsByClose({ headers }: Response): boolean {
  // Without this word, HTTP/2 may have marked the end: the fetch of Node 26 speaks it by itself.
  const closes = /(?:^|[\s,])close(?:$|[\s,])/i.test(headers.get('connection') ?? '');
  // Node 20 also ends a chunked body that breaks off so.
  return closes && headers.get('content-length') === null;
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
  const body = await readFetchBody(response, limit, asBytes);
  refuseLostBody(status, body.length, () => endsByClose(response));
  return responseWith(status, headers, body);
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
    // React Native it would reach the native network. Node's fetch never sends a POST again, and it takes a
    // body that breaks off for a whole one if the server agrees to close.
    if (request.onlyOnce && host === 'server' && !isNode()) headers['connection'] = 'close';
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

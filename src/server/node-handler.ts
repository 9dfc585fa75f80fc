import { isObject } from '../contract/formats/is-object.js';
import type { CardProxy } from './create-card-proxy.js';
import { HOST } from './cross-site.js';
import { pageResponseTo } from './error-response.js';
import { bodyConsumed, malformed, Refusal } from './refusal.js';
import { writeResponse } from './responses.js';

/** The part of an `IncomingMessage` that the adapter reads; Express's request fits too. */
export type NodeRequest = {
  readonly method?: string | undefined;
  /** The target of the request, unchanged. */
  readonly url?: string | undefined;
  /** The target before a router of Express or Connect removed its mount path. */
  readonly originalUrl?: string | undefined;
  readonly rawHeaders: readonly string[];
  readonly headers: { readonly host?: string | undefined };
  readonly socket: object;
  /** Whether something has read the body. */
  readonly readableDidRead: boolean;
  /** The result of a body parser. */
  readonly body?: unknown;
  /** Adds a listener for an event of the body. */
  on(event: string, listener: (value: Uint8Array) => void): unknown;
  /** Removes a listener. */
  off(event: string, listener: (value: Uint8Array) => void): unknown;
  /** Stops reading the body. */
  pause(): unknown;
  /** Continues to read the body, also to discard it. */
  resume(): unknown;
};

/** The part of a `ServerResponse` that the adapter uses. */
export type NodeResponse = {
  statusCode: number;
  readonly headersSent: boolean;
  readonly writableFinished: boolean;
  /** Sets a header of the response. */
  setHeader(name: string, value: string): unknown;
  /** Sends the body and ends the response. */
  end(body?: string): unknown;
  /** Adds a listener for the end of the response. */
  on(event: string, listener: () => void): unknown;
};

/** A handler for `node:http`, Express and Connect. */
export type NodeHandler = (request: NodeRequest, response: NodeResponse) => Promise<void>;

/** A path that every reader of URLs understands in the same way, and a query. */
const TARGET = /^(?!\/\/)(?:\/(?!\.{1,2}(?:[/?]|$))[\w.~!$&'()*+,;=:@%-]*)+(?:\?[^\s#\\]*)?$/;

function urlOf(request: NodeRequest): string {
  const { url = '', originalUrl = url, headers, rawHeaders, socket } = request;
  const { host = '' } = headers;
  // Node keeps the first of several. Something in front of it may have checked another one.
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  const isOnce = names.filter((name) => name.toLowerCase() === 'host').length === 1;
  if (!isOnce || !HOST.test(host)) throw malformed('Host header');
  // No browser sends a target such as http://other.example/, or one with dot segments.
  if (!TARGET.test(originalUrl) || /%(?:2e|2f|5c|00)/i.test(originalUrl.split('?')[0] ?? '')) {
    throw malformed('path');
  }
  return `${'encrypted' in socket ? 'https' : 'http'}://${host}${originalUrl}`;
}

function headersOf({ rawHeaders }: NodeRequest): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '');
  }
  return headers;
}

/** Streams the body. A page that sends faster than the body is read must wait. */
function streamOf(request: NodeRequest): ReadableStream<Uint8Array> {
  let stop = () => {};
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const listeners = {
        data: (chunk: Uint8Array) => {
          controller.enqueue(new Uint8Array(chunk));
          if (Number(controller.desiredSize) <= 0) request.pause();
        },
        end: () => finish(() => controller.close()),
        error: () => finish(() => controller.error(malformed('body'))),
        close: () => finish(() => controller.error(malformed('body'))),
      };
      stop = () => {
        for (const [event, listener] of Object.entries(listeners)) request.off(event, listener);
        // Nobody waits for the error of a connection that breaks later.
        request.on('error', () => {});
      };
      const finish = (end: () => void) => {
        stop();
        end();
      };
      for (const [event, listener] of Object.entries(listeners)) request.on(event, listener);
    },
    pull: () => void request.resume(),
    cancel() {
      stop();
      request.pause();
    },
  });
}

/** The body that a parser such as `express.json()` has read, as text again. */
function parsedBody({ body }: NodeRequest): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return new Uint8Array(body);
  if (isObject(body)) return JSON.stringify(body);
  throw bodyConsumed();
}

function bodyOf(request: NodeRequest, headers: Headers): RequestInit {
  const length = headers.get('content-length');
  const hasBody = headers.has('transfer-encoding') || (length !== null && length !== '0');
  if (!hasBody) return {};
  if (request.method === 'GET') {
    throw new Refusal('request_malformed', 'A GET request must not have a body.');
  }
  if (request.readableDidRead) return { body: parsedBody(request) };
  const streamed: RequestInit & { duplex: 'half' } = { body: streamOf(request), duplex: 'half' };
  return streamed;
}

function toRequest(request: NodeRequest, signal: AbortSignal): Request {
  const { method = 'GET' } = request;
  // `Request` refuses some of the others, and no operation uses them.
  if (!/^(?:GET|POST|PUT|PATCH|DELETE)$/.test(method)) {
    throw new Refusal('method_not_allowed', 'The proxy does not allow this method.');
  }
  const headers = headersOf(request);
  return new Request(urlOf(request), { method, headers, signal, ...bodyOf(request, headers) });
}

async function respond(request: NodeRequest, response: NodeResponse, proxy: CardProxy) {
  const page = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) page.abort();
  });
  try {
    return await proxy(toRequest(request, page.signal));
  } catch (error) {
    const isRefusal = error instanceof Refusal;
    return writeResponse(pageResponseTo(isRefusal ? error : malformed('request')));
  }
}

/**
 * Adapts a proxy to `node:http`, Express and Connect. `basePath` is the path that the page sees,
 * also inside a router. Works before and after `express.json()`.
 *
 * Paths that programs read in different ways are refused: absolute URLs, dot segments, doubled slashes,
 * backslashes, and encoded dots, slashes and nulls.
 *
 * @param proxy - from `createCardProxy`
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { CardPlatformClient } from 'card-platform-sdk';
 * import { createCardProxy, toNodeHandler } from 'card-platform-sdk/server';
 *
 * const client = new CardPlatformClient({
 *   baseUrl: 'https://api.example.com',
 *   clientKey: 'your-client-key',
 * });
 * const proxy = createCardProxy({
 *   client,
 *   session: (request) => readSession(request.headers.get('cookie')),
 * });
 * const server = createServer(toNodeHandler(proxy));
 *
 * declare function readSession(
 *   cookie: string | null,
 * ): Promise<{ accessToken: string; region: 'us' | 'global' } | undefined>;
 * ```
 */
export function toNodeHandler(proxy: CardProxy): NodeHandler {
  return async (request, response) => {
    const { status, headers, body } = await respond(request, response, proxy);
    // Something else has responded meanwhile, such as a time limit of the server.
    if (response.headersSent) return;
    response.statusCode = status;
    headers.forEach((value, name) => void response.setHeader(name, value));
    response.end(await new Response(body).text());
  };
}

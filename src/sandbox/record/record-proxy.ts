import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { isHtml } from '../../contract/formats/html.js';
import { pairsOf } from '../../testing/query.js';
import { createAccess, isHostRepeated } from '../access.js';
import { readBytes, startServer, stopServer } from '../http.js';
import type { Body, Exchange, Headers } from './exchange.js';
import type { Recording } from './recording.js';
import { bodyFor, findRecorded } from './routes.js';

/** The longest body that is read, in bytes. */
const LONGEST_BODY = 4 * 1024 * 1024;

const FORM_TYPE = /^application\/x-www-form-urlencoded(?:[;,]|$)/i;

const LIMIT = { maxOutputLength: LONGEST_BODY };

function decompressed(bytes: Buffer, encoding: string): Buffer {
  if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipSync(bytes, LIMIT);
  if (encoding === 'br') return brotliDecompressSync(bytes, LIMIT);
  if (encoding === 'deflate') return inflateSync(bytes, LIMIT);
  if (encoding === 'identity' || encoding === '') return bytes;
  throw new Error('the encoding is not known');
}

/** Reads a body. `undefined` stands for one that is longer than the limit. */
export function readBodyOf(bytes: Buffer | undefined, headers: Headers): Body {
  if (bytes === undefined) return { kind: 'too-large' };
  if (bytes.length === 0) return { kind: 'empty' };
  let text: string;
  try {
    const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
    text = decompressed(bytes, encoding)
      .toString('utf8')
      .replace(/^\ufeff/, '');
  } catch {
    return { kind: 'unreadable' };
  }
  if (text.trim() === '') return { kind: 'empty' };
  if (FORM_TYPE.test(headers['content-type'] ?? '')) {
    return { kind: 'form', json: Object.fromEntries(pairsOf(text)) };
  }
  try {
    return { kind: 'json', json: JSON.parse(text) };
  } catch {
    // A client distinguishes pages from other texts.
    return { kind: isHtml(text) ? 'page' : 'not-json' };
  }
}

/** A running proxy. */
type RecordProxy = { url: string; stop: () => Promise<void> };

/** Only this machine and its pages: whoever reaches the proxy reaches the service. */
const ACCESS = createAccess({});

/** Headers of a connection: each side of the proxy has its own (RFC 9110, section 7.6.1). */
const CONNECTION_HEADERS = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Returns the raw headers to pass on, in their order and spelling. */
function passedHeaders({ rawHeaders, headers }: IncomingMessage, dropped: readonly string[]) {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const own = new Set([...CONNECTION_HEADERS, ...named, ...dropped]);
  const passed: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (!own.has(name.toLowerCase())) passed.push(name, value);
  }
  return passed;
}

function plainHeaders(message: IncomingMessage): Headers {
  const entries = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(entries);
}

function refuse(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ error }));
}

/**
 * Returns the path of a request at the service, as the app wrote it; `undefined` for one that leads
 * out of the path of the base URL, or to another host.
 */
export function pathAtService(service: URL, target: string): string | undefined {
  if (!target.startsWith('/')) return undefined;
  const base = service.pathname.replace(/\/$/, '');
  const path = `${base}${target}`;
  const href = `${service.origin}${path}`;
  const url = URL.canParse(href) ? new URL(href) : undefined;
  const isInside = url?.origin === service.origin && url.pathname.startsWith(`${base}/`);
  return isInside ? path : undefined;
}

/** Sends a request over a new connection, because an idle one may break just when it is used again. */
function send(
  service: URL,
  path: string,
  message: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const start = service.protocol === 'https:' ? httpsRequest : httpRequest;
    const passed = passedHeaders(message, ['host', 'content-length', 'expect']);
    const headers = ['Host', service.host, ...passed];
    const hasLength = body.length > 0 || message.headers['content-length'] !== undefined;
    const request = start(service, {
      path,
      method: message.method,
      headers: hasLength ? [...headers, 'Content-Length', String(body.length)] : headers,
      agent: false,
    });
    request.once('response', resolve).once('error', reject);
    request.end(body);
  });
}

/** Passes a response on while it arrives. Returns its body; `undefined` when it is too long to record. */
async function passOn(from: IncomingMessage, to: ServerResponse): Promise<Buffer | undefined> {
  to.writeHead(from.statusCode ?? 502, from.statusMessage, passedHeaders(from, []));
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of from as AsyncIterable<Buffer>) {
    length += chunk.byteLength;
    if (length <= LONGEST_BODY) chunks.push(chunk);
    to.write(chunk);
  }
  to.end();
  return length > LONGEST_BODY ? undefined : Buffer.concat(chunks);
}

async function handle(
  service: URL,
  recording: Recording,
  message: IncomingMessage,
  response: ServerResponse,
  isObserved: boolean,
): Promise<void> {
  if (isHostRepeated(message)) return refuse(response, 400, 'the Host header must not be repeated');
  if (!ACCESS.isForAllowedHost(message.headers))
    return refuse(response, 421, 'the Host header must name this machine');
  if (ACCESS.isFromForeignPage(message.headers) || ACCESS.isCrossSite(message))
    return refuse(response, 403, 'only pages of this machine may send requests');
  const target = message.url ?? '/';
  const path = pathAtService(service, target);
  if (path === undefined)
    return refuse(response, 400, 'the path must stay below the path of --service');
  const sent = await readBytes(message, LONGEST_BODY);
  if (sent === undefined)
    return refuse(response, 413, `a request body may have at most ${LONGEST_BODY} bytes`);
  let received: IncomingMessage;
  try {
    received = await send(service, path, message, sent);
  } catch {
    recording.addBroken();
    return refuse(
      response,
      502,
      'the service did not respond, and may have acted: check before you send the request again',
    );
  }
  let body: Buffer | undefined;
  try {
    body = await passOn(received, response);
  } catch {
    recording.addBroken();
    return void response.destroy();
  }
  // A preflight request of a browser is not a call.
  if (message.method === 'OPTIONS') return;
  recording.add(exchangeOf(message, target, sent, received, body, isObserved));
}

function exchangeOf(
  message: IncomingMessage,
  target: string,
  sent: Buffer,
  received: IncomingMessage,
  body: Buffer | undefined,
  isObserved: boolean,
): Exchange {
  const { method = 'GET' } = message;
  const [path = '/', ...search] = target.split('?');
  const headers = plainHeaders(message);
  const responseHeaders = plainHeaders(received);
  const requestBody = readBodyOf(sent, headers);
  const route = findRecorded(method, path, requestBody, isObserved);
  return {
    method,
    path,
    query: pairsOf(search.join('?')),
    request: { headers, body: bodyFor(route, requestBody) },
    response: {
      status: received.statusCode ?? 0,
      headers: responseHeaders,
      body: bodyFor(undefined, readBodyOf(body, responseHeaders)),
    },
    route,
  };
}

/**
 * Starts a proxy on 127.0.0.1 that passes requests to the service and records them.
 *
 * @param isObserved - whether the recording also recognises the observed calls
 */
export async function startRecordProxy(
  service: URL,
  port: number,
  recording: Recording,
  isObserved: boolean,
): Promise<RecordProxy> {
  const server = createServer((message, response) => {
    // The app hung up before its request was complete: nothing was sent, so nothing is recorded.
    handle(service, recording, message, response, isObserved).catch(() => response.destroy());
  });
  const boundPort = await startServer(server, port, '127.0.0.1');
  return { url: `http://127.0.0.1:${boundPort}`, stop: () => stopServer(server) };
}

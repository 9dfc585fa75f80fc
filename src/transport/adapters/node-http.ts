import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import type * as zlib from 'node:zlib';
import {
  BodyNotText,
  BodyTooLong,
  failureCode,
  provesNoConnection,
} from '../outcome/network-error.js';
import { type ExchangeFacts, isRedirect } from '../outcome/outcome.js';
import {
  type HttpResponse,
  type ResponseHeaders,
  responseWith,
} from '../response/http-response.js';
import {
  type BodyReading,
  type Exchange,
  type HttpAdapter,
  type HttpRequest,
  readingFor,
  refuseLostBody,
} from './http-adapter.js';
import {
  beforeCancel,
  beforeConnection,
  type NodeAgents,
  type NodeModules,
  type SocketSlots,
  watchConnection,
} from './node-connections.js';

type Decompress = (
  bytes: Uint8Array,
  options: { maxOutputLength: number },
  done: (error: Error | null, result: Buffer) => void,
) => void;

// A Map, because the name comes from the wire: `constructor` is a property of every object.
const DECOMPRESSORS: ReadonlyMap<string, keyof typeof zlib> = new Map([
  ['gzip', 'gunzip'],
  ['x-gzip', 'gunzip'],
  ['deflate', 'inflate'],
  ['br', 'brotliDecompress'],
  ['zstd', 'zstdDecompress' as keyof typeof zlib],
]);

function collect(message: IncomingMessage, limit: number): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    message.on('data', (chunk: Buffer) => {
      length += chunk.byteLength;
      chunks.push(chunk);
      if (length <= limit) return;
      message.destroy();
      reject(new BodyTooLong(limit));
    });
    message.on('end', () => resolve(chunks));
    message.on('error', reject);
    message.on('close', () => {
      // An error is expensive to make, and a message that has ended closes as well.
      if (!message.complete) reject(new Error('the connection closed inside the body'));
    });
  });
}

function decompress(bytes: Buffer, run: Decompress, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    run(bytes, { maxOutputLength: limit }, (error, result) => {
      if (error === null) resolve(result);
      else
        reject(
          Reflect.get(error, 'code') === 'ERR_BUFFER_TOO_LARGE' ? new BodyTooLong(limit) : error,
        );
    });
  });
}

/** The content codings of a message, in the order in which they were applied. */
function codingsOf({ headers }: IncomingMessage): string[] {
  const codings = headers['content-encoding'];
  return codings === undefined ? [] : codings.split(',').map((name) => name.trim().toLowerCase());
}

/**
 * Whether only the closed connection marks the end of a body (RFC 9112). Node itself sees whether a
 * chunked body, or one with a length, is whole.
 */
function endsByClose({ headers, httpVersion }: IncomingMessage): boolean {
  // A message that a mock made in memory has no version, and was never sent.
  if (!httpVersion) return false;
  const coding = headers['transfer-encoding'];
  return coding === undefined
    ? headers['content-length'] === undefined
    : !/(?:^|[\s,])chunked\s*$/i.test(coding);
}

/**
 * Reads the body of a message as text, or as the bytes that it consists of. A body with an
 * unknown content coding is left as it is, as `fetch` does.
 *
 * @param limit - bytes, before and after decompression
 * @throws BodyTooLong, BodyNotText, or what the connection or the decompression reports
 */
export async function readNodeBody(
  message: IncomingMessage,
  { zlib: modules, buffer }: NodeModules,
  limit: number,
  asBytes = false,
): Promise<string | Uint8Array<ArrayBuffer>> {
  const chunks = await collect(message, limit);
  refuseLostBody(message.statusCode ?? 0, chunks.length, () => endsByClose(message));
  let bytes =
    chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : buffer.Buffer.concat(chunks);
  for (const coding of codingsOf(message).reverse()) {
    const run = modules[DECOMPRESSORS.get(coding) as keyof typeof modules] as
      | Decompress
      | undefined;
    if (bytes.byteLength > 0 && typeof run === 'function')
      bytes = await decompress(bytes, run, limit);
  }
  // A copy, because a Buffer is a window on memory that others use too.
  if (asBytes) return new Uint8Array(bytes);
  if (!buffer.isUtf8(bytes)) throw new BodyNotText();
  const text = bytes.toString();
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Codes of failures to connect that pass when another connection is closed. */
const SHORTAGES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL']);

/** Connections in a row that have carried another request before an agent counts as useless. */
const MOST_USED_CONNECTIONS = 16;

function headersOf({ headers: parsed, rawHeaders }: IncomingMessage): ResponseHeaders {
  return {
    get: (name) => {
      const value = parsed[name.toLowerCase()];
      return value === undefined ? null : String(value);
    },
    // Created on demand: `Headers` loads half of Node's fetch.
    toHeaders: () => {
      const headers = new Headers();
      for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
        headers.append(String(rawHeaders[i]), String(rawHeaders[i + 1]));
      }
      return headers;
    },
  };
}

async function receive(
  message: IncomingMessage,
  facts: ExchangeFacts,
  modules: NodeModules,
  reading: BodyReading,
): Promise<HttpResponse> {
  const { statusCode: status = 0 } = message;
  facts.connection = 'established';
  facts.status = status;
  const headers = headersOf(message);
  if (!isRedirect(status)) {
    const { limit, asBytes } = readingFor(status, reading);
    return responseWith(status, headers, await readNodeBody(message, modules, limit, asBytes));
  }
  // Without a listener it reports no error, and nothing of a redirect is worth reading.
  message.destroy();
  return { status, headers, text: '' };
}

type Address = { protocol: string; host: string; hostname: string; port: string; path: string };

function addressOf(url: string): Address {
  const { protocol, host, hostname, port, pathname, search } = new URL(url);
  // An IPv6 address has brackets in a URL, and none for a socket.
  const name = hostname.replace(/^\[|\]$/g, '');
  return { protocol, host, hostname: name, port, path: pathname + search };
}

/** One exchange, from the wait for a connection to the end of the response. */
class NodeExchange implements Exchange {
  readonly facts: ExchangeFacts = { connection: 'none', status: undefined };
  readonly response: Promise<HttpResponse>;
  readonly #request: HttpRequest;
  readonly #modules: NodeModules;
  readonly #agents: NodeAgents;
  readonly #slots: SocketSlots;
  readonly #options: RequestOptions & { protocol: string };
  #resolve!: (response: HttpResponse) => void;
  #reject!: (failure: unknown) => void;
  /** The request of Node. Another one takes its place when its connection cannot be used. */
  #sent: ClientRequest | undefined;
  #hasSlot = false;
  #leaveQueue: (() => void) | undefined;
  #isCancelled = false;
  #usedConnections = 0;

  constructor(request: HttpRequest, modules: NodeModules, agents: NodeAgents) {
    const { protocol, host, ...address } = addressOf(request.url);
    const { method, headers } = request;
    this.#request = request;
    this.#modules = modules;
    this.#agents = agents;
    this.#slots = agents.slotsOf(`${protocol}//${host}`);
    this.#options = { ...address, protocol, method, headers };
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    if (request.onlyOnce) headers['connection'] = 'close';
    if (this.#slots.take()) this.#openWithSlot();
    else this.#wait((start) => this.#slots.wait(start));
  }

  cancel(): void {
    const failure = new Error('cancelled');
    this.#isCancelled = true;
    this.#leaveQueue?.();
    this.#reject(failure);
    if (this.#sent === undefined) return;
    beforeCancel(this.#sent, this.facts);
    this.#sent.destroy(failure);
    this.#releaseUnlessConnected();
  }

  /** Waits for a slot; returns whether it can be had by waiting. */
  #wait(enter: (start: () => void) => (() => void) | undefined): boolean {
    // A promise keeps the async context of the call, which an instrumentation reads in `#open`.
    const slot = new Promise<void>((resolve) => {
      this.#leaveQueue = enter(resolve);
    });
    if (this.#leaveQueue === undefined) return false;
    this.#hasSlot = false;
    this.#sent = undefined;
    slot.then(() => {
      if (this.#isCancelled) this.#slots.release();
      else this.#openWithSlot();
    });
    return true;
  }

  #openWithSlot(): void {
    this.#hasSlot = true;
    this.#leaveQueue = undefined;
    this.#open();
  }

  #open(): void {
    const { body, headers, onlyOnce } = this.#request;
    const { protocol } = this.#options;
    const { http, https, buffer } = this.#modules;
    // Node adds no framing to the body of a DELETE.
    if (body !== undefined) headers['content-length'] = String(buffer.Buffer.byteLength(body));
    try {
      // Looked up with each request, so that an instrumentation or a mock which patches it is used.
      const { request } = protocol === 'https:' ? https : http;
      const sent = this.#agents.open(protocol, onlyOnce, (agent) =>
        request({ ...this.#options, agent }),
      );
      this.#sent = sent;
      beforeConnection(sent, this.facts, this.#modules);
      sent.on('response', (message) => this.#receive(message));
      sent.on('error', (error) => this.#fail(sent, error));
      sent.on('socket', (socket) => this.#connect(sent, socket));
      sent.on('close', () => this.#close(sent));
      // As text and before the end, because Node then sends headers and body with one plain write.
      if (body !== undefined) sent.write(body);
      sent.end();
    } catch (error) {
      this.#reject(error);
      this.#release();
    }
  }

  #connect(sent: ClientRequest, socket: Socket): void {
    const isUsed = sent.reusedSocket || socket.bytesWritten > 0;
    if (!this.#request.onlyOnce || !isUsed) {
      watchConnection(socket, this.facts, this.#modules, () => this.#maySend(sent));
    } else {
      // The queue of the caller's agent hands out used connections. Nothing of this request has been
      // written yet: the connection is closed, which makes room for a new one.
      this.#usedConnections++;
      if (this.#usedConnections < MOST_USED_CONNECTIONS) this.#open();
      else this.#reject(new Error('the agent opens no new connection'));
      sent.destroy();
    }
  }

  /** Whether there is still time, now that there is a connection; closes the connection if not. */
  #maySend(sent: ClientRequest): boolean {
    try {
      this.#request.requireMaySend?.();
      return true;
    } catch (error) {
      this.#reject(error);
      sent.destroy();
      return false;
    }
  }

  async #receive(message: IncomingMessage): Promise<void> {
    try {
      this.#resolve(await receive(message, this.facts, this.#modules, this.#request));
    } catch (error) {
      this.#reject(error);
    }
    this.#releaseUnlessConnected();
  }

  #close(sent: ClientRequest): void {
    if (sent !== this.#sent) return;
    // Node reports neither a response nor an error when a server switches protocols unasked.
    if (this.facts.status === undefined) this.#reject(new Error('the connection closed'));
    // The agent takes the connection back after this event, and only then can it be used again.
    queueMicrotask(() => this.#release());
  }

  #fail(sent: ClientRequest, error: Error): void {
    if (sent !== this.#sent) return;
    const { facts } = this;
    if (facts.connection === 'unproven' && provesNoConnection(error)) facts.connection = 'none';
    const isShort = facts.connection === 'none' && SHORTAGES.has(failureCode(error));
    if (isShort && this.#hasSlot && !this.#isCancelled && this.#tryAgain()) return;
    this.#reject(error);
    this.#releaseUnlessConnected();
  }

  /** Connects again, at once or when another request has ended; returns whether that may help. */
  #tryAgain(): boolean {
    if (!this.#agents.closeIdle()) {
      return this.#wait((start) => this.#slots.waitForHandle(start));
    }
    this.#open();
    return true;
  }

  /** A request without a connection, or that of a mock, need not close. */
  #releaseUnlessConnected(): void {
    const socket = this.#sent?.socket;
    if (!socket || socket.destroyed) this.#release();
  }

  #release(): void {
    if (this.#hasSlot) this.#slots.release();
    this.#hasSlot = false;
  }
}

/**
 * The adapter over `node:http` and `node:https`: a third of the CPU of Node's `fetch`, and the only
 * one that sees connections.
 */
export function nodeHttpAdapter(modules: NodeModules, agents: NodeAgents): HttpAdapter {
  return { isForeign: false, start: (request) => new NodeExchange(request, modules, agents) };
}

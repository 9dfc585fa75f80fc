import type { Agent, IncomingMessage, RequestOptions, request } from 'node:http';
import type { pipeline, Readable } from 'node:stream';
import type * as zlib from 'node:zlib';
import type { ReceivedResponse } from './body.js';
import { isNode } from './runtime.js';

type Http = { request: typeof request; Agent: typeof Agent };
type Zlib = typeof zlib;
type Stream = { pipeline: typeof pipeline };
type Request = {
  method: string;
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
};

/** Idle connections are closed before most servers close them, so that none dies as it is used. */
const IDLE_MS = 4_000;

// Asked of the process rather than imported, so that no bundler for browsers meets it.
function builtin<Module>(name: string): Module | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: string) => Module | undefined };
  };
  return process?.getBuiltinModule?.(name);
}

const utf8 = new TextEncoder();

/** Hands over what arrives, chunk by chunk, as the reader of a web stream does. */
class ChunkReader {
  readonly #stream: Readable;
  readonly #chunks: Uint8Array[] = [];
  #isDone = false;
  #failure: unknown;
  #wake: (() => void) | undefined;

  constructor(stream: Readable) {
    this.#stream = stream;
    const wake = () => this.#wake?.();
    stream.on('data', (chunk: Uint8Array) => {
      this.#chunks.push(chunk);
      wake();
    });
    stream.on('end', () => {
      this.#isDone = true;
      wake();
    });
    stream.on('error', (error) => {
      this.#failure ??= error;
      wake();
    });
    stream.on('close', () => {
      if (!this.#isDone) this.#failure ??= new Error('the connection closed');
      wake();
    });
  }

  async read(): Promise<{ done: boolean; value?: Uint8Array }> {
    for (;;) {
      const value = this.#chunks.shift();
      if (value !== undefined) return { done: false, value };
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#isDone) return { done: true };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async cancel(): Promise<void> {
    this.#stream.destroy();
  }
}

function decoded(message: IncomingMessage): Readable {
  const zlib = builtin<Zlib>('node:zlib');
  const stream = builtin<Stream>('node:stream');
  const decoders: Record<string, (() => NodeJS.ReadWriteStream) | undefined> = {
    gzip: zlib?.createGunzip,
    deflate: zlib?.createInflate,
    br: zlib?.createBrotliDecompress,
  };
  const decoder = decoders[message.headers['content-encoding'] ?? ''];
  if (decoder === undefined || stream === undefined) return message;
  // A failure of either side destroys both, and reaches the reader as the decoder's own error.
  return stream.pipeline(message, decoder(), () => {}) as unknown as Readable;
}

function toResponse(message: IncomingMessage): ReceivedResponse {
  const headers = new Headers();
  const { rawHeaders, statusCode = 0 } = message;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '');
  }
  const reader = new ChunkReader(decoded(message));
  return {
    status: statusCode,
    ok: statusCode >= 200 && statusCode < 300,
    headers,
    body: { getReader: () => reader, cancel: () => reader.cancel() },
  };
}

function createNodeFetch(modules: Readonly<Record<string, Http>>) {
  const agents = new Map<string, Agent>();
  const agentFor = (protocol: string, http: Http) => {
    const agent = agents.get(protocol) ?? new http.Agent({ keepAlive: true, timeout: IDLE_MS });
    agents.set(protocol, agent);
    return agent;
  };
  return async (address: string, { method, headers, body, signal }: Request) => {
    signal.throwIfAborted();
    const url = new URL(address);
    const http = modules[url.protocol];
    if (http === undefined) throw new TypeError('only http and https can be fetched');
    // `connection: close` asks for a connection of its own, not only for its end.
    const agent = headers['connection'] === 'close' ? false : agentFor(url.protocol, http);
    const bytes = body === undefined ? undefined : utf8.encode(body);
    // Node frames no body of a DELETE by itself.
    const length = bytes && { 'content-length': String(bytes.byteLength) };
    const options: RequestOptions = { method, headers: { ...headers, ...length }, agent };
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = http.request(url, options, resolve).on('error', reject);
      // Node's own `signal` option costs several times as much. The signal is of this request alone.
      signal.addEventListener('abort', () => sent.destroy(new Error('aborted')));
      sent.end(bytes);
    });
    return toResponse(message);
  };
}

const HAS_UNDICI = /undici/;
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
const INTERNAL_FRAME = /node:internal\/deps\/undici/;

type Dispatcher = { constructor: { name: string }; dispatch(options: null, handler: null): void };

/** Whether a global dispatcher is Node's own; another may be a proxy, a mock, or hold certificates. */
function isOwnDispatcher(dispatcher: Dispatcher | undefined): boolean {
  if (dispatcher === undefined) return true;
  if (dispatcher.constructor.name !== 'Agent') return false;
  try {
    dispatcher.dispatch(null, null);
  } catch (error) {
    // What it throws at nonsense tells where its code is from.
    return error instanceof Error && INTERNAL_FRAME.test(error.stack ?? '');
  }
  return false;
}

/** Remembers the answer for the last value that was asked about. */
function memoize<Value>(judge: (value: Value) => boolean): (value: Value) => boolean {
  let last: { value: Value; verdict: boolean } | undefined;
  return (value) => {
    if (last === undefined || last.value !== value) last = { value, verdict: judge(value) };
    return last.verdict;
  };
}

const isOwnFetch = memoize((fetch: unknown) => HAS_UNDICI.test(String(fetch)));
const isOwn = memoize(isOwnDispatcher);

/**
 * A `fetch` over kept-alive `node:http`, which takes a third of the CPU of Node's own; `undefined`
 * where there is none, and where anybody has replaced `fetch` or its dispatcher: a mock, a proxy or
 * an instrumentation has to keep seeing our requests.
 */
export function nodeFetch(): ReturnType<typeof createNodeFetch> | undefined {
  cached ??= { fetch: isNode() ? createFromBuiltins() : undefined };
  const globals = globalThis as unknown as Record<symbol, Dispatcher | undefined>;
  return isOwnFetch(globalThis.fetch) && isOwn(globals[DISPATCHER]) ? cached.fetch : undefined;
}

let cached: { fetch: ReturnType<typeof createNodeFetch> | undefined } | undefined;

function createFromBuiltins() {
  const http = builtin<Http>('node:http');
  const https = builtin<Http>('node:https');
  return http && https ? createNodeFetch({ 'http:': http, 'https:': https }) : undefined;
}

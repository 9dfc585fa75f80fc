import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { headerOf, RequestReader } from './request-reader.js';

const JSON_TYPE = 'content-type: application/json';

function message(status: number, body: string | Buffer, ...headers: string[]): Buffer {
  const bytes = Buffer.from(body);
  const lines = [`HTTP/1.1 ${status} X`, `content-length: ${bytes.length}`, ...headers];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]);
}

const head = (status: number, length: number, ...headers: string[]) =>
  `HTTP/1.1 ${status} X\r\ncontent-length: ${length}\r\n${[JSON_TYPE, ...headers].join('\r\n')}\r\n\r\n`;

/** Sends a whole response, as JSON unless headers are given. */
export const sendResponse =
  (status: number, body: string | Buffer, ...headers: string[]) =>
  (socket: Socket): void => {
    socket.write(message(status, body, ...(headers.length > 0 ? headers : [JSON_TYPE])));
  };

const breakBody =
  (status: number) =>
  (socket: Socket): void => {
    socket.write(`${head(status, 1000)}{"success":`, () => {
      setImmediate(() => socket.resetAndDestroy());
    });
  };

const stallBody =
  (status: number) =>
  (socket: Socket): void => {
    socket.write(`${head(status, 1000)}{"success":`);
  };

/** A head without a length, and then nothing more. */
const loseBody =
  (...headers: string[]) =>
  (socket: Socket): void => {
    socket.write(`HTTP/1.1 200 X\r\n${[JSON_TYPE, ...headers].join('\r\n')}\r\n\r\n`, () =>
      socket.end(),
    );
  };

function drip(socket: Socket): void {
  // The body would last 500 seconds, so no client sees its end.
  socket.write(head(200, 100_000));
  const timer = setInterval(() => socket.write(' '), 5);
  socket.on('close', () => clearInterval(timer));
}

const redirect = (status: number, location: string) =>
  sendResponse(status, '', `location: ${location}`);
const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

/** The behaviour of the server after it has received a whole request. */
export const FAULTS = {
  reset: (socket: Socket) => socket.resetAndDestroy(),
  close: (socket: Socket) => socket.end(),
  stall: () => {},
  'half a status line': (socket: Socket) => socket.end('HTTP/1.1 20'),
  garbage: (socket: Socket) => socket.end('garbage\r\n\r\n'),
  'body stalls': stallBody(200),
  'error body stalls': stallBody(500),
  'body drips': drip,
  'body breaks': breakBody(200),
  '404 body breaks': breakBody(404),
  '500 body breaks': breakBody(500),
  'chunks break': (socket: Socket) =>
    socket.write(
      `HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n${JSON_TYPE}\r\n\r\n5\r\n{"suc\r\n`,
      () => socket.end(),
    ),
  'no chunk comes': loseBody('transfer-encoding: chunked'),
  // Node 20's fetch takes it for a whole body.
  'no chunk comes before it closes': loseBody('transfer-encoding: chunked', 'connection: close'),
  'no byte comes before it closes': loseBody('connection: close'),
  'truncated JSON': sendResponse(200, '{"success": tr'),
  'HTML with 200': sendResponse(200, '<html>hello</html>', 'content-type: text/html'),
  'HTML with 502': sendResponse(502, '<html>bad gateway</html>', 'content-type: text/html'),
  'HTML as JSON': sendResponse(200, '<html>hello</html>'),
  'an image': sendResponse(200, 'GIF89a', 'content-type: image/gif'),
  'an empty body': sendResponse(200, ''),
  null: sendResponse(200, 'null'),
  'a string': sendResponse(200, '"success"'),
  'a number': sendResponse(200, '1e400'),
  'invalid UTF-8': sendResponse(200, Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
  'deep nesting': sendResponse(200, deep),
  'a long body': sendResponse(200, Buffer.alloc(2 * 1024 * 1024, 32)),
  'a long error body': sendResponse(404, Buffer.alloc(128 * 1024, 32)),
  'a gzip bomb': sendResponse(
    200,
    gzipSync(Buffer.alloc(64 * 1024 * 1024)),
    JSON_TYPE,
    'content-encoding: gzip',
  ),
  'invalid gzip': sendResponse(200, 'not gzip at all', JSON_TYPE, 'content-encoding: gzip'),
  '301 elsewhere': redirect(301, 'https://evil.example/steal?a=b'),
  '302 elsewhere': redirect(302, '//evil.example/steal'),
  '303 elsewhere': redirect(303, 'https://evil.example'),
  '307 elsewhere': redirect(307, 'https://evil.example'),
  '308 to plain http': redirect(308, 'http://evil.example'),
  '302 to itself': redirect(302, '/v1/card/status'),
  '302 without location': sendResponse(302, ''),
  '101 that nobody asked for': (socket: Socket) =>
    socket.write('HTTP/1.1 101 X\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
  '302 whose body stalls': (socket: Socket) =>
    socket.write(`${head(302, 1000, 'location: https://evil.example/')}{"half":`),
  '429 with a long Retry-After': sendResponse(
    429,
    '{"message":"slow"}',
    JSON_TYPE,
    'retry-after: 999999',
  ),
  408: sendResponse(408, '{}'),
  429: sendResponse(429, '{"message":"slow down"}'),
  500: sendResponse(500, '{"message":"oops"}'),
  502: sendResponse(502, '{"message":"oops"}'),
  503: sendResponse(503, '{"message":"oops"}'),
  504: sendResponse(504, '{"message":"oops"}'),
} as const satisfies Record<string, (socket: Socket) => unknown>;

export type FaultName = keyof typeof FAULTS;

/** Acts on the connection of a whole request and receives its text. */
export type Fault = (socket: Socket, request: string) => unknown;

/**
 * A TCP server that reads whole requests, counts them, and then acts out the fault that the
 * constructor received or that the request names in its `x-fault` header.
 */
export class FaultServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Sockets that carried a request. undici opens a new one for each that it destroys. */
  readonly #used = new Set<Socket>();
  readonly #hits = new Map<string, number>();
  readonly #awaited = new Map<string, () => void>();

  constructor(fault?: Fault) {
    this.#server = createServer({ noDelay: true }, (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        this.#used.delete(socket);
      });
      socket.on('error', () => {});
      const reader = new RequestReader();
      socket.on('data', (chunk: Buffer) => {
        for (const request of reader.push(chunk)) this.#serve(request, socket, fault);
      });
    });
  }

  #serve(request: string, socket: Socket, fault: Fault | undefined): void {
    const name = headerOf(request, 'x-case') ?? '';
    this.#used.add(socket);
    this.#hits.set(name, this.hits(name) + 1);
    const named = FAULTS[headerOf(request, 'x-fault') as FaultName];
    (fault ?? named)(socket, request);
    this.#awaited.get(name)?.();
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The number of whole requests that arrived for a case. */
  hits(name: string): number {
    return this.#hits.get(name) ?? 0;
  }

  /** Settles when the next request for a case has arrived. */
  nextHit(name: string): Promise<void> {
    return new Promise((resolve) => this.#awaited.set(name, resolve));
  }

  /** The number of open connections that carried a request. */
  get openConnections(): number {
    return this.#used.size;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}

import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the server received it. */
export type RecordedRequest = {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: unknown;
};

/** A response for the server to send. */
export type ScriptedResponse = {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
};

/**
 * A real HTTP server on 127.0.0.1 that records each request and sends the response of `respond`.
 */
export class RecordingServer {
  readonly requests: RecordedRequest[] = [];
  respond: (request: RecordedRequest) => ScriptedResponse = () => ({ body: {} });
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const url = new URL(request.url ?? '/', 'http://127.0.0.1');
        const text = Buffer.concat(chunks).toString('utf8');
        const recorded: RecordedRequest = {
          method: request.method ?? '',
          path: url.pathname,
          query: Object.fromEntries(url.searchParams),
          headers: request.headers,
          body: text === '' ? undefined : JSON.parse(text),
        };
        this.requests.push(recorded);
        const { status = 200, body, headers = {} } = this.respond(recorded);
        const isText = typeof body === 'string' || body === undefined || Buffer.isBuffer(body);
        const type = isText ? {} : { 'content-type': 'application/json' };
        response.writeHead(status, { ...type, ...headers });
        response.end(isText ? body : JSON.stringify(body));
      });
    });
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The last request. */
  get last(): RecordedRequest {
    const last = this.requests.at(-1);
    if (last === undefined) throw new Error('no request arrived');
    return last;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a server, and returns its port: a free one for port 0. */
export async function startServer(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Stops a server and closes its connections. */
export function stopServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** The maximum length of a request body, in bytes. */
export const BODY_LIMIT = 1024 * 1024;

/** The same for control requests: a snapshot may be longer. */
export const CONTROL_BODY_LIMIT = 16 * BODY_LIMIT;

/** Reads a body. Returns `undefined` when it is longer than the limit. */
export async function readBytes(
  request: IncomingMessage,
  limit: number,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.byteLength;
    if (length > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads a body as text. Returns `undefined` when it is longer than the limit. */
export async function readBody(
  request: IncomingMessage,
  limit: number,
): Promise<string | undefined> {
  return (await readBytes(request, limit))?.toString('utf8');
}

/** A request and its response. */
export type Exchange = { request: IncomingMessage; response: ServerResponse };

/** Sends JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.setHeader('content-type', 'application/json');
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('cache-control', 'no-store');
  response.writeHead(status);
  response.end(JSON.stringify(body));
}

/** Sends a page that may run no script and load nothing. `render` receives the nonce of its style. */
export function sendPage(response: ServerResponse, render: (nonce: string) => string): void {
  const nonce = randomBytes(16).toString('base64');
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;
  response.setHeader('content-security-policy', policy);
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('cache-control', 'no-store');
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(render(nonce));
}

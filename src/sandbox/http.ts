import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

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

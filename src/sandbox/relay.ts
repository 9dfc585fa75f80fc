import type { IncomingMessage, ServerResponse } from 'node:http';
import { isConnectionError } from '../testing/broken-connections.js';
import type { MockPlatform } from '../testing/index.js';
import { UnhandledRequestError } from '../testing/unhandled.js';

/** Headers of the connection itself, which are not relayed. */
const CONNECTION_HEADERS = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

function toRequest(
  baseUrl: string,
  message: IncomingMessage,
  { text, signal }: { text: string; signal: AbortSignal },
): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    if (!CONNECTION_HEADERS.has(name) && value !== undefined) headers.set(name, String(value));
  }
  const { method = 'GET' } = message;
  const hasBody = text !== '' && method !== 'GET' && method !== 'HEAD';
  const url = `${baseUrl}${message.url ?? '/'}`;
  return new Request(url, { method, headers, signal, ...(hasBody && { body: text }) });
}

/** Sends a response on, as its body arrives. */
async function sendOn(from: Response, to: ServerResponse): Promise<void> {
  for (const [name, value] of from.headers) to.setHeader(name, value);
  to.writeHead(from.status);
  to.flushHeaders();
  const reader = from.body?.getReader();
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    const { value } = part;
    // Written before the next part is read: a body that breaks off is sent as far as it goes.
    await new Promise((written) => to.write(value, written));
  }
  to.end();
}

/** Relays a request to the platform and its response back. A planned drop closes the connection. */
export async function relay(
  platform: MockPlatform,
  message: IncomingMessage,
  text: string,
  response: ServerResponse,
): Promise<void> {
  // The platform may hold a response back for longer than the client waits.
  const abandoned = new AbortController();
  response.once('close', () => abandoned.abort());
  try {
    const { signal } = abandoned;
    const request = toRequest(platform.baseUrl, message, { text, signal });
    await sendOn(await platform.fetch(request), response);
  } catch (error) {
    if (response.destroyed || response.headersSent || isConnectionError(error)) {
      response.destroy();
      return;
    }
    // An unknown endpoint: the message names the nearest one and contains no body. Or a handler failed.
    response.setHeader('content-type', 'application/json');
    response.writeHead(error instanceof UnhandledRequestError ? 501 : 500);
    response.end(
      JSON.stringify({ error: error instanceof Error ? error.message : 'the request failed' }),
    );
  }
}

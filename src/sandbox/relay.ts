import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MockPlatform } from '../testing/index.js';

/** Headers of the connection itself, which are not relayed. */
const CONNECTION_HEADERS = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

function toRequest(baseUrl: string, message: IncomingMessage, text: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    if (!CONNECTION_HEADERS.has(name) && value !== undefined) headers.set(name, String(value));
  }
  const { method = 'GET' } = message;
  const hasBody = text !== '' && method !== 'GET' && method !== 'HEAD';
  const url = `${baseUrl}${message.url ?? '/'}`;
  return new Request(url, { method, headers, ...(hasBody && { body: text }) });
}

/** Relays a request to the platform and its response back. A planned drop closes the connection. */
export async function relay(
  platform: MockPlatform,
  message: IncomingMessage,
  text: string,
  response: ServerResponse,
): Promise<void> {
  try {
    const platformResponse = await platform.fetch(toRequest(platform.baseUrl, message, text));
    for (const [name, value] of platformResponse.headers) response.setHeader(name, value);
    response.writeHead(platformResponse.status);
    response.end(Buffer.from(await platformResponse.arrayBuffer()));
  } catch (error) {
    // The error of `platform.drop` has the broken connection as its cause.
    if (error instanceof TypeError && error.cause !== undefined) {
      response.destroy();
      return;
    }
    // The endpoint is unknown: the message names the nearest one and contains no body.
    response.setHeader('content-type', 'application/json');
    response.writeHead(501);
    response.end(
      JSON.stringify({ error: error instanceof Error ? error.message : 'the request failed' }),
    );
  }
}

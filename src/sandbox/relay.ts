import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MockPlatform } from '../testing/index.js';

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

/** Reads a body. When it breaks off, returns what was read until then. */
async function readWhole({ body }: Response): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  const reader = body?.getReader();
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) return { bytes: Buffer.concat(chunks), isWhole: true };
      chunks.push(chunk.value);
    }
  } catch {
    return { bytes: Buffer.concat(chunks), isWhole: false };
  }
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
    const platformResponse = await platform.fetch(request);
    const { bytes, isWhole } = await readWhole(platformResponse);
    for (const [name, value] of platformResponse.headers) response.setHeader(name, value);
    response.writeHead(platformResponse.status);
    if (isWhole) response.end(bytes);
    else response.write(bytes, () => response.destroy());
  } catch (error) {
    // The error of `platform.drop` has the broken connection as its cause.
    if (response.destroyed || (error instanceof TypeError && error.cause !== undefined)) {
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

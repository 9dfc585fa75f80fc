import type { IncomingMessage } from 'node:http';

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

import type { IncomingMessage } from 'node:http';

/** The maximum length of a request body, in bytes. */
export const BODY_LIMIT = 1024 * 1024;

/** Reads a body as text. Returns `undefined` when it is longer than the limit. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.byteLength;
    if (length > BODY_LIMIT) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

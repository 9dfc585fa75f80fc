import { bodyConsumed, Refusal } from './refusal.js';
import type { TimeLimit } from './time-limit.js';

const JSON_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

const tooLarge = (limit: number) =>
  new Refusal('body_too_large', `The body is longer than ${limit} bytes.`, { connection: 'close' });

/**
 * Refuses a body by its headers, before anything of it is read.
 *
 * @param limit - bytes
 * @throws Refusal
 */
export function checkBodyHeaders(headers: Headers, limit: number): void {
  const length = headers.get('content-length');
  if (length !== null && !/^\d{1,15}$/.test(length)) {
    throw new Refusal('request_malformed', 'The length of the body is not a number.');
  }
  if (Number(length) > limit) throw tooLarge(limit);
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw new Refusal('content_type_not_json', 'The body must not be compressed.');
  }
  // A form of another site cannot have the type of JSON, not even a form without fields.
  const type = headers.get('content-type');
  if (type !== null && !JSON_TYPE.test(type)) throw notJson();
}

const notJson = () =>
  new Refusal('content_type_not_json', 'The body must be application/json in UTF-8.');

async function readAll(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > limit) {
      reader.cancel().catch(() => {});
      throw tooLarge(limit);
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

/**
 * Reads a body as JSON; `undefined` when it is empty.
 *
 * @param limit - bytes
 * @throws Refusal
 */
export async function readBody(request: Request, limit: number, time: TimeLimit): Promise<unknown> {
  if (request.bodyUsed) throw bodyConsumed();
  if (request.body === null) return undefined;
  try {
    const bytes = await time.wait(readAll(request.body, limit));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text === '') return undefined;
    if (!request.headers.has('content-type')) throw notJson();
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('body_unreadable', 'The body could not be read as JSON.');
  }
}

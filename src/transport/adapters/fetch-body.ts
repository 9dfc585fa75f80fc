import { BodyMissing, BodyNotText, BodyTooLong } from '../outcome/failures.js';

// Made when it is first needed: a runtime without it must still be able to load this file.
let decoder: TextDecoder | undefined;

function decode(bytes: Uint8Array): string {
  decoder ??= new TextDecoder('utf-8', { fatal: true });
  try {
    return decoder.decode(bytes);
  } catch {
    throw new BodyNotText();
  }
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  if (chunks.length === 1 && chunks[0] !== undefined) return chunks[0];
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

async function readStream(stream: ReadableStream<Uint8Array>, limit: number): Promise<string> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return decode(join(chunks, length));
    length += value.byteLength;
    if (length > limit) {
      reader.cancel().catch(() => {});
      throw new BodyTooLong(limit);
    }
    chunks.push(value);
  }
}

async function readWhole(response: Pick<Response, 'text'>, limit: number): Promise<string> {
  const text: unknown = await response.text();
  if (typeof text !== 'string') throw new BodyMissing();
  // No character of UTF-16 takes more than three bytes of UTF-8, so most texts need no counting.
  const isShort = text.length * 3 <= limit;
  if (!isShort && new TextEncoder().encode(text).byteLength > limit) throw new BodyTooLong(limit);
  return text;
}

/**
 * Reads the body of a `Response` as text. A stream is counted in decoded bytes as it arrives,
 * because a compressed body of a few bytes may unpack to gigabytes; a runtime without streams hands
 * over the whole text, which is measured afterwards.
 *
 * @param limit - bytes after decompression
 * @throws BodyTooLong, BodyNotText, BodyMissing, or what the stream throws when the connection breaks
 */
export function readFetchBody(response: Response, limit: number): Promise<string> {
  const { body } = response as { body?: Response['body'] };
  if (body === null) return Promise.resolve('');
  if (typeof body?.getReader === 'function') return readStream(body, limit);
  if (typeof response.text === 'function') return readWhole(response, limit);
  return Promise.reject(new BodyMissing());
}

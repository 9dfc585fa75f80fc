import { fitsUtf8 } from '../../contract/formats/utf8-length.js';
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

/** A body: text, or a copy of its bytes that nothing else refers to. */
type Body = string | Uint8Array<ArrayBuffer>;

function join(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    // Anything else would be read as zeros.
    if (!ArrayBuffer.isView(chunk)) throw new BodyMissing('stream', true);
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

function textOf(chunks: readonly Uint8Array[], length: number): string {
  return decode(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : join(chunks, length));
}

async function readStream(
  stream: ReadableStream<Uint8Array>,
  limit: number,
  asBytes: boolean,
): Promise<Body> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) {
      return asBytes ? join(chunks, length) : textOf(chunks, length);
    }
    length += value.byteLength;
    if (length > limit) {
      reader.cancel().catch(() => {});
      throw new BodyTooLong(limit);
    }
    chunks.push(value);
  }
}

/** The length of the body that a response announces, in bytes; 0 where it announces none. */
function announcedLength({ headers }: Partial<Response>): number {
  const length = String(headers?.get('content-length'));
  return /^\d+$/.test(length) ? Number(length) : 0;
}

async function readWhole(response: Pick<Response, 'text'>, limit: number): Promise<string> {
  const text: unknown = await response.text();
  // On iOS, React Native turns a body that is not UTF-8 into `null`.
  if (typeof text !== 'string') throw new BodyMissing('text', true);
  if (!fitsUtf8(text, limit)) throw new BodyTooLong(limit);
  // Streams and the standard `text()` drop the byte order mark. React Native may not.
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

async function readWholeBytes(
  response: Pick<Response, 'arrayBuffer'>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const buffer: ArrayBuffer = await response.arrayBuffer();
  // Not instanceof: the buffer may come from another realm.
  if (Object.prototype.toString.call(buffer) !== '[object ArrayBuffer]') {
    throw new BodyMissing('arrayBuffer', true);
  }
  if (buffer.byteLength > limit) throw new BodyTooLong(limit);
  return new Uint8Array(buffer);
}

/**
 * Reads the body of a `Response` as text, or as the bytes that it consists of. A stream is counted in
 * decoded bytes as it arrives, because a compressed body of a few bytes may unpack to gigabytes. A
 * runtime without streams, such as React Native, hands over the whole body: the announced length is
 * checked first, and the bytes are counted when they are in memory.
 *
 * @param limit - bytes after decompression
 * @throws BodyTooLong, BodyNotText, BodyMissing, or what the stream throws when the connection breaks
 */
export function readFetchBody(response: Response, limit: number, asBytes = false): Promise<Body> {
  const { body, text, arrayBuffer } = response as Partial<Response>;
  if (body === null) return Promise.resolve(asBytes ? new Uint8Array() : '');
  // Without a TextDecoder, `text()` of the response decodes.
  const isDecodable = asBytes || typeof TextDecoder === 'function' || typeof text !== 'function';
  if (typeof body?.getReader === 'function' && isDecodable) return readStream(body, limit, asBytes);
  if (announcedLength(response) > limit) return Promise.reject(new BodyTooLong(limit));
  if (asBytes) {
    if (typeof arrayBuffer === 'function') return readWholeBytes(response, limit);
  } else if (typeof text === 'function') return readWhole(response, limit);
  return Promise.reject(new BodyMissing(asBytes ? 'arrayBuffer' : 'text'));
}

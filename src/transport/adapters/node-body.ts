import type { IncomingMessage } from 'node:http';
import type * as zlib from 'node:zlib';
import { BodyNotText, BodyTooLong } from '../outcome/failures.js';
import type { NodeModules } from './node-modules.js';

type Decompress = (
  bytes: Uint8Array,
  options: { maxOutputLength: number },
  done: (error: Error | null, result: Buffer) => void,
) => void;

// A Map, because the name comes from the wire: `constructor` is a property of every object.
const DECOMPRESSORS: ReadonlyMap<string, keyof typeof zlib> = new Map([
  ['gzip', 'gunzip'],
  ['x-gzip', 'gunzip'],
  ['deflate', 'inflate'],
  ['br', 'brotliDecompress'],
  ['zstd', 'zstdDecompress' as keyof typeof zlib],
]);

function collect(message: IncomingMessage, limit: number): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    message.on('data', (chunk: Buffer) => {
      length += chunk.byteLength;
      chunks.push(chunk);
      if (length <= limit) return;
      message.destroy();
      reject(new BodyTooLong(limit));
    });
    message.on('end', () => resolve(chunks));
    message.on('error', reject);
    message.on('close', () => {
      // An error is expensive to make, and a message that has ended closes as well.
      if (!message.complete) reject(new Error('the connection closed inside the body'));
    });
  });
}

function decompress(bytes: Buffer, run: Decompress, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    run(bytes, { maxOutputLength: limit }, (error, result) => {
      if (error === null) resolve(result);
      else
        reject(
          Reflect.get(error, 'code') === 'ERR_BUFFER_TOO_LARGE' ? new BodyTooLong(limit) : error,
        );
    });
  });
}

/** The content codings of a message, in the order in which they were applied. */
function codingsOf({ headers }: IncomingMessage): string[] {
  const codings = headers['content-encoding'];
  return codings === undefined ? [] : codings.split(',').map((name) => name.trim().toLowerCase());
}

/**
 * Reads the body of a message as text, or as the bytes that it consists of. A body with an
 * unknown content coding is left as it is, as `fetch` does.
 *
 * @param limit - bytes, before and after decompression
 * @throws BodyTooLong, BodyNotText, or what the connection or the decompression reports
 */
export async function readNodeBody(
  message: IncomingMessage,
  { zlib: modules, buffer }: NodeModules,
  limit: number,
  asBytes = false,
): Promise<string | Uint8Array<ArrayBuffer>> {
  const chunks = await collect(message, limit);
  let bytes =
    chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : buffer.Buffer.concat(chunks);
  for (const coding of codingsOf(message).reverse()) {
    const run = modules[DECOMPRESSORS.get(coding) as keyof typeof modules] as
      | Decompress
      | undefined;
    if (bytes.byteLength > 0 && typeof run === 'function')
      bytes = await decompress(bytes, run, limit);
  }
  // A copy, because a Buffer is a window on memory that others use too.
  if (asBytes) return new Uint8Array(bytes);
  if (!buffer.isUtf8(bytes)) throw new BodyNotText();
  const text = bytes.toString();
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

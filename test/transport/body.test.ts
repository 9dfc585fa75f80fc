import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readFetchBody } from '../../src/transport/adapters/fetch.js';
import { readingFor } from '../../src/transport/adapters/http-adapter.js';
import { nodeModules } from '../../src/transport/adapters/node-connections.js';
import { readNodeBody } from '../../src/transport/adapters/node-http.js';
import {
  BodyMissing,
  BodyNotText,
  BodyTooLong,
} from '../../src/transport/outcome/network-error.js';

const utf8 = (text: string) => new TextEncoder().encode(text);

function requireNodeModules() {
  const modules = nodeModules();
  if (modules === undefined) throw new Error('these tests must run on Node');
  return modules;
}

/** A fetch response whose body arrives in these pieces. */
function response(...pieces: readonly Uint8Array[]) {
  const left = [...pieces];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = left.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(next);
    },
  });
  return new Response(body);
}

/** A `node:http` message whose body arrives in these pieces. */
function message(pieces: readonly Uint8Array[], headers: Record<string, string> = {}) {
  const incoming = new IncomingMessage(new Socket());
  incoming.headers = headers;
  for (const piece of pieces) incoming.push(piece);
  incoming.push(null);
  return incoming;
}

const READERS = {
  'a fetch': (pieces: readonly Uint8Array[], limit: number) =>
    readFetchBody(response(...pieces), limit),
  'node:http': (pieces: readonly Uint8Array[], limit: number) =>
    readNodeBody(message(pieces), requireNodeModules(), limit),
};

describe.each(Object.entries(READERS))('a body over %s', (_, read) => {
  it('is joined from its pieces, even when a piece ends inside a character', async () => {
    const bytes = utf8('{"name":"Zoë"}');
    const cut = bytes.indexOf(0xc3) + 1;
    const pieces = [bytes.slice(0, 3), bytes.slice(3, cut), bytes.slice(cut)];
    expect(await read(pieces, 100)).toBe('{"name":"Zoë"}');
  });

  it('may be empty', async () => {
    expect(await read([], 100)).toBe('');
  });

  it('may be exactly as long as its limit, but not a byte longer', async () => {
    expect(await read([new Uint8Array(99).fill(32), utf8(' ')], 100)).toHaveLength(100);
    await expect(read([new Uint8Array(100).fill(32), utf8(' ')], 100)).rejects.toEqual(
      new BodyTooLong(100),
    );
  });

  it('must be UTF-8', async () => {
    await expect(read([new Uint8Array([0xff])], 100)).rejects.toBeInstanceOf(BodyNotText);
  });

  it('drops one byte order mark', async () => {
    expect(await read([utf8('\ufeff\ufeff{}')], 100)).toBe('\ufeff{}');
  });
});

it('a success response may have a longer body than an error response', () => {
  const bodyLimit = (status: number) => readingFor(status, {}).limit;
  expect([200, 207, 299].map(bodyLimit)).toEqual([1_048_576, 1_048_576, 1_048_576]);
  expect([199, 300, 400, 500].map(bodyLimit)).toEqual(new Array(4).fill(65_536));
});

describe('the body of a fetch response', () => {
  const like = (value: object) => value as Response;

  it('may be missing', async () => {
    expect(await readFetchBody(new Response(null), 100)).toBe('');
    expect(await readFetchBody(new Response(null), 100, true)).toEqual(new Uint8Array());
  });

  it('is cancelled when it is too long, even by a stream that refuses', async () => {
    let cancelled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(64).fill(32)),
      cancel: () => {
        cancelled++;
        return Promise.reject(new Error('no'));
      },
    });
    await expect(readFetchBody(new Response(body), 100)).rejects.toEqual(new BodyTooLong(100));
    expect(cancelled).toBe(1);
  });

  it('ends when the reader returns neither a value nor done', async () => {
    const reader = { read: async () => ({ done: false }), cancel: async () => {} };
    expect(await readFetchBody(like({ body: { getReader: () => reader } }), 100)).toBe('');
  });

  it('is read with text() where the runtime has no streams', async () => {
    const whole = (text: unknown) => readFetchBody(like({ text: async () => text }), 9);
    expect(await whole('{"a":1}')).toBe('{"a":1}');
    expect(await whole('ëëëë')).toBe('ëëëë');
    await expect(whole('ëëëëë')).rejects.toEqual(new BodyTooLong(9));
    await expect(whole('0123456789')).rejects.toEqual(new BodyTooLong(9));
    await expect(whole({ a: 1 })).rejects.toBeInstanceOf(BodyMissing);
    await expect(readFetchBody(like({}), 9)).rejects.toBeInstanceOf(BodyMissing);
  });
});

describe('the body of a Node message', () => {
  const text = '{"name":"Zoë"}';
  const read = (bytes: Uint8Array, encoding: string, limit = 1_000) =>
    readNodeBody(message([bytes], { 'content-encoding': encoding }), requireNodeModules(), limit);

  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['GZip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    [' br ,identity', brotliCompressSync(text)],
  ])('is decompressed with the content-encoding %s', async (encoding, bytes) => {
    expect(await read(bytes, encoding)).toBe(text);
  });

  it.each([
    'identity',
    'constructor',
    '__proto__',
    'toString',
    'brotliDecompress',
    'x'.repeat(500),
  ])('is returned unchanged with the content-encoding %s', async (encoding) => {
    expect(await read(utf8(text), encoding)).toBe(text);
  });

  it('is limited by its decompressed length', async () => {
    const packed = gzipSync(Buffer.alloc(1_001, 32));
    expect(packed.byteLength).toBeLessThan(100);
    await expect(read(packed, 'gzip')).rejects.toEqual(new BodyTooLong(1_000));
    expect(await read(gzipSync(Buffer.alloc(1_000, 32)), 'gzip')).toHaveLength(1_000);
  });

  it('may be empty although its content-encoding is gzip', async () => {
    expect(
      await readNodeBody(message([], { 'content-encoding': 'gzip' }), requireNodeModules(), 9),
    ).toBe('');
  });

  it('is rejected when it is not in its declared encoding', async () => {
    await expect(read(utf8(text), 'gzip')).rejects.toThrow('incorrect header check');
  });

  it('that breaks off is an error, whether the connection fails or closes', async () => {
    for (const error of [new Error('reset'), undefined]) {
      const incoming = new IncomingMessage(new Socket());
      incoming.push(utf8('{"name'));
      const reading = readNodeBody(incoming, requireNodeModules(), 100);
      incoming.destroy(error);
      await expect(reading).rejects.toThrow(error?.message ?? /closed inside the body|aborted/);
    }
  });
});

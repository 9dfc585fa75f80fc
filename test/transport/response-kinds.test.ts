import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { call, defineEndpoint } from '../../src/endpoints/index.js';
import { ADAPTERS, clientOver } from '../support/adapters.js';
import { CREDENTIALS, clientReceiving, json, rejection } from '../support/clients.js';

/** Every possible byte, so this is not text. A PDF is not UTF-8 either. */
const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, index) => index);
const MEBIBYTE = 1024 * 1024;

type Reply = {
  status?: number;
  headers?: Record<string, string>;
  body: Uint8Array | string;
  /** Bytes that are announced but never sent. */
  missing?: number;
};

let reply: Reply;
let accepted: (string | undefined)[] = [];
const server: Server = createServer((request, response) => {
  accepted.push(request.headers.accept);
  const { status = 200, headers = {}, body, missing = 0 } = reply;
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, 'content-length': bytes.byteLength + missing });
  if (missing === 0) response.end(bytes);
  // The client has received everything that was sent before it sees the end of the connection.
  else response.write(bytes, () => response.socket?.end());
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  accepted = [];
});

const GET = { id: 'statements.get', method: 'GET', path: '/v1/statement', retry: 'never' } as const;
const asBytes = defineEndpoint({ ...GET, response: 'bytes' });
const asText = defineEndpoint({ ...GET, response: 'text' });

describe.each(ADAPTERS)('a response over %s', (adapter) => {
  const client = (options = {}) =>
    clientOver(adapter, {
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ...CREDENTIALS,
      ...options,
    });

  it('of bytes is exact, in every form of the result', async () => {
    reply = {
      headers: { 'content-type': 'application/pdf', 'x-request-id': 'r-1' },
      body: EVERY_BYTE,
    };
    const result = await call(client(), asBytes, {});
    expect(Object.getPrototypeOf(result)).toBe(Uint8Array.prototype);
    expect(result).toEqual(EVERY_BYTE);
    expect(result.buffer.byteLength).toBe(256);
    const { data, status, headers } = await call(client(), asBytes, {}).withResponse();
    expect([data, status]).toEqual([EVERY_BYTE, 200]);
    expect(headers.get('content-type')).toBe('application/pdf');
    const raw = await call(client(), asBytes, {}).raw();
    expect(new Uint8Array(await raw.arrayBuffer())).toEqual(EVERY_BYTE);
    expect(await call(client(), asBytes, {}).safe()).toEqual({ ok: true, data: EVERY_BYTE });
    expect(await client().request('GET', GET.path, { response: 'bytes' })).toEqual(EVERY_BYTE);
  });

  it.each([
    ['gzip', gzipSync(EVERY_BYTE)],
    ['br', brotliCompressSync(EVERY_BYTE)],
  ])('of bytes is decompressed from %s', async (coding, body) => {
    reply = { headers: { 'content-encoding': coding }, body };
    expect(await call(client(), asBytes, {})).toEqual(EVERY_BYTE);
  });

  it('of text is a string, also where it is JSON, empty or a refusal in JSON', async () => {
    const type = { 'content-type': 'text/csv' };
    for (const body of ['day;amount\n1;"Zoë"\n', '{"success":false}', '5', '', ' ']) {
      reply = { headers: type, body };
      expect(await call(client(), asText, {})).toBe(body);
      expect(await client().request('GET', GET.path, { response: 'text' })).toBe(body);
      expect(await (await call(client(), asText, {}).raw()).text()).toBe(body);
    }
  });

  it('of text must be UTF-8, and that of bytes need not be', async () => {
    reply = { body: EVERY_BYTE };
    const error = await rejection(call(client(), asText, {}));
    expect(error).toMatchObject({ name: 'BodyReadError', outcome: 'unknown' });
  });

  it('of bytes may be empty', async () => {
    reply = { body: '' };
    expect(await call(client(), asBytes, {})).toEqual(new Uint8Array());
  });

  it('is requested with a fitting accept header, which a call may replace', async () => {
    reply = { body: '{}' };
    await call(client(), asBytes, {});
    await call(client(), asText, {});
    await call(client(), defineEndpoint(GET), {});
    await call(
      client(),
      defineEndpoint({ ...GET, accept: 'application/pdf', response: 'bytes' }),
      {},
    );
    await call(client(), asText, {}, { headers: { accept: 'text/csv' } });
    expect(accepted).toEqual(['*/*', '*/*', 'application/json', 'application/pdf', 'text/csv']);
  });

  it('with an error status is read as JSON whatever the endpoint returns', async () => {
    reply = { status: 404, body: '{"message":"No statement"}' };
    for (const result of [call(client(), asBytes, {}), call(client(), asText, {})]) {
      expect(await rejection(result)).toMatchObject({
        name: 'NotFoundError',
        serverMessage: 'No statement',
        outcome: 'rejected',
      });
    }
  });

  it('that breaks off is an error', async () => {
    reply = { body: EVERY_BYTE, missing: 10 };
    const results = [call(client(), asBytes, {}), call(client(), asText, {})];
    for (const error of await Promise.all(results.map(rejection))) {
      expect(error).toMatchObject({ name: 'BodyReadError', operation: GET.id });
    }
  });

  it('is at most 1 MiB long, or as long as the declaration allows', async () => {
    const long = new Uint8Array(MEBIBYTE + 1).fill(0x61);
    reply = { body: long };
    const most = { maxResponseBytes: MEBIBYTE + 1 };
    for (const response of ['bytes', 'text'] as const) {
      const usual = call(client(), defineEndpoint({ ...GET, response }), {});
      expect(await rejection(usual)).toMatchObject({ name: 'ResponseTooLargeError' });
      const more = await call(client(), defineEndpoint({ ...GET, response, ...most }), {});
      expect(more).toHaveLength(MEBIBYTE + 1);
      const less = defineEndpoint({ ...GET, response, maxResponseBytes: 10 });
      expect(await rejection(call(client(), less, {}))).toMatchObject({
        name: 'ResponseTooLargeError',
      });
    }
    const raw = client().request('GET', GET.path, { response: 'bytes', ...most });
    expect(await raw).toHaveLength(MEBIBYTE + 1);
    reply = { headers: { 'content-encoding': 'gzip' }, body: gzipSync(long) };
    const unpacked = rejection(call(client(), asBytes, {}));
    expect(await unpacked).toMatchObject({ name: 'ResponseTooLargeError' });
  });

  it('is handed to the output schema as a string or as bytes', async () => {
    reply = { body: 'a\nb' };
    const lines = z.pipe(
      z.string(),
      z.transform((csv: string) => csv.split('\n')),
    );
    const rows = await call(
      client(),
      defineEndpoint({ ...GET, response: 'text', output: lines }),
      {},
    );
    expect(rows).toEqual(['a', 'b']);
    const pdf = z.instanceof(Uint8Array).check(z.refine((bytes) => bytes[0] === 0x25));
    const wrong = defineEndpoint({ ...GET, response: 'bytes', output: pdf });
    expect(await rejection(call(client(), wrong, {}))).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'unknown',
    });
  });
});

describe('bytes from a fetch without streams', () => {
  const responding = (methods: object) =>
    clientReceiving(json({}), {
      fetch: async () => ({ status: 200, headers: new Headers(), ...methods }) as Response,
    });

  it('are read by arrayBuffer()', async () => {
    const client = responding({ arrayBuffer: async () => EVERY_BYTE.slice().buffer });
    expect(await call(client, asBytes, {})).toEqual(EVERY_BYTE);
  });

  it.each([
    ['is missing', 'neither a body stream nor arrayBuffer()', {}],
    ['returns a text', 'did not return its body', { arrayBuffer: async () => 'text' }],
    ['is missing beside text()', 'nor arrayBuffer()', { text: async () => 'text' }],
  ])('are a typed error when arrayBuffer() %s', async (_, message, methods) => {
    const error = await rejection(call(responding(methods), asBytes, {}));
    expect(error).toMatchObject({ name: 'BodyReadError' });
    expect(String(error)).toContain(message);
  });

  it('are a typed error when a stream delivers texts', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue('text');
        controller.close();
      },
    });
    const error = await rejection(call(responding({ body }), asBytes, {}));
    expect(error).toMatchObject({ name: 'BodyReadError' });
  });
});

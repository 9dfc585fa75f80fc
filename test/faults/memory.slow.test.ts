import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADAPTERS, clientOver } from '../support/adapters.js';
import { CREDENTIALS, rejection } from '../support/clients.js';

const CHUNK = Buffer.alloc(64 * 1024, 32);
const MEBIBYTE = 1024 * 1024;

function spaces(bytes: number, onChunk: () => void): Readable {
  let left = bytes / CHUNK.length;
  return new Readable({
    read() {
      onChunk();
      this.push(left-- > 0 ? CHUNK : null);
    },
  });
}

describe('an endless response', () => {
  let produced = 0;
  let server: Server;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const isPacked = request.headers['x-case'] === 'packed';
      const status = request.headers['x-status'] === '500' ? 500 : 200;
      const body = spaces(isPacked ? 1024 * MEBIBYTE : 64 * MEBIBYTE, () => produced++);
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(isPacked && { 'content-encoding': 'gzip' }),
      });
      const stream = isPacked ? body.pipe(createGzip({ level: 1 })) : body;
      stream.pipe(response).on('error', () => {});
      response.on('close', () => body.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const cases = ADAPTERS.flatMap((adapter) =>
    ['plain', 'packed'].flatMap((kind) => [200, 500].map((status) => ({ adapter, kind, status }))),
  );

  it.each(
    cases,
  )('is cancelled without filling the memory: $kind body with $status over $adapter', async ({
    adapter,
    kind,
    status,
  }) => {
    const { port } = server.address() as AddressInfo;
    const client = clientOver(adapter, { baseUrl: `http://127.0.0.1:${port}`, ...CREDENTIALS });
    const headers = { 'x-case': kind, 'x-status': String(status) };
    const call = () => rejection(client.card.unfreeze({ headers }));
    await call();
    produced = 0;
    const before = process.memoryUsage().arrayBuffers;
    expect(await call()).toMatchObject({
      name: 'ResponseTooLargeError',
      outcome: 'unknown',
      probableOutcome: status === 200 ? 'executed' : undefined,
    });
    // The client cancelled the stream: the server produces no more data.
    await expect.poll(() => produced * CHUNK.length).toBeLessThan(1024 * MEBIBYTE);
    const madeBy = produced;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(produced - madeBy).toBeLessThanOrEqual(64);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * MEBIBYTE);
  });
});

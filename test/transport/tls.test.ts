import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outcomeOf } from '../../src/transport/outcome/outcome-of.js';
import { ADAPTERS, type AdapterName, clientOver } from '../support/adapters.js';
import { CREDENTIALS, rejection } from '../support/clients.js';

let connections = 0;
const plain = createServer((socket) => {
  connections++;
  socket.on('error', () => {});
  socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
});
beforeAll(() => new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => plain.close(resolve)));

const baseUrlOf = (server: Server) => `https://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe('a port that speaks no TLS', () => {
  it('is proof over node-http, which sees the handshake: nothing was sent', async () => {
    connections = 0;
    const client = clientOver('node-http', { baseUrl: baseUrlOf(plain), ...CREDENTIALS });
    for (const call of [client.card.status(), client.card.unfreeze()]) {
      expect(await rejection(call)).toMatchObject({
        name: 'TlsError',
        code: 'tls_failed',
        outcome: 'not_sent',
        attempts: 1,
        isRetryable: false,
      });
    }
    expect(connections).toBe(2);
  });

  // An established connection may break with the same code.
  it.each(['ky', 'fetch'] as const)('proves nothing over %s', async (adapter) => {
    connections = 0;
    const client = clientOver(adapter, { baseUrl: baseUrlOf(plain), ...CREDENTIALS });
    expect(await rejection(client.card.unfreeze())).toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
      attempts: 1,
      isRetryable: false,
    });
    expect(connections).toBe(1);
  });
});

describe('a port that accepts and says nothing', () => {
  const sockets = new Set<Socket>();
  let silent: Server;

  // One for each test: the fetch of Node connects again when a connection that it waits for breaks.
  beforeEach(async () => {
    silent = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
      socket.resume();
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    const closed = new Promise((resolve) => silent.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  });

  const clientWith = (adapter: AdapterName, timeout: number) =>
    clientOver(adapter, { baseUrl: baseUrlOf(silent), ...CREDENTIALS, timeout, random: () => 0 });

  it.each(ADAPTERS)('is left when the call is aborted, over %s', async (adapter) => {
    const controller = new AbortController();
    const reason = new Error('the user left');
    const { signal } = controller;
    const call = rejection(clientWith(adapter, 20_000).card.unfreeze({ signal }));
    await expect.poll(() => sockets.size).toBeGreaterThan(0);
    controller.abort(reason);
    expect(await call).toBe(reason);
    const seesConnections = adapter === 'node-http';
    expect(outcomeOf(reason)).toBe(seesConnections ? 'not_sent' : 'unknown');
    if (seesConnections) await expect.poll(() => sockets.size).toBe(0);
  });

  it('is left when time runs out over node-http, which tries again', async () => {
    const error = await rejection(clientWith('node-http', 100).card.unfreeze());
    expect(error).toMatchObject({
      name: 'TimeoutError',
      phase: 'connect',
      outcome: 'not_sent',
      attempts: 3,
      isRetryable: true,
    });
    await expect.poll(() => sockets.size).toBe(0);
  });

  it.each(['ky', 'fetch'] as const)('is left when time runs out over %s', async (adapter) => {
    const error = await rejection(clientWith(adapter, 100).card.unfreeze());
    expect(error).toMatchObject({
      name: 'TimeoutError',
      phase: 'headers',
      outcome: 'unknown',
      attempts: 1,
    });
  });
});

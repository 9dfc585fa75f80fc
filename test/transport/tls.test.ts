import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outcomeOf } from '../../src/transport/outcome/outcome-of-error.js';
import { ADAPTERS, type AdapterName, clientOver } from '../support/adapters.js';
import { CREDENTIALS, rejection } from '../support/clients.js';

let connections = 0;
const plainTextServer = createServer((socket) => {
  connections++;
  socket.on('error', () => {});
  socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
});
beforeAll(() => new Promise<void>((resolve) => plainTextServer.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => plainTextServer.close(resolve)));

const baseUrlOf = (server: Server) => `https://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe('a port that does not speak TLS', () => {
  it('proves over node-http, which sees the handshake, that nothing was sent', async () => {
    connections = 0;
    const client = clientOver('node-http', { baseUrl: baseUrlOf(plainTextServer), ...CREDENTIALS });
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

  // An established connection can fail with the same code.
  it.each(['ky', 'fetch'] as const)('proves nothing over %s', async (adapter) => {
    connections = 0;
    const client = clientOver(adapter, { baseUrl: baseUrlOf(plainTextServer), ...CREDENTIALS });
    expect(await rejection(client.card.unfreeze())).toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
      attempts: 1,
      isRetryable: false,
    });
    expect(connections).toBe(1);
  });
});

describe('a port that accepts connections and sends nothing', () => {
  const sockets = new Set<Socket>();
  let silentServer: Server;

  // Each test has its own server, because the fetch of Node reconnects when a pending connection
  // breaks.
  beforeEach(async () => {
    silentServer = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
      socket.resume();
    });
    await new Promise<void>((resolve) => silentServer.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    const closed = new Promise((resolve) => silentServer.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  });

  const clientWith = (adapter: AdapterName, timeout: number) =>
    clientOver(adapter, {
      baseUrl: baseUrlOf(silentServer),
      ...CREDENTIALS,
      timeout,
      random: () => 0,
    });

  it.each(ADAPTERS)('is disconnected when the call is aborted, over %s', async (adapter) => {
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

  it('times out over node-http, which retries', async () => {
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

  it.each([
    'ky',
    'fetch',
  ] as const)('times out over %s with outcome unknown and no retry', async (adapter) => {
    const error = await rejection(clientWith(adapter, 100).card.unfreeze());
    expect(error).toMatchObject({
      name: 'TimeoutError',
      phase: 'headers',
      outcome: 'unknown',
      attempts: 1,
    });
  });
});

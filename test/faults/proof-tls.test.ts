import { Agent } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ADAPTERS, type AdapterName, clientOver } from '../support/adapters.js';
import { CREDENTIALS, rejection } from '../support/clients.js';
import { selfSignedCertificate } from './certificate.js';
import { TLS_FAULTS, TlsFaultServer } from './tls-fault-server.js';

const identity = selfSignedCertificate('proof');
const agent = new Agent({ ca: identity.cert });
afterAll(() => agent.destroy());

// `fetch` has no option for a certificate, so these tests replace the connections that it uses, with
// the class of Node's own.
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
type Dispatcher = { close(): Promise<void> };
type DispatcherClass = new (options: { connect: { ca: string } }) => Dispatcher;
const globals = globalThis as { [DISPATCHER]?: Dispatcher };
// Node loads the class with the first use of fetch or of its classes.
void globalThis.Response;
const original = globals[DISPATCHER];

function trustCertificate(): void {
  const Connections = original?.constructor as DispatcherClass;
  globals[DISPATCHER] = new Connections({ connect: { ca: identity.cert } });
}

async function trustNoCertificate(): Promise<void> {
  const trusting = globals[DISPATCHER];
  if (original !== undefined) globals[DISPATCHER] = original;
  await trusting?.close();
}

function clientOf(adapter: AdapterName, baseUrl: string, more: { timeout?: number } = {}) {
  const options = { baseUrl, ...CREDENTIALS, random: () => 0, ...more };
  return clientOver(adapter, adapter === 'node-http' ? { ...options, agent } : options);
}

describe('an established TLS connection that breaks after the request was read', () => {
  beforeEach(trustCertificate);
  afterEach(trustNoCertificate);

  const cells = Object.entries(TLS_FAULTS).flatMap(([name, fault]) =>
    ADAPTERS.map((adapter) => ({ name, fault, adapter })),
  );

  it.each(cells)('leaves a withdrawal unknown and sends it once: $name over $adapter', async ({
    fault,
    adapter,
  }) => {
    const requests: string[] = [];
    const server = new TlsFaultServer(identity, (layers, request) => {
      requests.push(request);
      fault(layers);
    });
    await server.start();
    try {
      const client = clientOf(adapter, server.baseUrl);
      const error = await rejection(client.wallets.credit.withdraw({ amount: '1.5' }));
      expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 1 });
      expect(requests).toHaveLength(1);
    } finally {
      await server.stop();
    }
  });
});

describe('an unfinished TLS handshake', () => {
  const sockets = new Set<Socket>();
  let behave: (socket: Socket) => void = () => {};
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    behave(socket);
  });
  const baseUrl = () => `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });

  it('proves over node-http that nothing was sent when the server is silent', async () => {
    behave = (socket) => socket.resume();
    const client = clientOf('node-http', baseUrl(), { timeout: 100 });
    const error = await rejection(client.wallets.credit.withdraw({ amount: '1' }));
    expect(error).toMatchObject({
      name: 'TimeoutError',
      phase: 'connect',
      outcome: 'not_sent',
      isRetryable: true,
      attempts: 3,
    });
  });

  it.each([
    'ky',
    'fetch',
  ] as const)('leaves the outcome unknown over %s, because a fetch does not show its connection', async (adapter) => {
    behave = (socket) => socket.resume();
    const client = clientOf(adapter, baseUrl(), { timeout: 100 });
    const error = await rejection(client.wallets.credit.withdraw({ amount: '1' }));
    expect(error).toMatchObject({ name: 'TimeoutError', outcome: 'unknown', attempts: 1 });
  });

  it('proves over node-http that nothing was sent when the server resets the connection', async () => {
    behave = (socket) => socket.once('data', () => socket.resetAndDestroy());
    const client = clientOf('node-http', baseUrl());
    const error = await rejection(client.wallets.credit.withdraw({ amount: '1' }));
    expect(error).toMatchObject({ outcome: 'not_sent', attempts: 3 });
  });

  it('fails without retry over node-http when the port does not speak TLS', async () => {
    behave = (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const client = clientOf('node-http', baseUrl());
    const error = await rejection(client.wallets.credit.withdraw({ amount: '1' }));
    expect(error).toMatchObject({
      name: 'TlsError',
      outcome: 'not_sent',
      isRetryable: false,
      attempts: 1,
    });
  });
});

describe('an untrusted certificate', () => {
  it.each(ADAPTERS)('proves over %s that nothing was sent', async (adapter) => {
    const server = new TlsFaultServer(identity, () => expect.unreachable());
    await server.start();
    try {
      const client = clientOver(adapter, { baseUrl: server.baseUrl, ...CREDENTIALS });
      const error = await rejection(client.wallets.credit.withdraw({ amount: '1' }));
      expect(error).toMatchObject({
        name: 'TlsError',
        code: 'tls_failed',
        outcome: 'not_sent',
        attempts: 1,
      });
    } finally {
      await server.stop();
    }
  });
});

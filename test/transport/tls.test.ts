import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { judgeFailure } from '../../src/transport/outcome/network-error.js';
import { clientFor, rejection } from '../support/clients.js';

let connections = 0;
const plain = createServer((socket) => {
  connections++;
  socket.on('error', () => {});
  socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
});
beforeAll(() => new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => plain.close(resolve)));

describe('a port that speaks no TLS', () => {
  it.each([
    'node:http',
    'fetch',
  ])('over %s: nothing was sent, and it is not tried again', async (transport) => {
    connections = 0;
    const baseUrl = `https://127.0.0.1:${(plain.address() as AddressInfo).port}`;
    const fetch = (url: string, init: RequestInit) => globalThis.fetch(url, init);
    const client = clientFor(baseUrl, transport === 'fetch' ? { fetch } : {});
    expect(await rejection(client.card.status())).toMatchObject({
      name: 'TlsError',
      code: 'tls_failed',
      outcome: 'not_sent',
      attempts: 1,
    });
    expect(connections).toBe(1);
  });
});

describe('a port that accepts and says nothing', () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.resume();
  });
  beforeAll(() => new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => silent.close(resolve)));

  // The fetch of Node keeps a connection that is being made for the next request.
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
  });

  const transports = ['node:http', 'fetch'];
  const clientOver = (transport: string, timeout: number) => {
    const baseUrl = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const fetch = (url: string, init: RequestInit) => globalThis.fetch(url, init);
    return clientFor(baseUrl, { timeout, ...(transport === 'fetch' && { fetch }) });
  };

  it.each(transports)('is left when the call is aborted, over %s', async (transport) => {
    const controller = new AbortController();
    const reason = new Error('the user left');
    const call = rejection(
      clientOver(transport, 20_000).card.unfreeze({ signal: controller.signal }),
    );
    await expect.poll(() => sockets.size).toBeGreaterThan(0);
    controller.abort(reason);
    expect(await call).toBe(reason);
    if (transport === 'node:http') await expect.poll(() => sockets.size).toBe(0);
  });

  it.each(transports)('is left when time runs out, over %s', async (transport) => {
    const error = await rejection(clientOver(transport, 100).card.unfreeze());
    expect(error).toMatchObject({ name: 'TimeoutError', phase: 'headers', attempts: 1 });
    if (transport === 'node:http') await expect.poll(() => sockets.size).toBe(0);
  });
});

const coded = (code: unknown, more: object = {}) =>
  Object.assign(new Error('x'), { code, ...more });

describe('what the codes of a failure prove', () => {
  it.each([
    ['ECONNREFUSED', 'not-sent'],
    ['ENOTFOUND', 'not-sent'],
    ['EAI_AGAIN', 'not-sent'],
    ['EHOSTUNREACH', 'not-sent'],
    ['ENETUNREACH', 'not-sent'],
    ['UND_ERR_CONNECT_TIMEOUT', 'not-sent'],
    ['ECONNRESET', 'unknown'],
    ['EPIPE', 'unknown'],
    ['ETIMEDOUT', 'unknown'],
    ['UND_ERR_SOCKET', 'unknown'],
    ['UND_ERR_HEADERS_TIMEOUT', 'unknown'],
    ['SOMETHING_NEW', 'unknown'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['EPROTO', 'tls'],
    [undefined, 'unknown'],
    [5, 'unknown'],
  ])('%s is %s', (code, kind) => {
    expect(judgeFailure(coded(code)).kind).toBe(kind);
    expect(judgeFailure(coded(undefined, { cause: coded(code) })).kind).toBe(kind);
    expect(judgeFailure(coded(undefined, { errors: [coded(code), coded(code)] })).kind).toBe(kind);
  });

  it('one address that may have got it spoils the proof', () => {
    const errors = [coded('ECONNREFUSED'), coded('ECONNRESET')];
    expect(judgeFailure(coded('ECONNREFUSED', { errors })).kind).toBe('unknown');
  });

  it('looks five causes deep, and at anything', () => {
    let deep: object = coded('ECONNREFUSED');
    for (let i = 0; i < 5; i++) deep = { cause: deep };
    expect(judgeFailure(deep).kind).toBe('not-sent');
    expect(judgeFailure({ cause: deep }).kind).toBe('unknown');
    for (const failure of [undefined, null, 'text', 5])
      expect(judgeFailure(failure).kind).toBe('unknown');
    const cycle: { cause?: unknown } = {};
    cycle.cause = cycle;
    expect(judgeFailure(cycle).kind).toBe('unknown');
  });
});

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type AdapterOptions,
  chooseAdapter,
  isNodeFetch,
} from '../../src/transport/adapters/choose-adapter.js';
import { nodeModules } from '../../src/transport/adapters/node-connections.js';
import { ADAPTERS, asAnotherRuntime, clientOver } from '../support/adapters.js';
import { CREDENTIALS, clientFor, json, scriptedFetch } from '../support/clients.js';
import { RecordingServer } from '../support/server.js';

const CARD = { id: 'c', status: 'ACTIVE' };
const globals = globalThis as unknown as Record<symbol, unknown>;
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/** Chooses the adapter of one client, as each of its calls does. */
function adapterOf(options: AdapterOptions) {
  return chooseAdapter(options);
}

describe('isNodeFetch', () => {
  it('returns true for the global fetch of Node', () => {
    expect(isNodeFetch(globalThis.fetch)).toBe(true);
  });

  it.each([
    ['a mock', async () => json({})],
    ['a wrapper', (url: string) => globalThis.fetch(url)],
    ['a bound copy', globalThis.fetch.bind(globalThis)],
    ['nothing', undefined],
    ['an object', { toString: () => 'internal/deps/undici/undici' }],
  ])('returns false for %s', (_, fetch) => {
    expect(isNodeFetch(fetch)).toBe(false);
  });
});

describe('the adapter that a client on Node chooses', () => {
  const before = { dispatcher: undefined as unknown };
  // Node sets its dispatcher when fetch is first used.
  beforeAll(async () => {
    await globalThis.fetch('data:,x');
    before.dispatcher = globals[DISPATCHER];
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    globals[DISPATCHER] = before.dispatcher;
  });

  it('is one node:http adapter, shared by all clients', async () => {
    const usual = await adapterOf({})();
    expect(usual.isForeign).toBe(false);
    expect(adapterOf({})()).toBe(usual);
  });

  it('is the fetch that the caller passes', async () => {
    const { fetch, requests } = scriptedFetch(() => json(CARD));
    const choose = adapterOf({ fetch });
    expect((await choose()).isForeign).toBe(true);
    expect(choose()).toBe(choose());
    await clientFor('https://api.example.com', { fetch }).card.status();
    expect(requests[0]?.url).toBe('https://api.example.com/v1/card/status');
    expect(requests[0]?.init).toMatchObject({ method: 'GET', redirect: 'manual' });
  });

  it('is the global fetch while another function replaces it', async () => {
    const choose = adapterOf({});
    const usual = await choose();
    const replaced = vi.fn(async () => json(CARD));
    vi.stubGlobal('fetch', replaced);
    expect((await choose()).isForeign).toBe(true);
    expect(await clientFor('https://api.example.com').card.status()).toEqual(CARD);
    expect(replaced).toHaveBeenCalledTimes(1);
    vi.unstubAllGlobals();
    expect(await choose()).toBe(usual);
  });

  it.each([
    ['a proxy', class ProxyAgent {}],
    ['a mock', class MockAgent {}],
    ['one that reads the environment', class EnvHttpProxyAgent {}],
  ])('is the global fetch while its dispatcher is %s', async (_, Dispatcher) => {
    const choose = adapterOf({});
    globals[DISPATCHER] = new Dispatcher();
    expect((await choose()).isForeign).toBe(true);
  });

  it("is node:http when the global dispatcher is Node's own or not set yet", async () => {
    expect(globals[DISPATCHER]).toBeDefined();
    expect((await adapterOf({})()).isForeign).toBe(false);
    globals[DISPATCHER] = undefined;
    expect((await adapterOf({})()).isForeign).toBe(false);
  });

  it('is the global fetch where Node does not provide its modules', async () => {
    const { getBuiltinModule } = process;
    Object.defineProperty(process, 'getBuiltinModule', { value: undefined, configurable: true });
    try {
      expect((await adapterOf({})()).isForeign).toBe(true);
    } finally {
      Object.defineProperty(process, 'getBuiltinModule', {
        value: getBuiltinModule,
        configurable: true,
      });
    }
  });
});

describe('the adapter that a client on another runtime chooses', () => {
  it('is ky, whatever fetch is then', () => {
    const choose = asAnotherRuntime(() => adapterOf({}));
    expect(choose().isForeign).toBe(false);
    expect(choose()).toBe(choose());
  });

  it('is the fetch adapter of Deno on Deno', async () => {
    vi.stubGlobal('Deno', { createHttpClient: () => ({ close: () => {} }) });
    try {
      const choose = adapterOf({});
      expect((await choose()).isForeign).toBe(false);
      expect(choose()).toBe(choose());
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe('nodeModules', () => {
  it.each([
    ['no process', {}],
    ['a process without getBuiltinModule()', { process: {} }],
    ['no module', { process: { getBuiltinModule: () => undefined } }],
    [
      'some modules only',
      { process: { getBuiltinModule: (name: string) => (name === 'node:zlib' ? undefined : {}) } },
    ],
  ])('returns undefined with %s', (_, odd) => {
    expect(nodeModules(odd)).toBeUndefined();
  });
});

describe.each(ADAPTERS)('over %s', (adapter) => {
  it('decompresses a response body', async () => {
    const server = new RecordingServer();
    await server.start();
    const packed = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
    const seen: string[] = [];
    const client = clientOver(adapter, { baseUrl: server.baseUrl, ...CREDENTIALS });
    for (const [encoding, compress] of Object.entries(packed)) {
      const body = compress(JSON.stringify({ id: encoding, status: 'ACTIVE' }));
      server.respond = () => ({ body, headers: { 'content-encoding': encoding } });
      seen.push((await client.card.status()).id);
    }
    await server.stop();
    expect(seen).toEqual(['gzip', 'deflate', 'br']);
  });

  it('sends the method, the credentials and the body, and nothing else', async () => {
    const server = new RecordingServer();
    await server.start();
    server.respond = () => ({ body: { success: true } });
    const client = clientOver(adapter, { baseUrl: server.baseUrl, ...CREDENTIALS });
    await client.card.order({ type: 'VIRTUAL' });
    expect(server.last).toMatchObject({
      method: 'POST',
      path: '/v1/card/order',
      body: { type: 'VIRTUAL' },
      headers: {
        'content-type': 'application/json',
        'content-length': '18',
        'x-client-key': CREDENTIALS.clientKey,
        authorization: `Bearer ${CREDENTIALS.accessToken}`,
      },
    });
    expect(server.last.headers).not.toHaveProperty('x-secret-key');
    await client.wallets.internal.unlinkFromCard({ addressId: 'a' });
    expect(server.last).toMatchObject({ method: 'DELETE', body: { addressId: 'a' } });
    await server.stop();
  });
});

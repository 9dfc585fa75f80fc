import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { verifyWebhook } from '../../src/index.js';
import { createCardProxy } from '../../src/server/index.js';
import { walletFromKeypair } from '../../src/solana/wallets/keypair.js';
import { createMockPlatform, signWebhook } from '../../src/testing/index.js';
import { mswHandlers } from '../../src/testing/msw/index.js';
import { rejection } from '../support/clients.js';
import { appClient, BASE_URL, Controller, enterReactNative, signalOf } from './support.js';

beforeEach(enterReactNative);
afterEach(() => vi.unstubAllGlobals());

it('verifyWebhook reports that webhooks are verified on a server', async () => {
  const error = await rejection(verifyWebhook({ body: '{}', headers: {}, keys: 'whk' }));
  expect(error).toMatchObject({ name: 'ConfigurationError', option: 'crypto' });
  expect(String(error)).toContain('on a server');
});

it('createCardProxy reports that a proxy belongs on a server', () => {
  const make = () => createCardProxy({ client: appClient(), session: () => undefined });
  expect(make).toThrow(
    expect.objectContaining({
      name: 'ConfigurationError',
      option: 'client',
      message: expect.stringContaining('on a server, not in an app'),
    }),
  );
});

it('a key pair as a wallet is refused, because a secret key belongs on a server', () => {
  const make = () => walletFromKeypair({ secretKey: new Uint8Array(64) });
  expect(make).toThrow(expect.objectContaining({ name: 'ConfigurationError', option: 'wallet' }));
});

it('signWebhook of the testing kit needs no crypto', async () => {
  const { headers } = await signWebhook('whk', '{}', 0);
  expect(headers['x-signature']).toMatch(/^[\da-f]{64}$/);
});

it('mswHandlers names the in-memory fetch instead', () => {
  expect(() => mswHandlers(createMockPlatform())).toThrow('platform.fetch');
});

it('the in-memory platform serves a client, and its state can be saved and restored', async () => {
  const mock = createMockPlatform({ baseUrl: `${BASE_URL}/base` });
  const accessToken = mock.accessTokenFor(mock.users.add({ card: 'ACTIVE' }));
  const { clientKey } = mock.credentials;
  const { fetch, baseUrl } = mock;
  const client = appClient({ fetch: fetch as never, baseUrl, clientKey, accessToken });
  const before = mock.snapshot();
  await client.card.freeze();
  expect((await client.card.status()).status).toBe('FROZEN');
  mock.restore(before);
  expect((await client.card.status()).status).toBe('ACTIVE');
  expect(mock.requests.map(({ path }) => path)).toContain('/v1/card/freeze');
});

it('the in-memory platform rejects an aborted request with an AbortError', async () => {
  const mock = createMockPlatform();
  const controller = new Controller();
  controller.abort();
  const request = mock.fetch(`${mock.baseUrl}/v1/card/status`, { signal: signalOf(controller) });
  expect(await rejection(request)).toMatchObject({ name: 'AbortError' });
});

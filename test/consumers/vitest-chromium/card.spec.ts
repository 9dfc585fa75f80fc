import { CardPlatformClient, ConfigurationError } from 'card-platform-sdk';
import { createMockPlatform } from 'card-platform-sdk/testing';
import { mswHandlers } from 'card-platform-sdk/testing/msw';
import { setupWorker } from 'msw/browser';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const platform = createMockPlatform({ baseUrl: 'https://api.example.com' });
const worker = setupWorker(...mswHandlers(platform));
beforeAll(() => worker.start({ quiet: true, onUnhandledRequest: 'bypass' }));
afterAll(() => worker.stop());
beforeEach(() => platform.reset());

/** Creates a client as a page may have it: without the secret key. */
function signIn(fetch?: typeof globalThis.fetch) {
  const ada = platform.users.add({ card: 'ACTIVE' });
  const { baseUrl, credentials } = platform;
  const client = new CardPlatformClient({
    baseUrl,
    clientKey: credentials.clientKey,
    accessToken: platform.accessTokenFor(ada),
    ...(fetch && { fetch }),
  });
  return { ada, client };
}

describe.each([
  ['the in-memory fetch', platform.fetch],
  ['the MSW worker', undefined],
])('the client in Chromium with %s', (_access, fetch) => {
  it('freezes a card', async () => {
    const { ada, client } = signIn(fetch);
    await client.card.freeze();
    expect(platform.users.get(ada.id).card?.status).toBe('FROZEN');
    await expect(client.card.freeze()).rejects.toMatchObject({ code: 'card_already_frozen' });
    expect(platform.requests.map(({ status }) => status)).toEqual([200, 400]);
  });

  it('loads the card image once', async () => {
    const { client } = signIn(fetch);
    const { imageUrl } = await client.card.createDetailsToken();
    const send = fetch ?? globalThis.fetch;
    const first = await send(imageUrl);
    expect(first.headers.get('content-type')).toMatch(/^image\//);
    expect((await send(imageUrl)).status).toBe(410);
  });

  it('retries a freeze after its connection broke', async () => {
    const { client } = signIn(fetch);
    platform.drop('card.freeze', 'after-processing');
    expect(await client.card.freeze()).toEqual({ resolvedByRetry: true });
    expect(platform.requests.map(({ status }) => status)).toEqual([undefined, 400]);
  });

  it('sends a withdrawal once and reports an unknown outcome when its response is lost', async () => {
    const { client } = signIn(fetch);
    platform.drop('wallets.credit.withdraw', 'after-processing');
    const { error } = await client.wallets.credit.withdraw({ amount: '1' }).safe();
    expect(error).toMatchObject({ outcome: 'unknown' });
    platform.requests.only({ operation: 'wallets.credit.withdraw' });
  });

  it.each([498, 499] as const)('throws an error for status %i', async (status) => {
    const { client } = signIn(fetch);
    platform.fail('card.status', status);
    await expect(client.card.status()).rejects.toMatchObject({ status });
  });
});

it('the client rejects a secret key in Chromium', () => {
  const { baseUrl, credentials } = platform;
  expect(() => new CardPlatformClient({ baseUrl, ...credentials })).toThrow(ConfigurationError);
});

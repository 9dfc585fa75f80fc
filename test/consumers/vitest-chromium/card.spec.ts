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

/** What a page may have: no secret key. */
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
  ['platform.fetch', platform.fetch],
  ['the worker of msw', undefined],
])('in Chromium, through %s', (_door, fetch) => {
  it('freezes a card', async () => {
    const { ada, client } = signIn(fetch);
    await client.card.freeze();
    expect(platform.users.get(ada.id).card?.status).toBe('FROZEN');
    await expect(client.card.freeze()).rejects.toMatchObject({ code: 'card_already_frozen' });
    expect(platform.requests.map(({ status }) => status)).toEqual([200, 400]);
  });

  it('shows a picture of the card once', async () => {
    const { client } = signIn(fetch);
    const { imageUrl } = await client.card.createDetailsToken();
    const ask = fetch ?? globalThis.fetch;
    const first = await ask(imageUrl);
    expect(first.headers.get('content-type')).toMatch(/^image\//);
    expect((await ask(imageUrl)).status).toBe(410);
  });

  it('sees through a connection that breaks: the freeze is repeated, and was done', async () => {
    const { client } = signIn(fetch);
    platform.drop('card.freeze', 'after-processing');
    expect(await client.card.freeze()).toEqual({ success: true, resolvedByRetry: true });
    expect(platform.requests.map(({ status }) => status)).toEqual([undefined, 400]);
  });

  it('a withdrawal is received once, and unknown when its response is lost', async () => {
    const { client } = signIn(fetch);
    platform.drop('wallets.credit.withdraw', 'after-processing');
    const { error } = await client.wallets.credit.withdraw({ amount: '1' }).safe();
    expect(error).toMatchObject({ outcome: 'unknown' });
    platform.requests.only({ operation: 'wallets.credit.withdraw' });
  });

  it.each([498, 499] as const)('reads %i', async (status) => {
    const { client } = signIn(fetch);
    platform.fail('card.status', status);
    await expect(client.card.status()).rejects.toMatchObject({ status });
  });
});

it('refuses a secret key', () => {
  const { baseUrl, credentials } = platform;
  expect(() => new CardPlatformClient({ baseUrl, ...credentials })).toThrow(ConfigurationError);
});

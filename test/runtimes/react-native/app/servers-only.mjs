// Functions that belong on a server throw an error when they are called, and not when they are
// imported.
import { CardPlatformClient, verifyWebhook } from 'card-platform-sdk';
import { createCardProxy } from 'card-platform-sdk/server';
import { createMockPlatform, signWebhook } from 'card-platform-sdk/testing';
import { mswHandlers } from 'card-platform-sdk/testing/msw';
import { createMockWallet } from 'card-platform-sdk/testing/wallets';
import { expectSame, failureOf } from '../../suite/expect.mjs';

const EVENT = { event_id: 'event-1', event_type: 'card.frozen' };

/** A delivery as the service signs it. */
const DELIVERY = {
  body: '{"a":1}',
  headers: {
    'x-timestamp': '1767225600',
    'x-signature': '263a8ed2eadd6a891cbb322a613e6e56beb7677a8365bab8aea30c5b01a69c15',
  },
  keys: 'signing key',
  now: () => 1_767_225_600_000,
};

const expectNamed = async (call, name) => {
  const error = await failureOf(call);
  expectSame([error.name, /crypto/i.test(error.message)], [name, true], String(error));
};

/** Checks of functions that need Web Crypto on other runtimes, or throw an error without it. */
export const serversOnly = {
  'refuses to verify a webhook': () =>
    expectNamed(() => verifyWebhook(DELIVERY), 'ConfigurationError'),
  'refuses to create a proxy': async ({ scripted }) => {
    const client = new CardPlatformClient({ baseUrl: scripted, clientKey: 'client-key' });
    const error = await failureOf(() => createCardProxy({ client, session: () => undefined }));
    expectSame([error.name, error.option], ['ConfigurationError', 'client'], String(error));
    expectSame(error.message.includes('on a server'), true, error.message);
  },
  'refuses to create handlers of MSW, and names the in-memory fetch': async () => {
    const error = await failureOf(() => mswHandlers(createMockPlatform()));
    expectSame(error.message.includes('platform.fetch'), true, error.message);
  },
  'reports that the Solana side of the mock wallet needs Web Crypto': async () => {
    const wallet = await createMockWallet();
    const error = await failureOf(() => wallet.solana);
    expectSame(error.message.includes('crypto.subtle'), true, error.message);
  },
  'signs a webhook of the mock platform, which needs no Web Crypto': async () => {
    const { body, keys, headers, now } = DELIVERY;
    expectSame(
      (await signWebhook(keys, body, now())).headers['x-signature'],
      headers['x-signature'],
    );
    await createMockPlatform().signWebhook('key', EVENT);
  },
};

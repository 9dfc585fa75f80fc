// What belongs on a server says so when it is called, and not when it is imported.
import { verifyWebhook } from 'card-platform-sdk';
import { createMockPlatform, signWebhook } from 'card-platform-sdk/testing';
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

/** Checks of functions that need Web Crypto elsewhere, or need it to say so. */
export const serversOnly = {
  'refuses to verify a webhook': () =>
    expectNamed(() => verifyWebhook(DELIVERY), 'ConfigurationError'),
  'signs a webhook of the mock platform, which needs no Web Crypto': async () => {
    const { body, keys, headers, now } = DELIVERY;
    expectSame(
      (await signWebhook(keys, body, now())).headers['x-signature'],
      headers['x-signature'],
    );
    await createMockPlatform().signWebhook('key', EVENT);
  },
};

import { verifyWebhook, WebhookVerificationError } from 'card-platform-sdk';
import { createMockPlatform, signWebhook } from 'card-platform-sdk/testing';
import { expectError, expectSame, failureOf } from './expect.mjs';

const KEY = 'signing key';
const SIGNATURE = '263a8ed2eadd6a891cbb322a613e6e56beb7677a8365bab8aea30c5b01a69c15';
const EVENT = { event_id: 'event-1', event_type: 'card.frozen' };

/** Checks of signing and verifying deliveries with the WebCrypto of the runtime. */
export const webhooks = {
  'accepts a delivery that the mock platform signed': async () => {
    const mock = createMockPlatform();
    const delivery = await mock.signWebhook(KEY, EVENT);
    const { eventId } = await verifyWebhook({ ...delivery, keys: ['old', KEY], now: mock.now });
    expectSame(eventId, EVENT.event_id);
  },

  'computes the same signature as openssl': async () => {
    // printf '1767225600.{"a":1}' | openssl dgst -sha256 -hmac 'signing key'
    const { headers } = await signWebhook(KEY, '{"a":1}', 1_767_225_600_000);
    expectSame(headers['x-signature'], SIGNATURE);
  },

  'rejects a forged delivery and a changed body': async () => {
    const mock = createMockPlatform();
    const delivery = { ...(await mock.signWebhook('another key', EVENT)), now: mock.now };
    const code = 'webhook_signature_invalid';
    expectError(
      await failureOf(verifyWebhook({ ...delivery, keys: KEY })),
      WebhookVerificationError,
      {
        code,
      },
    );
    const changed = { ...delivery, body: delivery.body.replace('1', '2'), keys: 'another key' };
    expectError(await failureOf(verifyWebhook(changed)), WebhookVerificationError, { code });
  },
};

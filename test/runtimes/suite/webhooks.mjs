import { verifyWebhook, WebhookVerificationError } from 'card-platform-sdk';
import { createMockPlatform, signWebhook } from 'card-platform-sdk/testing';
import { failureOf, isError, same } from './expect.mjs';

const KEY = 'signing key';
const SIGNATURE = '263a8ed2eadd6a891cbb322a613e6e56beb7677a8365bab8aea30c5b01a69c15';
const EVENT = { event_id: 'event-1', event_type: 'card.frozen' };

/** Deliveries, signed and checked with the runtime's own WebCrypto. */
export const webhooks = {
  'takes a delivery that the platform signed': async () => {
    const mock = createMockPlatform();
    const delivery = await mock.signWebhook(KEY, EVENT);
    const { eventId } = await verifyWebhook({ ...delivery, keys: ['old', KEY], now: mock.now });
    same(eventId, EVENT.event_id);
  },

  'has the signature that other HMACs have': async () => {
    // printf '1767225600.{"a":1}' | openssl dgst -sha256 -hmac 'signing key'
    const { headers } = await signWebhook(KEY, '{"a":1}', 1_767_225_600_000);
    same(headers['x-signature'], SIGNATURE);
  },

  'refuses a forgery, and a body that was changed': async () => {
    const mock = createMockPlatform();
    const delivery = { ...(await mock.signWebhook('another key', EVENT)), now: mock.now };
    const code = 'webhook_signature_invalid';
    isError(await failureOf(verifyWebhook({ ...delivery, keys: KEY })), WebhookVerificationError, {
      code,
    });
    const changed = { ...delivery, body: delivery.body.replace('1', '2'), keys: 'another key' };
    isError(await failureOf(verifyWebhook(changed)), WebhookVerificationError, { code });
  },
};

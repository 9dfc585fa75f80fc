import { describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../src/index.js';
import type { MockPlatformOptions, NewUser } from '../../src/testing/index.js';
import { createWebhook, setUp } from './set-up.js';

const HOOK = 'https://hooks.example.com/card';
const VIRTUAL = { type: 'VIRTUAL' } as const;

async function withWebhook(options: MockPlatformOptions = {}, user: NewUser = {}) {
  const scene = setUp(user, options);
  const webhook = await createWebhook(scene.client, {
    name: 'events',
    url: HOOK,
    eventTypes: ['*'],
  });
  return { ...scene, webhook };
}

/** A receiver that responds with one status after the other, the last one from then on. */
function receiver(...statuses: (number | 'no response')[]) {
  const received: { url: string; body: string; headers: Record<string, string> }[] = [];
  const webhookFetch: MockPlatformOptions['webhookFetch'] = async (url, { body, headers }) => {
    received.push({ url, body, headers });
    const status = statuses[Math.min(received.length, statuses.length) - 1] ?? 204;
    if (status === 'no response') throw new TypeError('fetch failed');
    return new Response(status === 204 ? null : `status ${status}`, { status });
  };
  return { received, webhookFetch };
}

describe('the events of the mock platform', () => {
  it('are created when a card is activated, without a call of the test', async () => {
    const { mock, ada, client, webhook } = await withWebhook();
    await client.card.order(VIRTUAL);
    expect(mock.deliveries).toEqual([]);
    mock.advance('3 seconds');
    expect(mock.deliveries).toMatchObject([
      { webhookId: webhook.id, eventType: 'card.activated', attemptNumber: 1, url: HOOK },
    ]);
    const { body = '', headers = {} } = mock.deliveries[0] ?? {};
    const event = await verifyWebhook({ body, headers, keys: webhook.apiKey, now: mock.now });
    expect(event.type).toBe('card.activated');
    expect(event).toMatchObject({
      userId: ada.id,
      occurredAt: '2026-01-01T00:00:03.000Z',
      data: { userId: ada.id, cardId: ada.card?.id, status: 'ACTIVE' },
      changes: { before: { status: 'PENDING' }, after: { status: 'ACTIVE' } },
    });
  });

  it('are created for every change of the verification', async () => {
    const { mock, ada } = await withWebhook({}, { verified: false });
    mock.completeVerification(ada, 'REJECTED');
    mock.completeVerification(ada);
    mock.completeVerification(ada, 'REJECTED');
    const states = mock.deliveries.map(({ eventType, body }) => {
      expect(eventType).toBe('kyc.status.changed');
      return JSON.parse(body).event_object.verificationState;
    });
    expect(states).toEqual(['PENDING', 'REJECTED', 'PENDING', 'VERIFIED']);
    expect(ada.verificationState).toBe('VERIFIED');
  });

  it('are not created for a freeze, because the contract names no such event', async () => {
    const { mock, client } = await withWebhook({}, { card: 'ACTIVE' });
    await client.card.freeze();
    await client.card.unfreeze();
    expect(mock.deliveries).toEqual([]);
  });

  it('are not delivered to a paused or deleted webhook, or to one that subscribes to others', async () => {
    const { mock, ada, client, webhook } = await withWebhook({}, { card: 'ACTIVE' });
    await client.webhooks.update({ id: webhook.id, eventTypes: ['kyc.*'] });
    mock.cards.pay(ada, { amount: '1' });
    await client.webhooks.update({ id: webhook.id, eventTypes: ['*'], isActive: false });
    mock.cards.pay(ada, { amount: '1' });
    await client.webhooks.delete({ id: webhook.id });
    mock.cards.pay(ada, { amount: '1' });
    expect(mock.deliveries).toEqual([]);
  });

  it.each([
    [
      'vendor',
      [
        'api_version',
        'event_id',
        'event_type',
        'event_category',
        'user_id',
        'occurred_at',
        'event_object',
        'event_object_changes',
      ],
    ],
    ['snake_case', ['event_id', 'event_type', 'created_at', 'data']],
    ['camelCase', ['eventId', 'eventType', 'createdAt', 'data']],
  ] as const)('have an envelope in %s that the client reads', async (eventEnvelope, names) => {
    const { mock, ada, webhook } = await withWebhook(
      { choices: { eventEnvelope } },
      { card: 'ACTIVE' },
    );
    mock.cards.pay(ada, { amount: '1' });
    const { body = '', headers = {}, eventId } = mock.deliveries[0] ?? {};
    expect(Object.keys(JSON.parse(body))).toEqual(names);
    const event = await verifyWebhook({ body, headers, keys: webhook.apiKey, now: mock.now });
    expect(event).toMatchObject({ eventId, type: 'transaction.cleared' });
  });

  it('are the same in every run', async () => {
    const run = async () => {
      const { mock, client } = await withWebhook();
      await client.card.order(VIRTUAL);
      mock.advance('3 seconds');
      return mock.deliveries;
    };
    expect(await run()).toEqual(await run());
  });

  it('are sent to nobody unless a receiver is set', async () => {
    const { mock, ada, client, webhook } = await withWebhook({}, { card: 'ACTIVE' });
    mock.cards.pay(ada, { amount: '1' });
    mock.advance('5 hours');
    await mock.deliveriesSettled();
    const { logs } = await client.webhooks.logs({ id: webhook.id });
    expect(logs).toMatchObject([{ attemptNumber: 1, responseStatus: null, nextRetryAt: null }]);
  });
});

describe('the delivery of an event by the mock platform', () => {
  async function pay(...statuses: (number | 'no response')[]) {
    const { received, webhookFetch } = receiver(...statuses);
    const scene = await withWebhook({ webhookFetch }, { card: 'ACTIVE' });
    scene.mock.cards.pay(scene.ada, { amount: '1' });
    await scene.mock.deliveriesSettled();
    const advance = async (duration: Parameters<typeof scene.mock.advance>[0]) => {
      scene.mock.advance(duration);
      await scene.mock.deliveriesSettled();
    };
    return { ...scene, received, advance };
  }

  it('is sent to the URL of the webhook, once when the receiver accepts it', async () => {
    const { mock, received, advance, webhook } = await pay(204);
    await advance('1 day');
    expect(received.map(({ url }) => url)).toEqual([HOOK]);
    const [{ body, headers } = { body: '', headers: {} }] = received;
    const at = Date.UTC(2026, 0, 1);
    await verifyWebhook({ body, headers, keys: webhook.apiKey, now: at });
    expect(mock.deliveries).toMatchObject([{ status: 204, deliveryStatus: 'success' }]);
  });

  it.each([
    500,
    503,
    'no response',
  ] as const)('is retried with back-off after %s', async (first) => {
    const { mock, received, advance, webhook } = await pay(first, first, 200);
    expect(received).toHaveLength(1);
    await advance(999);
    expect(received).toHaveLength(1);
    await advance(1);
    expect(received).toHaveLength(2);
    await advance('299 seconds');
    expect(received).toHaveLength(2);
    await advance('1 second');
    expect(received).toHaveLength(3);
    await advance('1 day');
    expect(received).toHaveLength(3);
    expect(mock.deliveries.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 2, 3]);
    expect(new Set(mock.deliveries.map(({ eventId }) => eventId)).size).toBe(1);
    const statuses = mock.deliveries.map(({ deliveryStatus }) => deliveryStatus);
    expect(statuses).toEqual(['failed', 'failed', 'success']);
    // Each attempt is signed at its own time, so that a receiver does not find it too old.
    const { body, headers } = received[1] ?? { body: '', headers: {} };
    const now = Date.UTC(2026, 0, 1) + 1_000;
    await verifyWebhook({ body, headers, keys: webhook.apiKey, now, toleranceSeconds: 1 });
  });

  it('is retried after 1 second, 5 and 30 minutes, 2 and 12 hours, and then no more', async () => {
    const { mock, received, advance } = await pay(500, 500, 500, 500, 500, 500, 500);
    const minute = 60_000;
    for (const delay of [1_000, 5 * minute, 30 * minute, 120 * minute, 720 * minute]) {
      const before = received.length;
      await advance(delay - 1);
      expect(received).toHaveLength(before);
      await advance(1);
      expect(received).toHaveLength(before + 1);
    }
    await advance('30 days');
    expect(received).toHaveLength(6);
    expect(mock.deliveries.at(-1)).toMatchObject({ deliveryStatus: 'failed', nextRetryAt: null });
  });

  it('is done after 299', async () => {
    const { mock, received, advance } = await pay(299);
    await advance('1 day');
    expect(received).toHaveLength(1);
    expect(mock.deliveries).toMatchObject([{ status: 299, deliveryStatus: 'success' }]);
  });

  it.each([300, 302, 400, 401, 404, 410, 429, 499])('is not retried after %i', async (status) => {
    const { mock, received, advance } = await pay(status);
    await advance('1 day');
    expect(received).toHaveLength(1);
    expect(mock.deliveries).toMatchObject([{ deliveryStatus: 'failed', nextRetryAt: null }]);
  });

  it('is given up after the last delay', async () => {
    const { mock, received, advance } = await pay(500);
    for (let i = 0; i < 10; i++) await advance('1 day');
    expect(received).toHaveLength(6);
    expect(mock.deliveries.at(-1)).toMatchObject({ attemptNumber: 6, deliveryStatus: 'failed' });
  });

  it('is retried after the delays of the option', async () => {
    const { received, webhookFetch } = receiver(500);
    const { mock, ada } = await withWebhook(
      { webhookFetch, webhookRetryDelays: [1_000] },
      { card: 'ACTIVE' },
    );
    mock.cards.pay(ada, { amount: '1' });
    for (let i = 0; i < 3; i++) {
      await mock.deliveriesSettled();
      mock.advance('1 second');
    }
    await mock.deliveriesSettled();
    expect(received).toHaveLength(2);
  });

  it('is signed with the new key after a rotation, and stops when the webhook is deleted', async () => {
    const { received, client, webhook, advance, mock } = await pay(500);
    const { data } = await client.webhooks.rotateKey({ id: webhook.id });
    await advance('1 minute');
    const { body, headers } = received[1] ?? { body: '', headers: {} };
    await verifyWebhook({ body, headers, keys: data.apiKey, now: mock.now });
    await client.webhooks.delete({ id: webhook.id });
    await advance('1 day');
    expect(received).toHaveLength(2);
  });

  it('is not retried while the webhook is paused', async () => {
    const { received, client, webhook, advance } = await pay(500);
    await client.webhooks.update({ id: webhook.id, isActive: false });
    await advance('1 day');
    expect(received).toHaveLength(1);
  });

  it('is not retried once the webhook no longer wants events of this type', async () => {
    const { received, client, webhook, advance } = await pay(500);
    await client.webhooks.update({ id: webhook.id, eventTypes: ['kyc.status.changed'] });
    await advance('1 day');
    expect(received).toHaveLength(1);
  });

  it('is awaited together with the deliveries that it causes', async () => {
    let received = 0;
    const { mock, ada } = await withWebhook(
      {
        webhookFetch: async () => {
          received++;
          const isFirst = received === 1;
          await new Promise((resolve) => setImmediate(resolve));
          if (isFirst) mock.cards.pay(ada, { amount: '2' });
          return new Response(null, { status: 204 });
        },
      },
      { card: 'ACTIVE' },
    );
    mock.cards.pay(ada, { amount: '1' });
    await mock.deliveriesSettled();
    const statuses = mock.deliveries.map(({ deliveryStatus }) => deliveryStatus);
    expect(statuses).toEqual(['success', 'success']);
  });

  it('shows the first thousand characters of a response in the log', async () => {
    const response = `${'a'.repeat(999)}bc`;
    const { mock, ada, client, webhook } = await withWebhook(
      { webhookFetch: () => new Response(response) },
      { card: 'ACTIVE' },
    );
    mock.cards.pay(ada, { amount: '1' });
    await mock.deliveriesSettled();
    const { logs } = await client.webhooks.logs({ id: webhook.id });
    expect(logs).toMatchObject([{ responseBody: `${'a'.repeat(999)}b` }]);
  });

  it('is in the log of its webhook, newest first, with the fields of the service', async () => {
    const { client, webhook, advance } = await pay(500, 200);
    await advance('1 minute');
    const { count, logs } = await client.webhooks.logs({ id: webhook.id });
    expect(count).toBe(2);
    expect(logs).toMatchObject([
      {
        webhookId: webhook.id,
        attemptNumber: 2,
        requestUrl: HOOK,
        requestHeaders: { 'x-signature': expect.stringMatching(/^[0-9a-f]{64}$/) },
        requestBody: {
          event_type: 'transaction.cleared',
          event_object: { amountInTransactionCurrency: '1' },
        },
        responseStatus: 200,
        responseBody: 'status 200',
        errorMessage: null,
        deliveryStatus: 'success',
        durationMs: 0,
        createdAt: '2026-01-01T00:01:00.000Z',
        nextRetryAt: null,
      },
      {
        attemptNumber: 1,
        responseStatus: 500,
        deliveryStatus: 'failed',
        // The next attempt was made already.
        nextRetryAt: null,
      },
    ]);
    expect((await client.webhooks.logs({ id: webhook.id, limit: 1 })).logs).toHaveLength(1);
  });

  it('is part of a snapshot, and continues from there', async () => {
    const { mock, received, advance } = await pay(500, 200, 200);
    const snapshot = mock.snapshot();
    await advance('1 minute');
    mock.restore(snapshot);
    expect(mock.deliveries).toHaveLength(1);
    await advance('1 minute');
    expect(received).toHaveLength(3);
  });
});

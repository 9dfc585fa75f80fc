import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyWebhook } from '../../src/index.js';
import { RecordingServer } from '../support/server.js';
import { setUp } from './set-up.js';

const server = new RecordingServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const URL = 'https://hooks.example.com/card';

async function withWebhook(eventTypes: string[]) {
  const scene = setUp();
  const { data } = await scene.client.webhooks.create({ name: 'events', url: URL, eventTypes });
  return { ...scene, webhook: data };
}

it.each([
  [['card.activated'], 1],
  [['card.*'], 1],
  [['*'], 1],
  [['card.frozen', 'transaction.*'], 0],
])('webhooks that named %j hear of an activated card %d times', async (eventTypes, times) => {
  const { mock } = await withWebhook(eventTypes);
  expect(await mock.deliver({ type: 'card.activated' })).toHaveLength(times);
});

it('a delivery verifies with the webhook’s key, and is in its log', async () => {
  const { mock, client, webhook } = await withWebhook(['*']);
  const [delivery] = await mock.deliver({ type: 'card.activated', data: { cardId: 'c' } });
  if (delivery === undefined) throw new Error('nothing was delivered');
  const { body, headers } = delivery;
  const event = await verifyWebhook({ body, headers, keys: webhook.apiKey, now: mock.now });
  expect(event).toMatchObject({ type: 'card.activated', eventId: delivery.eventId });
  const { logs } = (await client.webhooks.logs({ id: webhook.id })) as { logs: unknown[] };
  expect(logs).toMatchObject([
    { eventId: delivery.eventId, requestUrl: URL, responseStatus: null },
  ]);
});

it('a rotated key signs from then on, and a paused webhook hears nothing', async () => {
  const { mock, client, webhook } = await withWebhook(['*']);
  const { data } = await client.webhooks.rotateKey({ id: webhook.id });
  const [delivery] = await mock.deliver({ type: 'card.activated' });
  const { body = '', headers = {} } = delivery ?? {};
  const keys = data.apiKey;
  await expect(verifyWebhook({ body, headers, keys, now: mock.now })).resolves.toBeDefined();
  const old = verifyWebhook({ body, headers, keys: webhook.apiKey, now: mock.now });
  await expect(old).rejects.toMatchObject({ name: 'WebhookVerificationError' });
  await client.webhooks.update({ id: webhook.id, isActive: false });
  expect(await mock.deliver({ type: 'card.activated' })).toEqual([]);
});

it('is sent to this machine when that is asked for', async () => {
  const { mock } = await withWebhook(['*']);
  server.respond = () => ({ status: 204 });
  const to = `${server.baseUrl}/hooks`;
  const [delivery] = await mock.deliver({ type: 'card.activated' }, { to });
  expect(delivery?.status).toBe(204);
  expect(server.last.path).toBe('/hooks');
  expect(server.last.headers['x-signature']).toBe(delivery?.headers['x-signature']);
  const nobody = await mock.deliver({ type: 'card.activated' }, { to: 'http://127.0.0.1:1/' });
  expect(nobody[0]?.status).toBeNull();
});

it.each([
  'https://hooks.example.com/',
  'http://hooks.example.com/',
  'http://127.0.0.1.evil.example/',
])('is never sent to %s', async (to) => {
  const { mock } = await withWebhook(['*']);
  await expect(mock.deliver({ type: 'card.activated' }, { to })).rejects.toThrow(/this machine/);
});

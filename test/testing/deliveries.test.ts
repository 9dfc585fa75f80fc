import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { verifyWebhook } from '../../src/index.js';
import { RecordingServer } from '../support/server.js';
import { createWebhook, setUp } from './set-up.js';

const server = new RecordingServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const URL = 'https://hooks.example.com/card';

async function withWebhook(eventTypes: string[]) {
  const platform = setUp();
  const webhook = await createWebhook(platform.client, { name: 'events', url: URL, eventTypes });
  return { ...platform, webhook };
}

it.each([
  [['card.activated'], 1],
  [['card.*'], 1],
  [['*'], 1],
  [['card.frozen', 'transaction.*'], 0],
])('a webhook for %j receives %d deliveries of card.activated', async (eventTypes, times) => {
  const { mock } = await withWebhook(eventTypes);
  expect(await mock.deliver({ type: 'card.activated' })).toHaveLength(times);
});

it('a mock delivery verifies with the key of its webhook and is in its log', async () => {
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

it('mock deliveries use a rotated key at once, and skip an inactive webhook', async () => {
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

it('a mock delivery is posted to a URL on this machine when `to` is set', async () => {
  const { mock } = await withWebhook(['*']);
  server.respond = () => ({ status: 204 });
  const to = `${server.baseUrl}/hooks`;
  const [delivery] = await mock.deliver({ type: 'card.activated' }, { to });
  expect(delivery?.status).toBe(204);
  expect(server.last.path).toBe('/hooks');
  expect(server.last.headers['x-signature']).toBe(delivery?.headers['x-signature']);
  const refused = await mock.deliver({ type: 'card.activated' }, { to: 'http://127.0.0.1:1/' });
  expect(refused[0]?.status).toBeNull();
});

it('a mock delivery follows no redirect, so that no event reaches another server', async () => {
  const { mock } = await withWebhook(['*']);
  const headers = { location: `${server.baseUrl}/elsewhere` };
  server.respond = ({ path }) => (path === '/hooks' ? { status: 307, headers } : { status: 204 });
  const earlier = server.requests.length;
  const to = `${server.baseUrl}/hooks`;
  const [delivery] = await mock.deliver({ type: 'card.activated' }, { to });
  expect(delivery?.status).toBe(307);
  expect(server.requests.slice(earlier).map(({ path }) => path)).toEqual(['/hooks']);
});

it.each([
  'https://hooks.example.com/',
  'http://hooks.example.com/',
  'http://127.0.0.1.evil.example/',
])('a mock delivery is never sent to %s', async (to) => {
  const { mock } = await withWebhook(['*']);
  await expect(mock.deliver({ type: 'card.activated' }, { to })).rejects.toThrow(/this machine/);
});

it.each([
  'https://hooks.example.com/',
  'http://127.0.0.1.evil.example/',
])('a state with a forwarding to %s sends nothing there', async (forwardsTo) => {
  const { mock } = await withWebhook(['*']);
  const [webhook] = mock.state.webhooks;
  if (webhook === undefined) throw new Error('there is no webhook');
  webhook.forwardsTo = forwardsTo;
  const sent = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response());
  onTestFinished(() => sent.mockRestore());
  const [delivery] = await mock.deliver({ type: 'card.activated' });
  expect(delivery).toMatchObject({ status: null, errorMessage: expect.stringMatching(/machine/) });
  expect(sent).not.toHaveBeenCalled();
});

it('an event that was on its way when a snapshot was taken is sent again after its restoration', async () => {
  const responses: ((response: Response) => void)[] = [];
  const { mock, client } = setUp(
    {},
    { webhookFetch: () => new Promise<Response>((resolve) => responses.push(resolve)) },
  );
  await createWebhook(client, { name: 'events', url: URL, eventTypes: ['*'] });
  const delivering = mock.deliver({ type: 'card.activated' });
  const snapshot = mock.snapshot();
  responses[0]?.(new Response(null, { status: 503 }));
  await delivering;
  mock.restore(snapshot);
  mock.advance('1 second');
  responses[1]?.(new Response(null, { status: 204 }));
  await mock.deliveriesSettled();
  expect(mock.deliveries).toMatchObject([
    { attemptNumber: 1, deliveryStatus: 'failed' },
    { attemptNumber: 2, status: 204, deliveryStatus: 'success' },
  ]);
});

it('a receiver that does not respond keeps no program running', async () => {
  const { mock, client } = setUp({}, { webhookFetch: () => new Promise<Response>(() => {}) });
  await createWebhook(client, { name: 'events', url: URL, eventTypes: ['*'] });
  const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
  const before = timers();
  const delivering = mock.deliver({ type: 'card.activated' });
  expect(timers()).toBe(before);
  mock.reset();
  await delivering;
});

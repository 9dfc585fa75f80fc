import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { verifyWebhook } from '../../src/index.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { createMockPlatform } from '../../src/testing/index.js';
import { onPlatform, PLATFORMS } from './platforms.js';

const WEBHOOK = { name: 'n', url: 'https://hooks.example.com/card', eventTypes: ['card.*'] };

/** A server on this machine that responds with one status after the other, then with 204. */
async function receiver(...statuses: number[]) {
  const received: { body: string; headers: Headers }[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ body, headers: new Headers(request.headers as Record<string, string>) });
    response.writeHead(statuses.shift() ?? 204).end();
    for (const resolve of waiting.splice(0)) resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  onTestFinished(() => server.closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const hasReceived = async (count: number) => {
    while (received.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return { url, received, hasReceived };
}

describe.each(PLATFORMS)('a webhook of the platform %s', (way) => {
  it('is inactive until it is activated', () =>
    onPlatform(way, {}, async ({ client, mock }) => {
      const { data } = await client.webhooks.create(WEBHOOK);
      expect(data?.isActive).toBe(false);
      expect(await mock.deliver({ type: 'card.activated' })).toEqual([]);
      await client.webhooks.update({ id: data?.id ?? '', isActive: true });
      expect(await mock.deliver({ type: 'card.activated' })).toHaveLength(1);
    }));

  it('gets an event again after a second, and its log shows both attempts', () => {
    const statuses = [503, 204];
    const webhookFetch = () => new Response(null, { status: statuses.shift() ?? 500 });
    return onPlatform(way, { platform: { webhookFetch } }, async ({ client, mock }) => {
      const { data } = await client.webhooks.create({ ...WEBHOOK, isActive: true });
      await mock.deliver({ type: 'card.activated', data: { userId: 'u' } });
      mock.advance(999);
      await mock.deliveriesSettled();
      expect(mock.deliveries).toHaveLength(1);
      mock.advance(1);
      await mock.deliveriesSettled();
      const { logs } = await client.webhooks.logs({ id: data?.id ?? '' });
      expect(logs).toMatchObject([
        { attemptNumber: 2, responseStatus: 204, deliveryStatus: 'success' },
        { attemptNumber: 1, responseStatus: 503, deliveryStatus: 'failed' },
      ]);
      for (const { requestBody } of logs ?? []) {
        expect(requestBody).toMatchObject({
          event_id: expect.any(String),
          event_type: 'card.activated',
          event_category: 'card',
          api_version: expect.any(String),
          user_id: 'u',
          occurred_at: new Date(Date.UTC(2026, 0, 1)).toISOString(),
          event_object: { userId: 'u' },
          event_object_changes: null,
        });
      }
    });
  });

  it.each([
    'vendor',
    'snake_case',
    'camelCase',
  ] as const)('gets events in the form %s, which the client reads', (eventEnvelope) =>
    onPlatform(way, { platform: { choices: { eventEnvelope } } }, async ({ client, mock }) => {
      const { data } = await client.webhooks.create({ ...WEBHOOK, isActive: true });
      const event = { type: 'card.activated', data: { userId: 'u', cardId: 'c' } };
      const [delivery] = await mock.deliver(event);
      const { body = '', headers = {}, eventId } = delivery ?? {};
      const keys = data?.apiKey ?? '';
      expect(await verifyWebhook({ body, headers, keys, now: mock.now })).toMatchObject({
        ...{ eventId, type: 'card.activated', data: event.data },
        occurredAt: new Date(mock.now).toISOString(),
        userId: eventEnvelope === 'vendor' ? 'u' : undefined,
      });
    }));
});

describe('a delivery that leaves the process', () => {
  const keys = 'whk_forwarded';

  it('is signed at the real time, however far the clock of the platform is ahead', async () => {
    const { url, received } = await receiver();
    const mock = createMockPlatform();
    const client = mock.users.add();
    mock.advance('40 days');
    mock.state.webhooks.push({
      ...{ id: 'w', tenant: '', name: 'n', url, apiKey: keys, eventTypes: ['*'], isActive: true },
      ...{ metadata: {}, createdAt: '', updatedAt: '' },
    });
    const tenant = client.tenant;
    mock.webhooks.get('w').tenant = tenant;
    await mock.deliver({ type: 'card.activated' }, { to: url });
    const [delivery] = received;
    if (delivery === undefined) throw new Error('nothing arrived');
    await expect(verifyWebhook({ ...delivery, keys })).resolves.toBeDefined();
    await mock.deliver({ type: 'card.activated' });
    const inside = mock.deliveries.at(-1);
    expect(inside?.headers['x-timestamp']).toBe(String(mock.now / 1000));
  });

  it('of a sandbox verifies after its clock was advanced, also with an action that finishes something', async () => {
    const { url, received } = await receiver();
    const sandbox = await startSandbox(0, 'demo', Date.now, {
      webhookFetch: (_, init) => fetch(url, init),
    });
    onTestFinished(sandbox.stop);
    const act = (name: string, input: object) =>
      fetch(`${sandbox.url}/sandbox/actions/${name}`, {
        method: 'POST',
        body: JSON.stringify(input),
        headers: { 'content-type': 'application/json' },
      });
    const { platform } = sandbox;
    const [tenant] = platform.state.tenants;
    const grace = platform.users.get('grace@example.com');
    platform.state.webhooks.push({
      ...{ id: 'w', name: 'n', url, apiKey: keys, eventTypes: ['*'], isActive: true },
      ...{ tenant: tenant?.name ?? '', metadata: {}, createdAt: '', updatedAt: '' },
    });
    const before = await (await fetch(`${sandbox.url}/sandbox/state`)).json();
    expect(before.clockAhead).toBe(0);
    await act('advance', { duration: '6 hours' });
    await act('verify', { user: grace.email });
    await platform.deliveriesSettled();
    expect(grace.verificationState).toBe('VERIFIED');
    expect(received).toHaveLength(2);
    for (const delivery of received) {
      const event = await verifyWebhook({ ...delivery, keys });
      expect(event).toMatchObject({ type: 'kyc.status.changed', userId: grace.id });
    }
    const after = await (await fetch(`${sandbox.url}/sandbox/state`)).json();
    expect(after.clockAhead).toBe(6 * 3_600_000);
    expect(await (await fetch(sandbox.url)).text()).toContain('6 hours ahead of real time');
  });

  it('is sent again by a sandbox that receives no other request', async () => {
    const { url, received, hasReceived } = await receiver(503);
    let time = Date.now();
    const sandbox = await startSandbox(0, 'empty', () => time, {
      webhookFetch: (_, init) => fetch(url, init),
    });
    onTestFinished(sandbox.stop);
    sandbox.platform.state.webhooks.push({
      ...{ id: 'w', tenant: 'mock-tenant', name: 'n', url, apiKey: keys, eventTypes: ['*'] },
      ...{ isActive: true, metadata: {}, createdAt: '', updatedAt: '' },
    });
    await sandbox.platform.deliver({ type: 'card.activated' });
    time += 1_000;
    await hasReceived(2);
    expect(received[1]?.body).toBe(received[0]?.body);
  });
});

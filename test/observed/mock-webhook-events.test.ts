import { describe, expect, it } from 'vitest';
import { setUpObserved } from './support.js';

const EVENTS = '/v1/webhooks/events';

type Shown = { id: string; eventId: string; status: string; eventType: string };

async function withWebhooks(count = 1, respond: () => number = () => 200) {
  const scene = await setUpObserved(
    {},
    { webhookFetch: () => new Response(null, { status: respond() }) },
  );
  const { mock, send, token } = scene;
  for (let index = 0; index < count; index++) {
    const body = { name: 'n', url: 'https://hooks.example/h', event_types: ['*'], is_active: true };
    await send('POST /v1/webhooks', { token, body });
  }
  const emit = async (type: string) => {
    await mock.deliver({ type, data: { userId: scene.ada.id } });
  };
  const list = async (query: Record<string, string> = {}) => {
    const { body } = await send(`GET ${EVENTS}`, { token, query });
    return body as unknown as { total: number; events: Shown[] };
  };
  return { ...scene, emit, list };
}

describe('the webhook events of the mock platform', () => {
  it('lists the events that were delivered, the newest first', async () => {
    const { ada, emit, list } = await withWebhooks(2);
    await emit('card.activated');
    await emit('kyc.status.changed');
    const { total, events } = await list();
    expect(total).toBe(2);
    expect(events.map(({ eventType }) => eventType)).toEqual([
      'kyc.status.changed',
      'card.activated',
    ]);
    expect(events[0]).toEqual({
      id: `evt_${events[0]?.eventId}`,
      eventId: expect.any(String),
      tenant: 'mock-tenant',
      eventType: 'kyc.status.changed',
      payload: { userId: ada.id },
      userId: ada.id,
      sourceService: 'mock-platform',
      status: 'completed',
      createdAt: expect.any(String),
      processedAt: expect.any(String),
      queuedAt: expect.any(String),
    });
  });

  it('is not the webhook with the id "events"', async () => {
    const { mock, list } = await withWebhooks();
    await list();
    expect(mock.requests.last?.operation).toBe('webhooks.events.list');
  });

  it('needs no client key', async () => {
    const { mock, token } = await withWebhooks();
    const headers = { authorization: `Bearer ${token}` };
    expect((await mock.fetch(`${mock.baseUrl}${EVENTS}`, { headers })).status).toBe(200);
    expect((await mock.fetch(`${mock.baseUrl}${EVENTS}`)).status).toBe(401);
  });

  it('filters by status and ends at the limit, of 50 without one', async () => {
    let status = 500;
    const { mock, emit, list } = await withWebhooks(1, () => status);
    await emit('card.activated');
    status = 400;
    await emit('card.activated');
    status = 200;
    for (let index = 0; index < 50; index++) await emit('card.activated');
    const counts = ['pending', 'failed', 'completed', 'processing', 'skipped'].map(async (one) => {
      return (await list({ status: one })).total;
    });
    expect(await Promise.all(counts)).toEqual([1, 1, 50, 0, 0]);
    expect((await list()).events).toHaveLength(50);
    const [newest, second] = (await list()).events;
    expect(await list({ limit: '2' })).toEqual({ total: 52, events: [newest, second] });
    expect(newest?.eventId).toBe(mock.deliveries.at(-1)?.eventId);
    mock.advance('1 minute');
    await mock.deliveriesSettled();
    expect((await list({ status: 'pending' })).total).toBe(0);
  });

  it.each([
    { limit: '0' },
    { limit: '101' },
    { limit: 'many' },
    { status: 'unknown' },
  ])('refuses %o with 400', async (query: Record<string, string>) => {
    const { send, token } = await withWebhooks();
    const { status, body } = await send(`GET ${EVENTS}`, { token, query });
    expect({ status, body }).toEqual({ status: 400, body: { message: expect.any(String) } });
  });

  it('takes either id of an event in the path', async () => {
    const { emit, list, send, token } = await withWebhooks();
    await emit('card.activated');
    const [event] = (await list()).events;
    for (const id of [event?.id, event?.eventId]) {
      const { body } = await send(`GET ${EVENTS}/${id}/status`, { token });
      expect(body).toEqual({
        id: event?.id,
        eventId: event?.eventId,
        status: 'completed',
        eventType: 'card.activated',
        createdAt: expect.any(String),
        processedAt: expect.any(String),
      });
    }
  });

  it('has no time of processing while a delivery waits', async () => {
    const { emit, list, send, token } = await withWebhooks(1, () => 503);
    await emit('card.activated');
    const [event] = (await list()).events;
    const { body } = await send(`GET ${EVENTS}/${event?.id}/status`, { token });
    expect(body).toMatchObject({ status: 'pending', processedAt: null });
  });

  it('shows every attempt in the logs, the newest first', async () => {
    let status = 503;
    const { mock, emit, list, send, token } = await withWebhooks(1, () => status);
    await emit('card.activated');
    status = 200;
    mock.advance('1 minute');
    await mock.deliveriesSettled();
    const [event] = (await list()).events;
    const { body } = await send(`GET ${EVENTS}/${event?.id}/logs`, { token });
    expect(body).toMatchObject({
      event: { id: event?.id, status: 'completed' },
      logs: [
        { attemptNumber: 2, responseStatus: 200 },
        { attemptNumber: 1, responseStatus: 503 },
      ],
    });
  });

  it('delivers an event again to every webhook, or to one', async () => {
    const { mock, emit, list, send, token } = await withWebhooks(2);
    await emit('card.activated');
    const [event] = (await list()).events;
    const retry = (body?: unknown) => send(`POST ${EVENTS}/${event?.id}/retry`, { token, body });
    expect((await retry()).body).toEqual({
      success: true,
      data: { eventId: event?.eventId, webhookCount: 2, message: expect.any(String) },
    });
    const webhookId = mock.state.webhooks[0]?.id;
    expect((await retry({ webhookId })).body).toMatchObject({ data: { webhookCount: 1 } });
    await mock.deliveriesSettled();
    expect(mock.deliveries.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 1, 2, 2, 3]);
    expect(new Set(mock.deliveries.map(({ eventId }) => eventId)).size).toBe(1);
  });

  it('refuses a retry to a webhook id of another form, to none, and to a paused one', async () => {
    const { mock, emit, list, send, token } = await withWebhooks();
    await emit('card.activated');
    const [event] = (await list()).events;
    const retry = (body?: unknown) => send(`POST ${EVENTS}/${event?.id}/retry`, { token, body });
    expect((await retry({ webhookId: 'hook' })).status).toBe(400);
    expect((await retry({ webhookId: crypto.randomUUID() })).status).toBe(400);
    for (const webhook of mock.webhooks) webhook.isActive = false;
    expect((await retry()).status).toBe(400);
    expect(mock.deliveries).toHaveLength(1);
  });

  it('retries a waiting delivery at once, and not a second time when it is due', async () => {
    let status = 503;
    const { mock, emit, list, send, token } = await withWebhooks(1, () => status);
    await emit('card.activated');
    status = 200;
    const [event] = (await list()).events;
    await send(`POST ${EVENTS}/${event?.id}/retry`, { token });
    mock.advance('1 minute');
    await mock.deliveriesSettled();
    expect(mock.deliveries.map((one) => one.deliveryStatus)).toEqual(['failed', 'success']);
    expect(mock.deliveries.map((one) => one.nextRetryAt)).toEqual([null, null]);
  });

  it('retries a delivery that is on its way, and not a second time when that one fails', async () => {
    const responses: ((response: Response) => void)[] = [];
    const { mock, send, token } = await setUpObserved(
      {},
      { webhookFetch: () => new Promise<Response>((resolve) => responses.push(resolve)) },
    );
    const body = { name: 'n', url: 'https://hooks.example/h', event_types: ['*'], is_active: true };
    await send('POST /v1/webhooks', { token, body });
    void mock.deliver({ type: 'card.activated' });
    const eventId = mock.deliveries[0]?.eventId;
    await send(`POST ${EVENTS}/${eventId}/retry`, { token });
    for (const respond of responses) respond(new Response(null, { status: 503 }));
    await mock.deliveriesSettled();
    expect(mock.deliveries).toMatchObject([
      { attemptNumber: 1, deliveryStatus: 'failed', nextRetryAt: null },
      { attemptNumber: 2, deliveryStatus: 'pending', nextRetryAt: '2026-01-01T00:05:00.000Z' },
    ]);
    mock.advance('1 second');
    expect(responses).toHaveLength(2);
  });

  it('shows a tenant its own events only', async () => {
    const { mock, emit, send } = await withWebhooks();
    await emit('card.activated');
    mock.tenants.add('acme');
    const bob = mock.users.add({ tenant: 'acme' });
    const { body } = await send(`GET ${EVENTS}`, { token: mock.accessTokenFor(bob) });
    expect(body).toEqual({ total: 0, events: [] });
  });

  it('keeps the events of a webhook that was deleted', async () => {
    const { mock, emit, list } = await withWebhooks();
    await emit('card.activated');
    mock.state.webhooks = [];
    expect((await list()).total).toBe(1);
  });

  it.each([
    ['GET', 'status'],
    ['GET', 'logs'],
    ['POST', 'retry'],
  ])('responds 404 to an unknown event at %s %s, and 503 without the service', async (method, path) => {
    const { mock, send, token } = await withWebhooks();
    expect((await send(`${method} ${EVENTS}/unknown/${path}`, { token })).status).toBe(404);
    mock.state.isNotificationServiceConfigured = false;
    expect((await send(`${method} ${EVENTS}/unknown/${path}`, { token })).status).toBe(503);
    expect((await send(`GET ${EVENTS}`, { token })).status).toBe(503);
  });
});

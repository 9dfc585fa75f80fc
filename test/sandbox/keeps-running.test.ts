import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { runAction } from './run-action.js';

let now = Date.UTC(2026, 0, 1);
let sandbox: Sandbox;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  sandbox = await startSandbox(0, 'demo', () => now);
});
afterEach(async () => {
  await sandbox.stop();
  vi.useRealTimers();
});

/** Lets the sandbox tick. An error in a tick would end its process; here it is thrown. */
function tick(): void {
  now += 2_000;
  vi.advanceTimersByTime(1_000);
}

const stateStatus = async () => (await fetch(`${sandbox.url}/sandbox/state`)).status;

it('a sandbox runs on when its clock has reached the last time that it can show', async () => {
  const end = { to: '9999-12-31T23:59:59.999Z' };
  expect((await runAction(sandbox, 'advance', end)).status).toBe(200);
  tick();
  expect(await stateStatus()).toBe(200);
});

const WEBHOOK = {
  id: 'webhook-1',
  tenant: 'mock-tenant',
  name: 'events',
  url: 'https://hooks.example.com/card',
  apiKey: 'whk_test',
  eventTypes: ['*'],
  isActive: true,
  metadata: {},
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

const DELIVERY = {
  id: 'delivery-1',
  webhookId: 'webhook-1',
  eventId: 'event-1',
  eventType: 'card.activated',
  attemptNumber: 1,
  url: 'https://hooks.example.com/card',
  body: '{}',
  headers: {},
  status: 503,
  responseBody: '',
  errorMessage: null,
  deliveryStatus: 'pending',
  createdAt: '2026-01-01T00:00:00.000Z',
  nextRetryAt: '2026-01-01T00:00:00.000Z',
};

const without = (whole: object, name: string) =>
  Object.fromEntries(Object.entries(whole).filter(([other]) => other !== name));

it.each<[string, unknown]>([
  ['users', null],
  ['users', { verification: null, card: null }],
  ['deliveries', null],
  ...Object.keys(DELIVERY).map((name): [string, unknown] => [
    'deliveries',
    without(DELIVERY, name),
  ]),
  ['deliveries', { ...DELIVERY, body: 1 }],
  ['deliveries', { ...DELIVERY, headers: { a: 1 } }],
  ['deliveries', { ...DELIVERY, deliveryStatus: 'sent' }],
  ['deliveries', { ...DELIVERY, to: 'https://collector.example/hooks' }],
  ['deliveries', { ...DELIVERY, to: 'http://127.0.0.1.evil.example/' }],
  ['webhooks', null],
  ['webhooks', { isActive: true }],
  ...Object.keys(WEBHOOK).map((name): [string, unknown] => ['webhooks', without(WEBHOOK, name)]),
  ['webhooks', { ...WEBHOOK, eventTypes: '*' }],
  ['webhooks', { ...WEBHOOK, eventTypes: [null] }],
  ['webhooks', { ...WEBHOOK, apiKey: 1 }],
  ['tenants', null],
  ['tenants', { name: 'mock-tenant' }],
])('a snapshot whose %s contain %j is refused, and changes nothing', async (part, broken) => {
  const response = await fetch(`${sandbox.url}/sandbox/snapshot`);
  const before = (await response.json()) as { state: object };
  const state = { ...before.state, [part]: [broken] };
  const { status, body } = await runAction(sandbox, 'restoreSnapshot', {
    snapshot: { ...before, state },
  });
  expect([status, body]).toEqual([
    400,
    { error: 'snapshot must come from this version of the sandbox' },
  ]);
  tick();
  expect(await stateStatus()).toBe(200);
  expect(sandbox.platform.users.has('ada@example.com')).toBe(true);
});

it('a snapshot with a webhook and a delivery that is due is restored, and the delivery is made', async () => {
  const before = sandbox.platform.snapshot();
  const state = { ...before.state, webhooks: [WEBHOOK], deliveries: [DELIVERY] };
  const { status } = await runAction(sandbox, 'restoreSnapshot', {
    snapshot: { ...before, state },
  });
  expect(status).toBe(200);
  tick();
  expect(sandbox.platform.deliveries).toMatchObject([
    { deliveryStatus: 'failed' },
    { eventId: 'event-1', attemptNumber: 2 },
  ]);
});

it('a sandbox whose state is broken runs on, and says so to requests', async () => {
  sandbox.platform.state.users.push(null as never);
  tick();
  const response = await fetch(`${sandbox.url}/sandbox/state`);
  expect([response.status, await response.json()]).toEqual([500, { error: expect.any(String) }]);
  sandbox.platform.state.users.pop();
  expect(await stateStatus()).toBe(200);
});

it('the clock of a sandbox whose state is broken follows real time', async () => {
  const { platform } = sandbox;
  const start = platform.now;
  platform.state.users.push(null as never);
  for (const seconds of [2, 4, 6]) {
    tick();
    expect(platform.now - start).toBe(seconds * 1_000);
  }
  expect(await stateStatus()).toBe(500);
  expect(platform.now - start).toBe(6_000);
});

it.each<[string, () => object]>([
  ['reset', () => ({})],
  ['restoreSnapshot', () => ({ snapshot: sandbox.platform.snapshot() })],
])('the action %s repairs a sandbox whose state is broken', async (name, inputOf) => {
  const input = inputOf();
  sandbox.platform.state.users.push(null as never);
  tick();
  expect(await stateStatus()).toBe(500);
  expect((await runAction(sandbox, name, input)).status).toBe(200);
  tick();
  expect(await stateStatus()).toBe(200);
  expect(sandbox.platform.now).toBe(now);
});

it('the page of a sandbox whose state is broken can be reset by its form', async () => {
  sandbox.platform.state.users.push(null as never);
  const reset = new URLSearchParams({ action: 'reset' });
  const options = { method: 'POST', body: reset, redirect: 'manual' } as const;
  expect((await fetch(`${sandbox.url}/sandbox/actions`, options)).status).toBe(303);
  expect((await fetch(sandbox.url)).status).toBe(200);
});

it('another action says that the state is broken', async () => {
  sandbox.platform.state.users.push(null as never);
  const { status, body } = await runAction(sandbox, 'advance', { minutes: 1 });
  expect([status, body]).toEqual([400, { error: expect.any(String) }]);
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Control } from '../../src/sandbox/control/control-action.js';
import { holdActions } from '../../src/sandbox/control/fault-actions.js';
import { type ObjectSchema, readForm } from '../../src/sandbox/control/schema.js';
import { publicState } from '../../src/sandbox/public-state.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { runAction } from './run-action.js';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox(0, 'demo', () => Date.UTC(2026, 0, 1), { observed: true });
});
afterEach(async () => {
  vi.useRealTimers();
  await sandbox.stop();
});

const act = (name: string, input: unknown) => runAction(sandbox, name, input);

const forwarding = (changes: object) => ({
  id: 'receiver-1',
  to: 'http://127.0.0.1:3000/hooks',
  key: 'whk_test',
  ...changes,
});

describe('an input of a control', () => {
  it.each<[string, object, object]>([
    ['advance', { minutes: 525_600 }, { minutes: 525_601 }],
    ['advance', { minutes: 0.001 }, { minutes: 0 }],
    ['advance', { duration: 0 }, { duration: -1 }],
    [
      'setLatency',
      { endpoint: 'card.status', ms: 600_000 },
      { endpoint: 'card.status', ms: 600_001 },
    ],
    ['setLatency', { endpoint: 'card.status', ms: 0 }, { endpoint: 'card.status', ms: -1 }],
    ['fail', { endpoint: 'card.status', status: 400 }, { endpoint: 'card.status', status: 399 }],
    ['fail', { endpoint: 'card.status', status: 599 }, { endpoint: 'card.status', status: 600 }],
    [
      'fail',
      { endpoint: 'card.status', failure: 503, options: { times: 1, nth: 1 } },
      { endpoint: 'card.status', failure: 503, options: { times: 0 } },
    ],
    [
      'fail',
      { endpoint: 'card.status', failure: 503, options: { times: 2 } },
      { endpoint: 'card.status', failure: 503, options: { nth: 0 } },
    ],
    [
      'serve',
      { method: 'GET', path: '/v1/own', response: { status: 200 } },
      { method: 'GET', path: '/v1/own', response: { status: 199 } },
    ],
    [
      'serve',
      { method: 'GET', path: '/v1/own', response: { status: 599 } },
      { method: 'GET', path: '/v1/own', response: { status: 600 } },
    ],
    ['deliver', { type: 'x'.repeat(64) }, { type: 'x'.repeat(65) }],
    ['deliver', { type: `a.${'x'.repeat(64)}` }, { type: `a.${'x'.repeat(65)}` }],
    ['deliver', { type: 'a.b.c.d.e' }, { type: 'a.b.c.d.e.f' }],
    ['forward', forwarding({ id: 'x'.repeat(8) }), forwarding({ id: 'x'.repeat(7) })],
    ['forward', forwarding({ id: 'x'.repeat(64) }), forwarding({ id: 'x'.repeat(65) })],
    ['forward', forwarding({ key: 'k'.repeat(256) }), forwarding({ key: 'k'.repeat(257) })],
    ['forward', forwarding({ key: 'k' }), forwarding({ key: '' })],
  ])('%s: the first may be used, the second not: %j, %j', async (name, right, wrong) => {
    expect(await act(name, right)).toMatchObject({ status: 200 });
    const { status, body } = await act(name, wrong);
    expect([status, typeof body['error']]).toEqual([400, 'string']);
  });

  it.each<[string, readonly number[], readonly number[]]>([
    ['otpRequiredStatus', [400, 200], [199, 201, 399, 401]],
    ['otpRejectedStatus', [400, 401, 200], [199, 201, 399, 402]],
    ['loginRejectedStatus', [400, 401, 403], [399, 402, 404, 200]],
    ['notVerifiedStatus', [400, 403], [399, 401, 402, 404]],
    ['failedLogins', [0, 1], [-1, 0.5]],
  ])('addUser: %s may be %j and not %j', async (name, right, wrong) => {
    const statuses = (values: readonly number[]) =>
      Promise.all(values.map(async (value) => (await act('addUser', { [name]: value })).status));
    expect(await statuses(right)).toEqual(right.map(() => 200));
    expect(await statuses(wrong)).toEqual(wrong.map(() => 400));
  });

  it('waitForHeld: waits from 1 to 600,000 ms', async () => {
    const { body } = await act('hold', { endpoint: 'card.status' });
    const wait = (ms: number) => act('waitForHeld', { id: body['id'], ms });
    expect((await wait(1)).body['error']).toContain('no request was held within 1 ms');
    for (const ms of [0, 600_001]) {
      const { status, body: refusal } = await wait(ms);
      expect(status).toBe(400);
      expect(refusal['error']).not.toContain('no request was held');
    }
    // The longest wait is taken; an unknown id ends it at once.
    const longest = await act('waitForHeld', { id: 'unknown', ms: 600_000 });
    expect(longest.body['error']).toContain('there is no hold');
  });
});

it.each<[string, unknown]>([
  ['0', 0],
  ['-5', -5],
  ['0.5', 0.5],
  ['9'.repeat(15), 999_999_999_999_999],
  ['9'.repeat(16), '9'.repeat(16)],
  [`1.${'0'.repeat(14)}5`, 1.000000000000005],
  [`1.${'0'.repeat(15)}5`, `1.${'0'.repeat(15)}5`],
  ['.5', '.5'],
  ['5.', '5.'],
  ['1e3', '1e3'],
])('a form field %s is read as %j where a number is expected', (text, value) => {
  const numeric: ObjectSchema = { type: 'object', properties: { value: { type: 'number' } } };
  expect(readForm(numeric, new URLSearchParams({ value: text }))).toEqual({ value });
});

it('waitForHeld waits for 30 seconds by default', async () => {
  const held = sandbox.platform.hold('card.status');
  const control = { holds: new Map([['id', held]]) } as unknown as Control;
  vi.useFakeTimers();
  let error: unknown;
  const waiting = Promise.resolve(holdActions['waitForHeld']?.run(control, { id: 'id' })).catch(
    (reason: unknown) => {
      error = reason;
    },
  );
  await vi.advanceTimersByTimeAsync(29_999);
  expect(error).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(String(error)).toContain('no request was held within 30000 ms');
});

it('the state shows the last 20 requests, messages and deliveries', () => {
  const { platform } = sandbox;
  const list = Array.from({ length: 21 }, (_, number) => ({
    path: `/${number}`,
    url: `${number}`,
  }));
  const messages = list.map(({ url }) => ({ to: url }));
  const busy = {
    now: platform.now,
    baseUrl: platform.baseUrl,
    otpFor: () => undefined,
    requests: list,
    deliveries: list,
    state: { ...platform.state, observed: { messages } },
  } as unknown as typeof platform;
  const state = publicState({ platform: busy, now: () => 0 });
  expect(state.requests.map(({ path }) => path)).toEqual(list.slice(1).map(({ path }) => path));
  expect(state.deliveries.map(({ url }) => url)).toEqual(list.slice(1).map(({ url }) => url));
  expect(state.messages.map(({ to }) => to)).toEqual(list.slice(1).map(({ url }) => url));
});

it.each([
  '/',
  '/?watch',
  '/sandbox/reference',
  '/openapi.json',
  '/openapi-observed.json',
  '/sandbox/openapi.json',
  '/sandbox/state',
  '/sandbox/snapshot',
])('%s is read with status 200', async (path) => {
  expect((await fetch(`${sandbox.url}${path}`)).status).toBe(200);
});

it('a request whose handler fails has status 500, and its words', async () => {
  sandbox.platform.serve('GET', '/v1/own', () => {
    throw new Error('not today');
  });
  const response = await fetch(`${sandbox.url}/v1/own`);
  expect([response.status, await response.json()]).toEqual([500, { error: 'not today' }]);
});

it('the last time of a clock is the last day of the year 9999', async () => {
  const last = Date.UTC(9999, 11, 31);
  const start = (now: () => number) => startSandbox(0, 'empty', now);
  for (const wrong of [last + 1, -1, Number.NaN]) {
    await expect(start(() => wrong)).rejects.toThrow(TypeError);
  }
  for (const right of [0, last]) await (await start(() => right)).stop();
  let time = last;
  const other = await start(() => time);
  time = last + 1;
  expect((await fetch(`${other.url}/sandbox/state`)).status).toBe(500);
  await other.stop();
});

it('the clock follows each second, also while no request arrives', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let time = Date.UTC(2026, 0, 1);
  const other = await startSandbox(0, 'empty', () => time);
  const start = other.platform.now;
  time += 5_000;
  vi.advanceTimersByTime(999);
  expect(other.platform.now).toBe(start);
  vi.advanceTimersByTime(1);
  expect(other.platform.now).toBe(start + 5_000);
  await other.stop();
});

import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.js';
import { createMockPlatform, signWebhook } from '../../src/testing/index.js';

const NOT_NUMBERS: unknown[] = [
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1],
  ...['1', null, {}, 1n, true, new Date(0)],
];
/** Where an option may be left out, `null` leaves it out too. */
const NOT_OPTIONS = NOT_NUMBERS.filter((value) => value !== null);
const refused = (name: string) =>
  expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(name) });

describe('the mock platform rejects an invalid number and names the argument', () => {
  it.each(NOT_OPTIONS)('startsAt and seed: %s', (value) => {
    expect(() => createMockPlatform({ startsAt: value as number })).toThrow(refused('startsAt'));
    expect(() => createMockPlatform({ seed: value as number })).toThrow(refused('seed'));
  });

  it.each([...NOT_NUMBERS, 0, 1.5])('times: %s', (value) => {
    const mock = createMockPlatform();
    const times = value as number;
    expect(() => mock.fail('card.status', 503, { times })).toThrow(refused('times'));
    expect(() => mock.drop('card.status', 'refused', { times })).toThrow(refused('times'));
  });

  it.each([...NOT_NUMBERS, 2 ** 31])('latency: %s', (value) => {
    expect(() => createMockPlatform().setLatency(value as number)).toThrow(refused('latency'));
  });

  it('a wait that no timer accepts, and a time after the year 9999', () => {
    const [longest, last] = [2_147_483_647, 253_402_300_799_999];
    expect(() => createMockPlatform().setLatency(longest)).not.toThrow();
    expect(() => createMockPlatform({ webhookRetryDelays: [longest] })).not.toThrow();
    expect(() => createMockPlatform({ webhookRetryDelays: [longest + 1] })).toThrow(
      refused('webhookRetryDelays'),
    );
    expect(createMockPlatform({ startsAt: last }).now).toBe(last);
    expect(() => createMockPlatform({ startsAt: last + 1 })).toThrow(refused('startsAt'));
  });

  it.each([
    ...NOT_NUMBERS,
    'soon',
    '10',
    '-1 minutes',
    8.64e15,
    `${'9'.repeat(400)} days`,
  ])('advance: %s', (value) => {
    const mock = createMockPlatform();
    const before = mock.now;
    expect(() => mock.advance(value as number)).toThrow(TypeError);
    expect(mock.now).toBe(before);
  });

  it.each([...NOT_NUMBERS, 99, 100, 600, 503.5])('status: %s', (status) => {
    const mock = createMockPlatform();
    const undocumented = { status: status as number, isUndocumented: true } as const;
    expect(() => mock.fail('card.status', undocumented)).toThrow(refused('status'));
  });

  it.each(NOT_NUMBERS)('now of signWebhook: %s', async (value) => {
    await expect(signWebhook('whk_test', {}, value as number)).rejects.toThrow(refused('now'));
  });

  it.each(NOT_OPTIONS)('now and ids of a snapshot: %s', (value) => {
    const now = value as number;
    const mock = createMockPlatform();
    const snapshot = mock.snapshot();
    expect(() => mock.restore({ ...snapshot, now })).toThrow(refused('now'));
    expect(() => mock.restore({ ...snapshot, ids: now })).toThrow(refused('ids'));
    expect(mock.snapshot()).toEqual(snapshot);
  });

  it.each(NOT_NUMBERS)('counts of a user: %s', (value) => {
    const { users } = createMockPlatform();
    const count = value as number;
    const referral = { code: 'FRIEND', cap: 1, used: 1 };
    expect(() => users.add({ failedLogins: count })).toThrow(refused('failedLogins'));
    expect(() => users.add({ referral: { ...referral, cap: count } })).toThrow(refused('cap'));
    expect(() => users.add({ referral: { ...referral, used: count } })).toThrow(refused('used'));
  });
});

describe('the clock function of the sandbox', () => {
  it.each(
    NOT_NUMBERS,
  )('is rejected before the server listens when it returns %s', async (value) => {
    const start = startSandbox(0, 'empty', () => value as number);
    await expect(start).rejects.toThrow(refused('now'));
  });

  it('causes status 500 while it returns no time, and the sandbox works again afterwards', async () => {
    let now: unknown = 1_000;
    const { url, stop } = await startSandbox(0, 'empty', () => now as number);
    now = Number.NaN;
    expect((await fetch(`${url}/sandbox/state`)).status).toBe(500);
    now = 2_000;
    expect((await fetch(`${url}/sandbox/state`)).status).toBe(200);
    await stop();
  });
});

it('the mock clock accepts fractions of a millisecond, durations in words, and zero', () => {
  const mock = createMockPlatform({ startsAt: 0, seed: 0 });
  mock.advance(0);
  mock.advance(0.5);
  mock.advance('1.5 seconds');
  mock.setLatency(0);
  expect(mock.now).toBe(1_500.5);
});

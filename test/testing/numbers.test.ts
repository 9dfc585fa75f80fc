import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.js';
import { createMockPlatform, signWebhook } from '../../src/testing/index.js';

const NOT_NUMBERS: unknown[] = [
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1],
  ...['1', null, {}, 1n, true, new Date(0)],
];
const refused = (name: string) =>
  expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(name) });

describe('a number that the testing kit cannot use is refused by name', () => {
  it.each(NOT_NUMBERS)('startsAt and seed: %s', (value) => {
    if (value === null) return;
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
    const strange = { status: status as number, isUndocumented: true } as const;
    expect(() => mock.fail('card.status', strange)).toThrow(refused('status'));
  });

  it.each(NOT_NUMBERS)('now of signWebhook and of a snapshot: %s', async (value) => {
    const now = value as number;
    await expect(signWebhook('whk_test', {}, now)).rejects.toThrow(refused('now'));
    const mock = createMockPlatform();
    const scene = mock.snapshot();
    if (value === null) return;
    expect(() => mock.restore({ ...scene, now })).toThrow(refused('now'));
    expect(() => mock.restore({ ...scene, ids: now })).toThrow(refused('ids'));
    expect(mock.snapshot()).toEqual(scene);
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

describe('the clock of the sandbox', () => {
  it.each(NOT_NUMBERS)('that returns %s is refused before the port is taken', async (value) => {
    const start = startSandbox(0, 'empty', () => value as number);
    await expect(start).rejects.toThrow(refused('now'));
  });

  it('that breaks later is reported, and the sandbox goes on when it works again', async () => {
    let now: unknown = 1_000;
    const { url, stop } = await startSandbox(0, 'empty', () => now as number);
    now = Number.NaN;
    expect((await fetch(`${url}/sandbox/state`)).status).toBe(500);
    now = 2_000;
    expect((await fetch(`${url}/sandbox/state`)).status).toBe(200);
    await stop();
  });
});

it('takes fractions of a millisecond, words and zero', () => {
  const mock = createMockPlatform({ startsAt: 0, seed: 0 });
  mock.advance(0);
  mock.advance(0.5);
  mock.advance('1.5 seconds');
  mock.setLatency(0);
  expect(mock.now).toBe(1_500.5);
});

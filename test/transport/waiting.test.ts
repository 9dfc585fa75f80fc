import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/transport/attempts/clock.js';
import { backoffDelay } from '../../src/transport/attempts/send-attempts.js';
import { retryAfterMs, serviceTime } from '../../src/transport/response/http-response.js';
import type { ClientOptions, RequestOptions } from '../../src/transport/settings/options.js';
import { settle } from '../sessions/support.js';
import {
  clientFor,
  clientReceiving,
  fetchFailure,
  json,
  rejection,
  scriptedFetch,
} from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';

const BASE_URL = 'https://api.example.com';
const unavailable = (headers = {}) => json({}, 503, headers);
const active = () => json({ id: 'c', status: 'ACTIVE' });

/** Returns the waits of a read that receives these responses. */
async function waitsOf(
  responses: Response[],
  options: Partial<ClientOptions> = {},
  call: RequestOptions = {},
) {
  const clock = new FakeClock();
  const { fetch, requests } = scriptedFetch(...responses);
  const client = clientFor(BASE_URL, { fetch, clock, random: () => 0.5, ...options });
  const result = await client.card.status(call).safe();
  return { waits: clock.waits, requests, clock, error: result.error };
}

describe('the waits between attempts', () => {
  it('double up to the maximum, with jitter', async () => {
    const { waits } = await waitsOf([unavailable()]);
    expect(waits).toEqual([125, 250]);
    expect([1, 2, 3, 4, 5, 6, 50].map((retry) => backoffDelay(retry, OPTIONS, () => 1))).toEqual([
      250, 500, 1000, 2000, 4000, 4000, 4000,
    ]);
    expect(backoffDelay(3, OPTIONS, () => 0)).toBe(0);
  });

  it('use the settings of the client and of the call', async () => {
    const { waits } = await waitsOf([unavailable()], { retry: { baseDelay: 100 } });
    expect(waits).toEqual([50, 100]);
    const call = await waitsOf([unavailable()], {}, { retry: { maxRetries: 1, baseDelay: 10 } });
    expect(call.waits).toEqual([5]);
    expect((await waitsOf([unavailable()], { retry: false })).requests).toHaveLength(1);
    expect(
      (await waitsOf([unavailable()], { retry: false }, { retry: true })).requests,
    ).toHaveLength(1);
    expect((await waitsOf([unavailable()], {}, { retry: false })).requests).toHaveLength(1);
  });

  it('keep each setting of the client that the call does not replace', async () => {
    const client = { retry: { baseDelay: 100, maxDelay: 150, maxRetryAfter: 60_000 } };
    const { waits } = await waitsOf([unavailable()], client, { retry: { maxRetries: 4 } });
    expect(waits).toEqual([50, 75]);
    const base = await waitsOf([unavailable()], client, { retry: { maxDelay: 120 } });
    expect(base.waits).toEqual([50, 60]);
    const responses = [unavailable({ 'retry-after': '45' }), active()];
    const patient = await waitsOf(responses, client, { retry: { baseDelay: 10 } });
    expect([patient.waits, patient.error]).toEqual([[45_000], undefined]);
  });

  it('are the only timers that the clock hears to be waits', async () => {
    const timers: unknown[] = [];
    class Hearing extends FakeClock {
      override schedule(callback: () => void, ms: number, purpose?: string): () => void {
        timers.push(purpose === 'wait' ? ms : 'limit');
        return super.schedule(callback, ms);
      }
    }
    const { error } = await waitsOf([unavailable(), active()], { clock: new Hearing() });
    expect(error).toBeUndefined();
    expect(timers.filter((timer) => timer !== 'limit')).toEqual([125]);
    expect(timers).toContain('limit');
  });

  it('are at most four seconds by default', async () => {
    const { waits } = await waitsOf([unavailable()], { retry: { baseDelay: 8_000 } });
    expect(waits).toEqual([2_000, 2_000]);
  });

  it.each([
    [0, [30_000]],
    [1, []],
  ])('are at most 30 seconds by default when the service asks for them, and %i ms more', async (more, expected) => {
    const time = Date.UTC(2026, 0, 1, 12);
    const clock = new FakeClock({ startsAt: time - more });
    const until = new Date(time + 30_000).toUTCString();
    const { fetch } = scriptedFetch(unavailable({ 'retry-after': until }), active());
    const { error } = await clientFor(BASE_URL, { fetch, clock }).card.status().safe();
    expect(clock.waits).toEqual(expected);
    expect(error?.outcome).toBe(more === 0 ? undefined : 'unknown');
  });

  const OPTIONS = { baseDelay: 250, maxDelay: 4_000, maxRetryAfter: 30_000 };
});

describe('Retry-After', () => {
  const NOW = Date.UTC(2026, 0, 1, 12);
  const at = (ms: number) => new Date(NOW + ms).toUTCString();

  it.each([
    ['0', {}, 0],
    ['1', {}, 1_000],
    [' 7 ', {}, 7_000],
    ['999999999', {}, 999_999_999_000],
    ['9999999999', {}, 9_999_999_999_000],
    ['9'.repeat(400), {}, Number.MAX_SAFE_INTEGER],
    ['9'.repeat(1_000), {}, Number.MAX_SAFE_INTEGER],
    ['9'.repeat(1_001), {}, undefined],
    ['-1', {}, undefined],
    ['+1', {}, undefined],
    ['1.5', {}, undefined],
    ['1e3', {}, undefined],
    ['0x10', {}, undefined],
    ['', {}, undefined],
    ['soon', {}, undefined],
    [at(5_000), {}, 5_000],
    [at(-5_000), {}, undefined],
    [at(0), {}, undefined],
    [at(65_000), { date: at(60_000) }, 5_000],
    [at(5_000), { date: 'yesterday' }, 5_000],
    [new Date(NOW + 5_000).toISOString(), {}, undefined],
    ['Thu, 1 Jan 2026 12:00:05 GMT', {}, undefined],
    ['Thu, 01 Jan 2026 12:00:05 UTC', {}, undefined],
    ['Thursday, 01-Jan-26 12:00:05 GMT', {}, undefined],
    ['Sat, 31 Jan 2026 12:00:00 GMT', {}, 30 * 86_400_000],
    ['Tue, 31 Feb 2026 12:00:00 GMT', {}, undefined],
    ['Sun, 29 Feb 2026 12:00:00 GMT', {}, undefined],
    ['Tue, 31 Apr 2026 12:00:00 GMT', {}, undefined],
    ['Sun, 00 Mar 2026 12:00:00 GMT', {}, undefined],
    ['Thu, 01 Jan 2026 24:00:00 GMT', {}, undefined],
    // 1 January 2027 is a Friday.
    ['Fri, 01 Jan 2027 12:00:00 GMT', {}, 365 * 86_400_000],
    ['Sat, 01 Jan 2027 12:00:00 GMT', {}, undefined],
    ['Invalid Date', {}, undefined],
  ])('with the value %j and the headers %j is %s ms', (value, headers, expected) => {
    const all = new Headers({ 'retry-after': value, ...headers });
    expect(retryAfterMs(all, NOW)).toBe(expected);
  });

  it('of a date can be a millisecond', () => {
    expect(retryAfterMs(new Headers({ 'retry-after': at(0) }), NOW - 1)).toBe(1);
  });

  it('is undefined when the header is absent', () => {
    expect(retryAfterMs(new Headers(), NOW)).toBeUndefined();
  });

  it('is not delayed by a date that nobody can read', () => {
    const all = new Headers({ 'retry-after': at(5_000), date: 'Invalid Date' });
    expect(retryAfterMs(all, NOW)).toBe(5_000);
  });

  it('is obeyed when it is longer than the backoff', async () => {
    const { waits, error } = await waitsOf([unavailable({ 'retry-after': '3' }), active()]);
    expect(waits).toEqual([3_000]);
    expect(error).toBeUndefined();
    expect((await waitsOf([unavailable({ 'retry-after': '0' }), active()])).waits).toEqual([125]);
  });

  it.each([
    '31',
    '999999',
  ])('of %s seconds is too long, so the error is returned at once', async (seconds) => {
    const { waits, requests, error } = await waitsOf([json({}, 429, { 'retry-after': seconds })]);
    expect(waits).toEqual([]);
    expect(requests).toHaveLength(1);
    expect(error).toMatchObject({ name: 'RateLimitError', retryAfterMs: Number(seconds) * 1000 });
  });
});

describe('the deadline', () => {
  const stalls = () => new Promise<Response>(() => {});

  it('of one attempt is the option timeout', async () => {
    const clock = new FakeClock();
    const client = clientFor(BASE_URL, { fetch: stalls, retry: false, timeout: 700, clock });
    expect(await rejection(client.card.status())).toMatchObject({
      name: 'TimeoutError',
      phase: 'headers',
      timeoutMs: 700,
      outcome: 'unknown',
    });
    expect(clock.elapsed()).toBe(700);
    expect(clock.pending).toBe(0);
  });

  it('of one attempt is 15 s by default, and 30 s for a delegation token with faucet', async () => {
    for (const [call, expected] of [
      [{}, 15_000],
      [
        { faucet: true, address: '0x52908400098527886E0F7030069857D2E4169EE7', network: 'linea' },
        30_000,
      ],
    ] as const) {
      const clock = new FakeClock();
      const client = clientFor(BASE_URL, { fetch: stalls, retry: false, clock });
      const error = await rejection(client.delegation.getToken(call));
      expect(error).toMatchObject({ timeoutMs: expected });
    }
  });

  it('of all attempts together is 60 s by default', async () => {
    const accessToken = () => new Promise<string>(() => {});
    const client = clientFor(BASE_URL, { accessToken, clock: new FakeClock() });
    expect(await rejection(client.card.status())).toMatchObject({ timeoutMs: 60_000 });
  });

  it('that passes before a withdrawal is sent leaves it retryable', async () => {
    const clock = new FakeClock();
    const accessToken = () => new Promise<string>(() => {});
    const { fetch, requests } = scriptedFetch(json({}));
    const client = clientFor(BASE_URL, { fetch, accessToken, totalTimeout: 5_000, clock });
    const error = await rejection(client.wallets.credit.withdraw({ amount: '1' }));
    expect(error).toMatchObject({ name: 'TimeoutError', phase: 'credentials' });
    expect(error).toMatchObject({ outcome: 'not_sent', isRetryable: true });
    expect(requests).toEqual([]);
  });

  it('of all attempts together is totalTimeout', async () => {
    const clock = new FakeClock();
    const retry = { baseDelay: 0 };
    const options = { fetch: stalls, timeout: 1_000, totalTimeout: 1_500, retry, clock };
    const error = await rejection(clientFor(BASE_URL, options).card.status());
    expect(error).toMatchObject({ name: 'TimeoutError', timeoutMs: 1_500, attempts: 2 });
    expect(clock.elapsed()).toBe(1_500);
  });

  it.each([
    [9, 2],
    [10, 1],
    [20, 1],
  ])('allows a wait of %i s only if it ends before it', async (seconds, count) => {
    const lines: unknown[] = [];
    const log = (fields: object, message: string) => lines.push([message, fields]);
    const { error, waits, requests } = await waitsOf(
      [json({}, 429, { 'retry-after': `${seconds}` }), active()],
      { totalTimeout: 10_000, logger: { debug: log, warn: log } },
    );
    expect(requests).toHaveLength(count);
    expect(waits).toEqual(count === 1 ? [] : [seconds * 1_000]);
    if (count === 2) return expect(error).toBeUndefined();
    // The refusal of the service itself, so that the caller knows how long to wait.
    expect(error).toMatchObject({
      ...{ name: 'RateLimitError', code: 'rate_limited', status: 429, attempts: 1 },
      ...{ outcome: 'rejected', isRetryable: true, retryAfterMs: seconds * 1_000 },
    });
    expect(lines).toEqual([
      ['card.status failed', expect.objectContaining({ retryInMs: undefined })],
    ]);
  });

  it('passes in a wait where an app stands still, and then runs all its timers at once', async () => {
    const clock = new FakeClock({ auto: false });
    const client = clientReceiving(unavailable({ 'retry-after': '9' }), {
      ...{ clock, retry: true, totalTimeout: 10_000 },
    });
    const failed = rejection(client.card.status());
    await settle();
    clock.advance(3_600_000);
    expect(await failed).toMatchObject({
      ...{ name: 'TimeoutError', phase: 'backoff', timeoutMs: 10_000, attempts: 1 },
      ...{ outcome: 'unknown', next: 'retry' },
    });
  });

  it('that prevents a wait leaves the retry budget as it is', async () => {
    const patient = json({}, 503, { 'retry-after': '20' });
    let requests = 0;
    let response = patient;
    const fetch = async () => {
      requests++;
      return response.clone();
    };
    const client = clientFor(BASE_URL, { fetch, clock: new FakeClock(), totalTimeout: 10_000 });
    for (let i = 0; i < 200; i++) await client.card.status().safe();
    expect(requests).toBe(200);
    response = unavailable();
    await client.card.status().safe();
    expect(requests).toBe(200 + 3);
  });

  it('that prevents a wait does not hide what an earlier attempt may have done', async () => {
    const UUID = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
    const noConnection = fetchFailure('ECONNREFUSED', 'connect');
    const { fetch, requests } = scriptedFetch(unavailable(), noConnection);
    const client = clientFor(BASE_URL, {
      ...{ fetch, clock: new FakeClock(), random: () => 0.5 },
      ...{ totalTimeout: 2_500, retry: { baseDelay: 2_000 } },
    });
    const call = client.consent.linkUser({ consentSetId: UUID, userId: 'ada' });
    expect(await rejection(call)).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
    expect(requests).toHaveLength(2);
  });
});

describe('the retry budget', () => {
  it('ends the retries during an outage and refills with successes', async () => {
    let isDown = true;
    let requests = 0;
    const fetch = async () => {
      requests++;
      return isDown ? unavailable() : active();
    };
    const client = clientFor(BASE_URL, { fetch });
    for (let i = 0; i < 100; i++) await client.card.status().safe();
    expect(requests).toBe(100 + 100);
    isDown = false;
    for (let i = 0; i < 10; i++) await client.card.status();
    isDown = true;
    requests = 0;
    await client.card.status().safe();
    expect(requests).toBe(1 + 2);
  });

  it('is shared by the clients of all users', async () => {
    let requests = 0;
    const fetch = async () => {
      requests++;
      return unavailable();
    };
    const appClient = clientFor(BASE_URL, { fetch });
    for (let i = 0; i < 100; i++) await appClient.withAccessToken(`user-${i}`).card.status().safe();
    expect(requests).toBe(200);
  });
});

it('a freeze is not retried more than ten seconds after its first attempt', async () => {
  const clock = new FakeClock();
  const fetch = async () => new Promise<Response>(() => {});
  const client = clientFor(BASE_URL, { fetch, timeout: 10_001, clock });
  expect(await rejection(client.card.freeze())).toMatchObject({ attempts: 1, outcome: 'unknown' });
  const faster = clientFor(BASE_URL, { fetch, timeout: 5_000, clock: new FakeClock() });
  expect(await rejection(faster.card.freeze())).toMatchObject({ attempts: 2, outcome: 'unknown' });
});

it('a timer of the system clock that is cancelled is gone', () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const cancel = systemClock.schedule(() => {}, 60_000);
  expect(timers()).toBe(before + 1);
  cancel();
  expect(timers()).toBe(before);
});

describe('the time of the service', () => {
  const date = 'Thu, 01 Jan 2026 12:00:00 GMT';
  const time = Date.UTC(2026, 0, 1, 12);

  it.each([
    [{ date }, false, time],
    [{ date, age: '0' }, false, time],
    // A cache repeats it.
    [{ date, age: '1' }, false, undefined],
    [{ date, age: 'old' }, false, undefined],
    [{ date: 'Invalid Date' }, false, undefined],
    [{ date: '2026-01-01T12:00:00Z' }, false, undefined],
    [{ date: 'Fri, 01 Jan 2026 12:00:00 GMT' }, false, undefined],
    [{}, false, undefined],
    // This is the clock of the proxy.
    [{ date }, true, undefined],
    [{ date: 'Thu, 01 Jan 2026 13:00:00 GMT', 'x-card-platform-date': date }, true, time],
    [{ 'x-card-platform-date': date }, false, undefined],
  ])('in the headers %j, behind a proxy %s, is %s', (headers, isProxied, expected) => {
    expect(serviceTime(new Headers(headers as Record<string, string>), isProxied)).toBe(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { call, defineEndpoint } from '../../src/endpoints/index.js';
import { outcomeOf } from '../../src/index.js';
import { type ObservedPlatform, observe } from '../../src/observed/index.js';
import type { ClientOptions } from '../../src/transport/settings/options.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';

const unavailable = (headers = {}) => json({}, 503, headers);
const unauthorized = () => json({ message: 'jwt expired' }, 401);
const done = () => json({ success: true });

function setUp(responses: readonly Response[], options: Partial<ClientOptions> = {}) {
  const clock = new FakeClock();
  const sentAt: number[] = [];
  const { fetch } = scriptedFetch(...responses);
  const client = clientFor('https://api.example.com', {
    clock,
    fetch: (url, init) => {
      sentAt.push(clock.elapsed());
      return fetch(url, init);
    },
    ...options,
  });
  return { client, clock, sentAt };
}

/** Milliseconds from the first request to each of them. */
const offsets = (sentAt: readonly number[]) => sentAt.map((time) => time - (sentAt[0] ?? 0));

describe('a freeze is sent again within 10 seconds, and never later', () => {
  it.each([
    [0, [0, 0]],
    [10, [0, 10_000]],
    [11, [0]],
    [25, [0]],
    [31, [0]],
  ])('when the service asks for a wait of %s s', async (seconds, expected) => {
    const { client, clock, sentAt } = setUp([unavailable({ 'retry-after': `${seconds}` }), done()]);
    const { error } = await client.card.freeze().safe();
    expect(offsets(sentAt)).toEqual(expected);
    // A call that is not sent again does not wait either.
    expect(offsets([sentAt[0] ?? 0, clock.elapsed()])[1]).toBe(expected.at(-1));
    expect(error ?? {}).toMatchObject(expected.length === 1 ? inDoubt : {});
    expect(error === undefined).toBe(expected.length === 2);
  });

  const inDoubt = { status: 503, outcome: 'unknown', next: 'look_up', isRetryable: false };
  const refused = { status: 429, outcome: 'rejected', next: 'retry', isRetryable: true };
  const tooMany = () => json({ message: 'Too many requests' }, 429);
  it.each([
    [10_000, 'a 503', unavailable, 2, undefined],
    [10_001, 'a 503', unavailable, 1, inDoubt],
    [10_001, 'a 429', tooMany, 1, refused],
  ] as const)('when the machine sleeps for %s ms in the wait after %s, and one of its clocks stands still', async (asleep, _, first, count, end) => {
    const clock = new FakeClock();
    const startsAt = clock.now();
    let slept = 0;
    let sent = 0;
    const client = clientFor('https://api.example.com', {
      clock: {
        now: () => startsAt + slept,
        elapsed: () => clock.elapsed(),
        schedule: (callback, ms, purpose) => {
          if (purpose === 'wait') slept = asleep;
          return clock.schedule(callback, ms);
        },
      },
      fetch: async () => (++sent === 1 ? first() : done()),
    });
    const { error } = await client.card.freeze().safe();
    expect(sent).toBe(count);
    if (end !== undefined) expect(error).toMatchObject({ ...end, attempts: 1 });
  });

  const hung = () => new Promise<Response>(() => {});
  const tooLate = { name: 'TimeoutError', outcome: 'unknown', next: 'look_up', isRetryable: false };
  const inTime = { ...tooLate, next: 'retry', isRetryable: true };
  it.each<[string, Partial<ClientOptions>, object]>([
    ['one request that took 15 s', {}, { ...tooLate, attempts: 1 }],
    ['one that took 10,001 ms', { retry: false, timeout: 10_001 }, { ...tooLate, attempts: 1 }],
    ['one that took 9,000 ms', { retry: false, timeout: 9_000 }, { ...inTime, attempts: 1 }],
    ['one that took 9,876 ms, and a wait', { timeout: 9_876 }, { ...tooLate, attempts: 1 }],
    ['two that took 5 s each', { timeout: 5_000 }, { ...tooLate, attempts: 2 }],
    ['two that took 4 s each', { timeout: 4_000 }, { ...inTime, attempts: 2 }],
  ])('and the error of %s says whether the caller may do so', async (_, options, expected) => {
    const clock = new FakeClock();
    const all = { clock, random: () => 0.5, fetch: hung, ...options };
    const client = clientFor('https://api.example.com', all);
    expect(await rejection(client.card.freeze())).toMatchObject(expected);
  });

  it('and neither by a caller whose token took the rest of the time', async () => {
    let tokens = 0;
    const { client } = setUp([unavailable(), unauthorized()], {
      accessToken: () => (++tokens === 1 ? 'token' : new Promise<string>(() => {})),
    });
    const error = await rejection(client.card.freeze());
    expect(error).toMatchObject({ ...tooLate, phase: 'credentials' });
  });

  it('but a read of an endpoint that declares such a time can be sent again later', async () => {
    const { client } = setUp([unavailable({ 'retry-after': '11' })]);
    const list = { id: 'list', method: 'GET', path: '/v1/list', retryWithin: 10_000 } as const;
    const read = call(client, defineEndpoint({ ...list, retry: 'safe' }), {});
    expect(await rejection(read)).toMatchObject({ ...inDoubt, next: 'retry', isRetryable: true });
    const write = call(client, defineEndpoint({ ...list, retry: 'idempotent' }), {});
    expect(await rejection(write)).toMatchObject(inDoubt);
  });

  it('but a read waits longer', async () => {
    const active = json({ id: 'c', status: 'ACTIVE' });
    const { client, sentAt } = setUp([unavailable({ 'retry-after': '25' }), active]);
    await client.card.status();
    expect(offsets(sentAt)).toEqual([0, 25_000]);
  });

  it.each([
    [10_000, 3],
    [10_001, 2],
  ])('when the token for it takes %s ms', async (time, count) => {
    let tokens = 0;
    const { client, clock, sentAt } = setUp([unavailable(), unauthorized(), done()], {
      accessToken: async () => {
        if (++tokens > 1) clock.advance(time);
        return 'token';
      },
    });
    const { error } = await client.card.freeze().safe();
    expect(sentAt).toHaveLength(count);
    if (count === 2) {
      expect(error).toMatchObject({ ...inDoubt, attempts: 2 });
    }
  });
});

describe.each<[string, (calls: ObservedPlatform) => PromiseLike<unknown>]>([
  [
    'external wallets',
    ({ wallets }) => wallets.external.setPriority({ wallets: [{ id: 1, priority: 1 }] }),
  ],
  [
    'linked wallets',
    ({ wallets }) =>
      wallets.internal.setLinkedPriority({ wallets: [{ addressId: 'a', priority: 1 }] }),
  ],
])('a new order of the %s is sent again within 5 seconds, and never later', (_, set) => {
  it.each([
    [5, [0, 5_000]],
    [6, [0]],
  ])('when the service asks for a wait of %s s', async (seconds, expected) => {
    const { client, sentAt } = setUp([unavailable({ 'retry-after': `${seconds}` }), done()]);
    const error = await Promise.resolve(set(observe(client))).catch((one: unknown) => one);
    expect(offsets(sentAt)).toEqual(expected);
    // A later one could undo an order that the user has chosen since.
    if (expected.length === 1) {
      expect(error).toMatchObject({ status: 503, outcome: 'unknown', next: 'look_up' });
    }
  });

  it.each([
    [5_000, 2],
    [5_001, 1],
  ])('when the first response takes %i ms', async (time, count) => {
    const clock = new FakeClock();
    let sent = 0;
    const client = clientFor('https://api.example.com', {
      clock,
      retry: { baseDelay: 0 },
      fetch: async () => {
        if (++sent > 1) return done();
        clock.advance(time);
        return unavailable();
      },
    });
    await Promise.resolve(set(observe(client))).catch(() => undefined);
    expect(sent).toBe(count);
  });
});

describe('code of the caller that ends a retry with an error of this package', () => {
  const failingLater = () => {
    let calls = 0;
    return () => (++calls === 1 ? 'token' : '');
  };

  it('does not hide what the first attempt may have done', async () => {
    const responses = [unavailable(), unauthorized(), done()];
    const { client, sentAt } = setUp(responses, { accessToken: failingLater() });
    const { error } = await client.card.freeze().safe();
    expect(sentAt).toHaveLength(2);
    expect(error).toMatchObject({ status: 503, outcome: 'unknown', attempts: 2 });
  });

  it('does not hide it either when middleware sends nothing', async () => {
    const { client, sentAt } = setUp([unavailable(), done()], {
      middleware: [
        ({ attempt }, next) => (attempt === 1 ? next() : Promise.resolve({ status: 200 } as never)),
      ],
    });
    const { error } = await client.card.freeze().safe();
    expect(sentAt).toHaveLength(1);
    expect(error).toMatchObject({ status: 503, outcome: 'unknown' });
  });

  it('is reported as it is when the first attempt had no effect', async () => {
    const { client, sentAt } = setUp([json({}, 429), done()], {
      middleware: [
        ({ attempt }, next) => (attempt === 1 ? next() : Promise.resolve({ status: 200 } as never)),
      ],
    });
    const { error } = await client.card.freeze().safe();
    expect(sentAt).toHaveLength(1);
    expect(error).toMatchObject({ code: 'configuration_invalid', outcome: 'not_sent' });
  });

  it.each([
    ['of a freeze that was only refused', [unauthorized(), done()]],
    ['of a read', [unavailable(), unauthorized(), done()]],
  ])('is reported as it is for the second attempt %s', async (which, responses) => {
    const { client } = setUp(responses, { accessToken: failingLater() });
    const call = which === 'of a read' ? client.card.status() : client.card.freeze();
    const error = await rejection(call);
    expect(error).toMatchObject({ code: 'configuration_invalid' });
    expect(outcomeOf(error)).toBe('not_sent');
  });
});

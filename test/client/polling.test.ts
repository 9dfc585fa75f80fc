import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { PollingTimeoutError } from '../../src/errors/index.js';
import { nextStepOf } from '../../src/index.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';

const BASE_URL = 'https://api.example.com';

function clientReceivingEach(...responses: Response[]) {
  const clock = new FakeClock();
  const { fetch, requests } = scriptedFetch(...responses);
  return { client: clientFor(BASE_URL, { fetch, clock }), clock, requests };
}

const card = (status: string) => json({ id: 'c', status });

type Client = ReturnType<typeof clientFor>;
type Options = { signal: AbortSignal };

describe('card.waitUntilActive', () => {
  it('continues after 404, PENDING and unknown states', async () => {
    const missing = json({ message: 'Card not found' }, 404);
    const { client, requests, clock } = clientReceivingEach(
      missing,
      card('PENDING'),
      card('SOMETHING_NEW'),
      card('ACTIVE'),
    );
    const seen: [string, number][] = [];
    const active = await client.card.waitUntilActive({
      onProgress: ({ status }, attempt) => seen.push([status, attempt]),
    });
    expect(active.status).toBe('ACTIVE');
    expect(requests).toHaveLength(4);
    expect(seen).toEqual([
      ['PENDING', 2],
      ['SOMETHING_NEW', 3],
      ['ACTIVE', 4],
    ]);
    expect(clock.elapsed()).toBe(1000 + 1500 + 2250);
    expect(clock.pending).toBe(0);
  });

  it('rejects at once after a 404 with a page, which the service did not send', async () => {
    const html = new Response('<h1>Not found</h1>', { status: 404 });
    const { client, requests, clock } = clientReceivingEach(html);
    const error = await rejection(client.card.waitUntilActive());
    expect(error).toMatchObject({ code: 'not_found', status: 404, isPage: true, next: 'contact' });
    expect([requests.length, clock.elapsed()]).toEqual([1, 0]);
  });

  it('waits longer each time, up to maxInterval', async () => {
    const pending = Array.from({ length: 4 }, () => card('PENDING'));
    const { client, clock } = clientReceivingEach(...pending, card('ACTIVE'));
    await client.card.waitUntilActive({ interval: 1_000, maxInterval: 2_000 });
    expect(clock.elapsed()).toBe(1_000 + 1_500 + 2_000 + 2_000);
  });

  it.each([
    [
      'maxInterval that is shorter than the usual first wait',
      { maxInterval: 200 },
      [200, 200, 200],
    ],
    ['maxInterval below interval', { interval: 900, maxInterval: 300 }, [300, 300, 300]],
    [
      'interval that is longer than the usual longest wait',
      { interval: 9_000 },
      [9_000, 9_000, 9_000],
    ],
  ])('keeps to a %s', async (_, options, waits) => {
    const pending = Array.from({ length: 3 }, () => card('PENDING'));
    const { client, clock } = clientReceivingEach(...pending, card('ACTIVE'));
    await client.card.waitUntilActive(options);
    expect(clock.waits).toEqual(waits);
  });

  it('rejects with the last value when it times out', async () => {
    const { client, clock } = clientReceivingEach(card('PENDING'));
    const options = { timeout: 10_000, interval: 1_000, maxInterval: 1_000 };
    const error = await rejection(client.card.waitUntilActive(options));
    expect(error).toMatchObject({
      name: 'PollingTimeoutError',
      code: 'timeout',
      phase: 'polling',
      timeoutMs: 10_000,
      operation: 'card.status',
      isRetryable: true,
    });
    expect(nextStepOf(error)).toBe('retry');
    expect((error as PollingTimeoutError).lastValue).toMatchObject({ status: 'PENDING' });
    expect(clock.elapsed()).toBe(10_000);
  });

  it('rejects with the error of a request', async () => {
    const { client } = clientReceivingEach(json({}, 403));
    expect(await rejection(client.card.waitUntilActive())).toMatchObject({
      name: 'PermissionError',
    });
  });

  it.each([
    ['card.waitUntilActive', ({ card }: Client, options: Options) => card.waitUntilActive(options)],
    [
      'user.waitUntilVerified',
      ({ user }: Client, options: Options) => user.waitUntilVerified(options),
    ],
    [
      'orders.waitFor',
      ({ orders }: Client, options: Options) =>
        orders.waitFor({ orderId: 'o' }, () => true, options),
    ],
  ])('rejects with the reason of the signal and passes the signal to the request: %s', async (_, wait) => {
    const controller = new AbortController();
    const reason = new Error('left the page');
    let handed: AbortSignal | null | undefined;
    const client = clientFor(BASE_URL, {
      fetch: async (_url, init) => {
        handed = init.signal;
        controller.abort(reason);
        return new Promise(() => {});
      },
    });
    const error = await rejection(wait(client, { signal: controller.signal }));
    expect(error).toBe(reason);
    expect(handed?.aborted).toBe(true);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  it('continues when its listener throws', async () => {
    const { client } = clientReceivingEach(card('PENDING'), card('ACTIVE'));
    const onProgress = () => {
      throw new Error('listener');
    };
    expect((await client.card.waitUntilActive({ onProgress })).status).toBe('ACTIVE');
  });

  it.each([
    { timeout: 2 ** 31 - 1, interval: 1, maxInterval: 1 },
    { timeout: 2 ** 31 - 1, interval: 2 ** 31 - 1, maxInterval: 2 ** 31 - 1 },
  ])('accepts %j', async (options) => {
    const { client } = clientReceivingEach(card('ACTIVE'));
    expect((await client.card.waitUntilActive(options)).status).toBe('ACTIVE');
  });

  it.each(['timeout', 'interval', 'maxInterval'])('rejects an invalid %s', async (option) => {
    for (const value of [0, -1, Number.NaN, 2 ** 31, 'x' as never]) {
      const { client, requests } = clientReceivingEach(card('ACTIVE'));
      const error = await rejection(client.card.waitUntilActive({ [option]: value }));
      expect(error).toMatchObject({ name: 'ConfigurationError', option });
      expect(requests).toHaveLength(0);
    }
  });
});

it.each<[string, (client: Client) => Promise<unknown>]>([
  ['card.waitUntilActive', ({ card: own }) => own.waitUntilActive(null as never)],
  ['user.waitUntilVerified', ({ user }) => user.waitUntilVerified(null as never)],
  ['orders.waitFor', ({ orders }) => orders.waitFor({ orderId: 'o' }, () => true, null as never)],
])('%s refuses null in place of its options', async (_, wait) => {
  const { client, requests } = clientReceivingEach(json({}));
  expect(await rejection(wait(client))).toMatchObject({
    name: 'ConfigurationError',
    option: 'options',
  });
  expect(requests).toHaveLength(0);
});

describe('user.waitUntilVerified', () => {
  const user = (verificationState: string | null) => json({ id: 'u', verificationState });

  it.each(['VERIFIED', 'REJECTED'])('resolves with %s', async (state) => {
    const { client, requests } = clientReceivingEach(
      user('UNVERIFIED'),
      user(null),
      user('PENDING'),
      user(state),
    );
    const { verificationState } = await client.user.waitUntilVerified();
    expect(verificationState).toBe(state);
    expect(requests).toHaveLength(4);
  });

  it.each([
    // A user stays REJECTED until the new session is submitted.
    ['REJECTED', ['REJECTED', null, 'REJECTED', 'PENDING', 'REJECTED'], 5],
    ['REJECTED', ['REJECTED', 'PENDING', 'VERIFIED'], 3],
    ['REJECTED', ['REJECTED', 'VERIFIED'], 2],
    ['VERIFIED', ['VERIFIED'], 1],
    ['PENDING', ['REJECTED'], 1],
    [undefined, ['REJECTED'], 1],
    [null, ['REJECTED'], 1],
  ] as const)('of a user who was %s before ends after the states %j', async (previousState, states, reads) => {
    const { client, requests } = clientReceivingEach(...states.map(user));
    const { verificationState } = await client.user.waitUntilVerified({ previousState });
    expect(verificationState).toBe(states.at(-1));
    expect(requests).toHaveLength(reads);
  });

  it('of a user who was REJECTED before, and submits nothing, runs out of time', async () => {
    const { client, clock } = clientReceivingEach(user('REJECTED'));
    const options = { previousState: 'REJECTED', timeout: 60_000 } as const;
    expect(await rejection(client.user.waitUntilVerified(options))).toMatchObject({
      name: 'PollingTimeoutError',
      lastValue: { verificationState: 'REJECTED' },
    });
    expect(clock.elapsed()).toBe(60_000);
  });

  it('accepts another predicate', async () => {
    const { client } = clientReceivingEach(user('PENDING'), user('REVIEWED'));
    const isDone = ({ verificationState }: { verificationState?: string | null | undefined }) =>
      verificationState === 'REVIEWED';
    const { verificationState } = await client.user.waitUntilVerified({ isDone });
    expect(verificationState).toBe('REVIEWED');
  });
});

describe('orders.waitFor', () => {
  it("resolves when the caller's predicate is true", async () => {
    const order = (status: string) => json({ orderId: 'o', status });
    const { client, requests } = clientReceivingEach(
      order('STARTED'),
      order('PENDING'),
      order('REFUNDED'),
    );
    const done = await client.orders.waitFor(
      { orderId: 'o' },
      ({ status }) => status === 'REFUNDED',
    );
    expect(done.status).toBe('REFUNDED');
    expect(requests).toHaveLength(3);
  });

  it('waits for the order that was passed, even if the caller uses the object again', async () => {
    const requested: (string | undefined)[] = [];
    const clock = new FakeClock();
    const fetch = async (url: string) => {
      requested.push(url.split('/').at(-1));
      return json({ orderId: 'o', status: requested.length === 3 ? 'PAID' : 'STARTED' });
    };
    const input = { orderId: 'passed' };
    const isDone = ({ status }: { status?: string | null | undefined }) => {
      input.orderId = 'other';
      return status === 'PAID';
    };
    await clientFor(BASE_URL, { fetch, clock }).orders.waitFor(input, isDone);
    expect(requested).toEqual(['passed', 'passed', 'passed']);
  });

  it.each([undefined, null, 'PAID', {}])('refuses %j in place of a predicate', async (isDone) => {
    const { client, requests } = clientReceivingEach(json({}));
    const error = await rejection(client.orders.waitFor({ orderId: 'o' }, isDone as never));
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'isDone' });
    expect(requests).toHaveLength(0);
  });

  it.each([
    ['false', async () => false],
    ['an error', () => Promise.reject(new Error('of the caller'))],
  ])('refuses a predicate that returns a promise of %s', async (_, isDone) => {
    const { client } = clientReceivingEach(json({ orderId: 'o', status: 'STARTED' }));
    const error = await rejection(client.orders.waitFor({ orderId: 'o' }, isDone as never));
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'isDone' });
    expect(String(error)).toContain('promise');
  });

  it('rejects an invalid order id before anything is sent', async () => {
    const { client, requests } = clientReceivingEach(json({}));
    const error = await rejection(client.orders.waitFor({ orderId: '..' }, () => true));
    expect(error).toMatchObject({ name: 'RequestValidationError' });
    expect(requests).toHaveLength(0);
  });
});

describe('a device that sleeps through the end of a wait', () => {
  const HOUR = 3_600_000;

  /** A clock whose first wait takes an hour, in which no other timer runs. */
  function sleepingClock() {
    const awake = new FakeClock();
    let hasSlept = false;
    const clock = {
      now: () => awake.now(),
      elapsed: () => awake.elapsed(),
      schedule: (callback: () => void, ms: number, purpose?: 'wait' | 'limit') =>
        purpose === 'wait'
          ? awake.schedule(() => {
              awake.advance(HOUR);
              hasSlept = true;
              callback();
            }, ms)
          : awake.schedule(callback, hasSlept ? ms : ms + HOUR),
    };
    return { clock, awake };
  }

  function sleeping(stateAfter: string) {
    const { clock } = sleepingClock();
    const states = ['PENDING', stateAfter];
    const { fetch, requests } = scriptedFetch(
      ...states.map((verificationState) => json({ id: 'u', verificationState })),
    );
    return { client: clientFor(BASE_URL, { fetch, clock }), requests };
  }

  it('reads once more', async () => {
    const { client, requests } = sleeping('VERIFIED');
    expect(await client.user.waitUntilVerified()).toMatchObject({ verificationState: 'VERIFIED' });
    expect(requests).toHaveLength(2);
  });

  it.each([
    [{}, 10_000],
    [{ timeout: 9_999 }, 9_999],
    [{ timeout: 10_001 }, 10_000],
  ])('gives up that read after 10 seconds, or after a shorter timeout: %j', async (options, most) => {
    const { clock, awake } = sleepingClock();
    let lastReadAt = 0;
    let reads = 0;
    const fetch = async () => {
      reads += 1;
      if (reads === 1) return json({ id: 'u', verificationState: 'PENDING' });
      lastReadAt = awake.elapsed();
      return new Promise<never>(() => {});
    };
    const client = clientFor(BASE_URL, { fetch, clock, timeout: 60_000 });
    const error = await rejection(client.user.waitUntilVerified(options));
    expect(error).toMatchObject({ name: 'PollingTimeoutError', lastValue: { id: 'u' } });
    expect(awake.elapsed() - lastReadAt).toBe(most);
    expect(reads).toBe(2);
  });

  it('has run out of time if the state is still not reached', async () => {
    const { client, requests } = sleeping('PENDING');
    const error = await rejection(client.user.waitUntilVerified());
    expect(error).toMatchObject({ name: 'PollingTimeoutError', timeoutMs: 45 * 60_000 });
    expect(requests).toHaveLength(2);
  });
});

/** A wait: its call, the response that never ends it, and what it does by default, in milliseconds. */
type Wait = {
  start: (client: Client) => Promise<unknown>;
  response: unknown;
  timeout: number;
  waits: readonly number[];
  longest: number;
};

it.each<[string, Wait]>([
  [
    // Provisioning took two minutes in practice.
    'card.waitUntilActive',
    {
      start: (client) => client.card.waitUntilActive(),
      response: { id: 'c', status: 'PENDING' },
      timeout: 180_000,
      waits: [1_000, 1_500, 2_250, 3_375],
      longest: 5_000,
    },
  ],
  [
    'user.waitUntilVerified',
    {
      start: (client) => client.user.waitUntilVerified(),
      response: { id: 'u', verificationState: 'PENDING' },
      timeout: 45 * 60_000,
      waits: [5_000, 7_500, 11_250, 16_875, 25_312.5],
      longest: 30_000,
    },
  ],
  [
    'orders.waitFor',
    {
      start: (client) => client.orders.waitFor({ orderId: 'o' }, () => false),
      response: { orderId: 'o', status: 'STARTED' },
      timeout: 15 * 60_000,
      waits: [2_000, 3_000, 4_500, 6_750, 10_125],
      longest: 15_000,
    },
  ],
])('%s keeps to its own times by default', async (_, wait) => {
  const clock = new FakeClock();
  const client = clientFor(BASE_URL, { clock, fetch: async () => json(wait.response) });
  expect(await rejection(wait.start(client))).toMatchObject({ timeoutMs: wait.timeout });
  expect(clock.elapsed()).toBe(wait.timeout);
  const { length } = wait.waits;
  expect(clock.waits.slice(0, length)).toEqual(wait.waits);
  // The last one is what is left.
  expect(new Set(clock.waits.slice(length, -1))).toEqual(new Set([wait.longest]));
});

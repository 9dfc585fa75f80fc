import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../src/transport/settings/options.js';
import { clientFor, json, rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';

const BASE_URL = 'https://api.example.com';

let unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
beforeEach(() => {
  unhandled = [];
  process.on('unhandledRejection', note);
});
afterEach(() => process.off('unhandledRejection', note));

/** Waits until every promise that could be left unhandled has been reported. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

const broken: readonly [string, () => unknown][] = [
  [
    'throws',
    () => {
      throw new Error('a bug in a hook');
    },
  ],
  ['rejects', () => Promise.reject(new Error('a bug in a hook'))],
  ['rejects later', () => new Promise((_, reject) => setTimeout(reject, 5, new Error('late')))],
  ['never ends', () => new Promise(() => {})],
  [
    'returns a thenable that throws',
    () => ({
      // biome-ignore lint/suspicious/noThenProperty: a broken promise needs it.
      then: () => {
        throw new Error('then');
      },
    }),
  ],
];

const drifting = { id: 'c', status: 'ACTIVE', expiryDate: 5 };

describe.each(broken)('a hook that %s', (_, hook) => {
  const all: Partial<ClientOptions> = {
    logger: { debug: hook, warn: hook },
    onDrift: hook as () => void,
  };

  it('does not change or delay a result, and does not end the process', async () => {
    const fetch = async () => json(drifting);
    expect(await clientFor(BASE_URL, { fetch, ...all }).card.status()).toEqual(drifting);
    const refused = clientFor(BASE_URL, {
      fetch: async () => json({ message: 'No' }, 404),
      ...all,
    });
    expect(await rejection(refused.card.status())).toMatchObject({ name: 'NotFoundError' });
    await settle();
    expect(unhandled).toEqual([]);
  });

  it('does not change or delay a result as middleware after next()', async () => {
    const middleware: ClientOptions['middleware'] = [
      async (_request, next) => {
        await next();
        return hook();
      },
      async (_request, next) => {
        next().catch(() => {});
        return hook();
      },
    ];
    const fetch = async () => json(drifting);
    const clock = new FakeClock();
    const client = clientFor(BASE_URL, { fetch, middleware, clock });
    expect(await client.card.status()).toEqual(drifting);
    expect(clock.elapsed()).toBeLessThan(5_000);
    await settle();
    expect(unhandled).toEqual([]);
  });

  it('does not change or delay a result as onProgress of a wait', async () => {
    const fetch = async () => json(drifting);
    const onProgress = hook as () => void;
    expect(await clientFor(BASE_URL, { fetch }).card.waitUntilActive({ onProgress })).toEqual(
      drifting,
    );
    await settle();
    expect(unhandled).toEqual([]);
  });
});

describe('middleware', () => {
  it('that does not await next() leaves no unhandled rejection when the call fails', async () => {
    const middleware: ClientOptions['middleware'] = [
      async (_request, next) => {
        next();
      },
    ];
    const fetch = async () => Promise.reject(new TypeError('broken'));
    const client = clientFor(BASE_URL, { fetch, middleware, retry: false });
    expect(await rejection(client.card.status())).toMatchObject({ name: 'ConnectionError' });
    await settle();
    expect(unhandled).toEqual([]);
  });

  it('that calls next() after the call has timed out sends nothing', async () => {
    let requests = 0;
    let late: Promise<unknown> = Promise.resolve();
    const clock = new FakeClock({ auto: false });
    const middleware: ClientOptions['middleware'] = [
      async (_request, next) => {
        clock.advance(20);
        await settle();
        late = next();
        await late;
      },
    ];
    const fetch = async () => {
      requests++;
      return json({ success: true });
    };
    const client = clientFor(BASE_URL, { fetch, middleware, clock, totalTimeout: 20 });
    expect(await rejection(client.card.unfreeze())).toMatchObject({
      name: 'TimeoutError',
      phase: 'middleware',
      outcome: 'not_sent',
    });
    await settle();
    await settle();
    await expect(late).rejects.toMatchObject({ name: 'ConfigurationError' });
    expect(requests).toBe(0);
    expect(unhandled).toEqual([]);
  });

  it('has finished its work after next() when the call returns', async () => {
    const seen: string[] = [];
    const middleware: ClientOptions['middleware'] = ['outer', 'middle', 'inner'].map(
      (name) => async (_request, next) => {
        await next();
        seen.push(name);
      },
    );
    await clientFor(BASE_URL, { fetch: async () => json(drifting), middleware }).card.status();
    expect(seen).toEqual(['inner', 'middle', 'outer']);
  });

  it('has finished its work after next() when the call returns, in each of fifty layers', async () => {
    const seen: number[] = [];
    const layers = Array.from({ length: 50 }, (_, index) => index);
    const middleware: ClientOptions['middleware'] = layers.map(
      (index) => async (_request, next) => {
        await next();
        await undefined;
        seen.push(index);
      },
    );
    await clientFor(BASE_URL, { fetch: async () => json(drifting), middleware }).card.status();
    expect(seen).toEqual(layers.reverse());
  });
});

it('an abort reaches both middleware and the caller with its own reason', async () => {
  const controller = new AbortController();
  const reason = new Error('the user left');
  const seen: unknown[] = [];
  const middleware: ClientOptions['middleware'] = [
    async (_request, next) => {
      await next().catch((error) => seen.push(error));
    },
  ];
  const fetch = () => {
    setTimeout(() => controller.abort(reason), 1);
    return new Promise<Response>(() => {});
  };
  const client = clientFor(BASE_URL, { fetch, middleware });
  expect(await rejection(client.card.status({ signal: controller.signal }))).toBe(reason);
  await settle();
  expect(seen).toEqual([reason]);
});

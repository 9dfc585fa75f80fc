import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outcomeOf } from '../../src/transport/outcome/outcome-of-error.js';
import type { ClientOptions, RequestOptions } from '../../src/transport/settings/options.js';
import { FaultServer } from '../faults/fault-server.js';
import { ADAPTERS, clientOver } from '../support/adapters.js';
import { CREDENTIALS, clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';

const server = new FaultServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const BASE_URL = 'https://api.example.com';
const REASON = new Error('the user left');
const active = () => json({ id: 'c', status: 'ACTIVE' });

async function expectAborted(
  call: (options: RequestOptions) => PromiseLike<unknown>,
  controller: AbortController,
): Promise<void> {
  expect(await rejection(call({ signal: controller.signal }))).toBe(REASON);
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
}

describe('the outcome of an abort', () => {
  const outcomeAfter = async (when: (abort: () => void) => Partial<ClientOptions>) => {
    const controller = new AbortController();
    const reason = new Error('the user left');
    const options = when(() => controller.abort(reason));
    const { signal } = controller;
    const call = clientFor(BASE_URL, options).wallets.credit.withdraw({ amount: '1' }, { signal });
    expect(await rejection(call)).toBe(reason);
    return outcomeOf(reason);
  };

  it('is not_sent while no request has been sent', async () => {
    const accessToken = (abort: () => void) => ({
      accessToken: () => {
        setImmediate(abort);
        return new Promise<string>(() => {});
      },
    });
    expect(await outcomeAfter(accessToken)).toBe('not_sent');
    const middleware = (abort: () => void) => ({
      middleware: [
        () => {
          abort();
          return new Promise<never>(() => {});
        },
      ],
    });
    expect(await outcomeAfter(middleware)).toBe('not_sent');
  });

  it('is unknown after the request was sent, however soon the abort follows', async () => {
    for (const later of [(abort: () => void) => abort(), setImmediate]) {
      const fetch = (abort: () => void) => ({
        fetch: () => {
          later(abort);
          return new Promise<Response>(() => {});
        },
      });
      expect(await outcomeAfter(fetch)).toBe('unknown');
    }
  });

  it('cancels a request whose fetch aborted the call before it returned', async () => {
    let signal: AbortSignal | null | undefined;
    const fetch = (abort: () => void) => ({
      fetch: (_url: string, init: RequestInit) => {
        abort();
        signal = init.signal;
        return new Promise<Response>(() => {});
      },
    });
    await outcomeAfter(fetch);
    expect(signal?.aborted).toBe(true);
  });

  it('is unknown while the body of a success is being read', async () => {
    const body = (abort: () => void) => ({
      fetch: async () =>
        new Response(
          new ReadableStream({
            pull: () => {
              setImmediate(abort);
              return new Promise<void>(() => {});
            },
          }),
        ),
    });
    expect(await outcomeAfter(body)).toBe('unknown');
  });

  it('is unknown when the reason is not an object', async () => {
    const { fetch } = scriptedFetch(active());
    const signal = AbortSignal.abort('enough');
    const error = await rejection(clientFor(BASE_URL, { fetch }).card.status({ signal }));
    expect([error, outcomeOf(error)]).toEqual(['enough', 'unknown']);
  });
});

describe('a call that is aborted', () => {
  it('sends nothing when it is aborted before it starts', async () => {
    const { fetch, requests } = scriptedFetch(active());
    const controller = new AbortController();
    controller.abort(REASON);
    await expectAborted(
      (options) => clientFor(BASE_URL, { fetch }).card.status(options),
      controller,
    );
    expect(requests).toHaveLength(0);
  });

  describe('leaves no rejection to the process', () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => unhandled.push(reason);
    beforeAll(() => process.on('unhandledRejection', listen));
    afterAll(() => process.off('unhandledRejection', listen));
    beforeEach(() => {
      unhandled.length = 0;
    });
    const settle = async () => {
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    };

    it('and does not ask for a token when it is aborted before it starts', async () => {
      let asked = 0;
      const accessToken = async () => {
        asked++;
        throw new Error('the provider failed');
      };
      const controller = new AbortController();
      controller.abort(REASON);
      const client = clientFor(BASE_URL, { accessToken });
      await expectAborted((options) => client.card.status(options), controller);
      await settle();
      expect([asked, unhandled]).toEqual([0, []]);
    });

    it('when it is aborted before its response is read by an async schema', async () => {
      const controller = new AbortController();
      const { fetch } = scriptedFetch(active());
      const validate = async () => {
        throw new Error('the schema failed');
      };
      const schema = { '~standard': { version: 1, vendor: 'test', validate } } as const;
      const options = { signal: controller.signal, schema };
      const call = clientFor(BASE_URL, { fetch }).card.status(options as never);
      await call.raw();
      controller.abort(REASON);
      expect(await rejection(call)).toBe(REASON);
      await settle();
      expect(unhandled).toEqual([]);
    });
  });

  it.each(
    ADAPTERS,
  )('sends nothing over %s when it is aborted before it starts', async (adapter) => {
    const name = `aborted before ${adapter}`;
    const headers = { 'x-case': name, 'x-fault': 'stall' };
    const controller = new AbortController();
    controller.abort(REASON);
    const client = clientOver(adapter, { baseUrl: server.baseUrl, ...CREDENTIALS });
    await expectAborted((options) => client.card.status({ ...options, headers }), controller);
    expect(server.hits(name)).toBe(0);
  });

  it('sends nothing when it is aborted while the access token is fetched', async () => {
    const { fetch, requests } = scriptedFetch(active());
    const controller = new AbortController();
    const accessToken = () => {
      setImmediate(() => controller.abort(REASON));
      return new Promise<string>(() => {});
    };
    const client = clientFor(BASE_URL, { fetch, accessToken });
    await expectAborted((options) => client.card.status(options), controller);
    expect(requests).toHaveLength(0);
  });

  const faults = ['stall', 'body stalls', 'error body stalls'].flatMap((fault) =>
    ADAPTERS.map((adapter) => ({ fault, adapter })),
  );

  it.each(faults)('rejects with the reason during the fault "$fault" over $adapter', async ({
    fault,
    adapter,
  }) => {
    const name = `abort ${fault} ${adapter}`;
    const headers = { 'x-case': name, 'x-fault': fault };
    const controller = new AbortController();
    const client = clientOver(adapter, { baseUrl: server.baseUrl, ...CREDENTIALS });
    const poll = setInterval(() => {
      if (server.hits(name) > 0) controller.abort(REASON);
    }, 5);
    await expectAborted((options) => client.card.status({ ...options, headers }), controller);
    clearInterval(poll);
    expect(server.hits(name)).toBe(1);
  });

  it('sends no further request when it is aborted between two attempts', async () => {
    const clock = new FakeClock({ auto: false });
    const { fetch, requests } = scriptedFetch(json({}, 503));
    const controller = new AbortController();
    const client = clientFor(BASE_URL, { fetch, clock, random: () => 0.9 });
    const abortInWait = async () => {
      while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
      controller.abort(REASON);
    };
    await Promise.all([
      expectAborted((options) => client.card.status(options), controller),
      abortInWait(),
    ]);
    expect(requests).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('rejects with the reason when it is aborted inside middleware', async () => {
    const { fetch, requests } = scriptedFetch(active());
    const controller = new AbortController();
    const middleware = [
      () => {
        controller.abort(REASON);
        return new Promise<never>(() => {});
      },
    ];
    const client = clientFor(BASE_URL, { fetch, middleware });
    await expectAborted((options) => client.card.status(options), controller);
    expect(requests).toHaveLength(0);
  });

  it('keeps its result when it is aborted after the response', async () => {
    const { fetch } = scriptedFetch(active());
    const controller = new AbortController();
    const call = clientFor(BASE_URL, { fetch }).card.status({ signal: controller.signal });
    expect((await call).status).toBe('ACTIVE');
    controller.abort(REASON);
    expect((await call).status).toBe('ACTIVE');
  });

  it('rejects with the default reason of the signal when abort() had none', async () => {
    const { fetch } = scriptedFetch(active());
    const signal = AbortSignal.abort();
    const error = await rejection(clientFor(BASE_URL, { fetch }).card.status({ signal }));
    expect(error).toBe(signal.reason);
  });

  it('does not disturb another call that shares its token renewal', async () => {
    let renewals = 0;
    const fetch = async (_url: string, init: RequestInit) =>
      new Headers(init.headers).get('authorization') === 'Bearer new' ? active() : json({}, 401);
    const accessToken = async ({ reason }: { reason: string }) => {
      if (reason === 'request') return 'old';
      renewals++;
      controller.abort(REASON);
      return 'new';
    };
    const controller = new AbortController();
    const client = clientFor(BASE_URL, { fetch, accessToken });
    const [aborted, other] = await Promise.allSettled([
      client.card.status({ signal: controller.signal }),
      client.card.status(),
    ]);
    expect(aborted).toMatchObject({ status: 'rejected', reason: REASON });
    expect(other).toMatchObject({ status: 'fulfilled' });
    expect(renewals).toBe(1);
  });
});

it('a thousand calls remove their listener from a shared signal', async () => {
  const { signal } = new AbortController();
  const { fetch } = scriptedFetch(active(), json({}, 404));
  const client = clientFor(BASE_URL, { fetch });
  const calls = Array.from({ length: 1000 }, () => client.card.status({ signal }).safe());
  // The calls share one listener, because the runtime warns about more than ten.
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  await Promise.all(calls);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

it('an abort reaches every pending call that shares the signal, and every later call', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const client = clientFor(BASE_URL, { fetch: () => new Promise<Response>(() => {}) });
  const calls = Array.from({ length: 50 }, () => rejection(client.card.status({ signal })));
  await new Promise((resolve) => setImmediate(resolve));
  controller.abort(REASON);
  expect(new Set(await Promise.all(calls))).toEqual(new Set([REASON]));
  expect(await rejection(client.card.status({ signal }))).toBe(REASON);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

it('an abort still reaches a call at once when another one with the same signal has ended', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const ends = [active(), new Promise<Response>(() => {})];
  const client = clientFor(BASE_URL, { fetch: async () => ends.shift() as Response });
  const [ended, pending] = [client.card.status({ signal }), client.card.status({ signal })];
  let reason: unknown = 'none yet';
  const noticed = rejection(pending).then((one) => {
    reason = one;
  });
  expect((await ended).status).toBe('ACTIVE');
  controller.abort(REASON);
  await new Promise((resolve) => setImmediate(resolve));
  // Its own time limit must not be what ends it.
  expect(reason).toBe(REASON);
  await noticed;
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

import { AsyncLocalStorage } from 'node:async_hooks';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClientOptions } from '../../src/transport/settings/options.js';
import { FakeClock } from '../support/fake-clock.js';

// Does not import `../support/clients.js`, which loads the request pipeline before the first call.
const PIPE = '../../src/transport/pipe.js';
const CARD = { id: 'c', status: 'ACTIVE' };

/** Whether the test has replaced the import of the request pipeline. */
let isReplaced = false;

/**
 * Returns a fresh copy of the package, whose request pipeline is not loaded, and a client of it.
 */
async function freshClient(options: Partial<ClientOptions> = {}) {
  if (!isReplaced) loadBy((real) => real());
  const { CardPlatformClient } = await import('../../src/client.js');
  const errors = await import('../../src/index.js');
  const requests: { url: string; init: RequestInit }[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    requests.push({ url, init });
    return Response.json(url.endsWith('/status') ? CARD : { success: true });
  };
  const baseUrl = 'https://api.example.com';
  const keys = { clientKey: 'key', accessToken: 'token' };
  const client = new CardPlatformClient({ baseUrl, fetch, ...keys, ...options });
  return { client, requests, errors };
}

/**
 * Makes each import of the request pipeline return the result of `load`. Once in each test, and
 * never with `vi.doUnmock`: Vitest applies queued mocks when it imports a module, and concurrent
 * imports lose some of them. For the same reason, no test may end while the real one is loading.
 */
function loadBy(load: (real: () => Promise<object>) => Promise<object>) {
  isReplaced = true;
  const loads = vi.fn(load);
  vi.doMock(PIPE, (original) => loads(() => original<object>()));
  return loads;
}

const never = () => new Promise<never>(() => {});
const rejectionOf = (promise: PromiseLike<unknown>) =>
  Promise.resolve(promise).then(
    () => Promise.reject(new Error('the promise was expected to reject')),
    (error: unknown) => error,
  );

beforeEach(() => {
  isReplaced = false;
  vi.resetModules();
});

describe('the request pipeline', () => {
  it('is loaded once, by the first calls', async () => {
    const loads = loadBy((real) => real());
    const { client, requests } = await freshClient();
    expect(loads).not.toHaveBeenCalled();
    const cards = await Promise.all([client.card.status(), client.card.status()]);
    await client.card.freeze();
    expect(cards).toEqual([CARD, CARD]);
    expect(loads).toHaveBeenCalledTimes(1);
    expect(requests).toHaveLength(3);
  });

  it('is not awaited again after it was loaded', async () => {
    const { client, requests } = await freshClient();
    await client.card.status();
    const middleware = vi.fn(async (_request: unknown, next: () => Promise<unknown>) => next());
    client.card.status({ middleware: [middleware] }).catch(() => {});
    await undefined;
    expect(middleware).toHaveBeenCalledTimes(1);
    await expect.poll(() => requests.length).toBe(2);
  });

  it('is loaded in the async context of the call', async () => {
    const user = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const { client } = await freshClient({
      accessToken: () => {
        seen.push(user.getStore());
        return 'token';
      },
    });
    await Promise.all(
      ['ada', 'bob'].map((name) => user.run(name, async () => client.card.status())),
    );
    expect(seen).toEqual(['ada', 'bob']);
  });
});

describe('while the request pipeline loads', () => {
  it('changes that the caller makes to its input are not sent', async () => {
    const { client, requests } = await freshClient();
    const input = { amount: '10', currency: 'dai', sourceAddress: 'a', recipientAddress: 'b' };
    const headers: Record<string, string> = { 'x-trace': 'first' };
    const options = { headers, region: 'us' as 'us' | 'global' };
    const call = client.wallets.internal.withdraw(input, options);
    input.amount = '9999';
    input.recipientAddress = 'thief';
    headers['x-trace'] = 'second';
    options.region = 'global';
    await call;
    expect(JSON.parse(String(requests[0]?.init.body))).toMatchObject({
      amount: '10',
      recipientAddrss: 'b',
    });
    expect(requests[0]?.init.headers).toMatchObject({ 'x-trace': 'first', 'x-us-env': 'true' });
  });

  it('changes that the caller makes to a raw request are not sent', async () => {
    const { client, requests } = await freshClient();
    const body = { list: ['a'] };
    const query = { page: 1 };
    const call = client.request('POST', '/v1/things', { body, query });
    body.list.push('b');
    query.page = 2;
    await call;
    expect(requests[0]).toMatchObject({ init: { body: '{"list":["a"]}' } });
    expect(requests[0]?.url).toContain('?page=1');
  });

  it('an invalid option is rejected without waiting', async () => {
    const loads = loadBy(never);
    const { client, errors } = await freshClient();
    const error = await rejectionOf(client.card.status({ timeout: -1 }));
    expect(error).toBeInstanceOf(errors.ConfigurationError);
    expect(loads).not.toHaveBeenCalled();
  });

  it('the total time runs, so a load that hangs ends in a TimeoutError', async () => {
    loadBy(never);
    const { client, errors } = await freshClient({ clock: new FakeClock() });
    const error = await rejectionOf(client.card.unfreeze({ totalTimeout: 3_000 }));
    expect(error).toBeInstanceOf(errors.TimeoutError);
    expect(error).toMatchObject({
      phase: 'load',
      timeoutMs: 3_000,
      operation: 'card.unfreeze',
      outcome: 'not_sent',
      attempts: 0,
      isRetryable: true,
    });
  });

  it('the time that passes is deducted from the attempts', async () => {
    const clock = new FakeClock({ auto: false });
    loadBy(async (real) => {
      clock.advance(2_000);
      return real();
    });
    const seen: number[] = [];
    const fetch = vi.fn(never);
    const { client } = await freshClient({ clock, fetch });
    const call = rejectionOf(client.card.status({ totalTimeout: 3_000, retry: false }));
    await expect.poll(() => fetch.mock.calls.length).toBe(1);
    clock.advance(999);
    seen.push(clock.pending);
    clock.advance(1);
    expect(await call).toMatchObject({ name: 'TimeoutError', timeoutMs: 3_000 });
    expect(seen).toEqual([1]);
  });

  it('an abort rejects at once with its reason and sends nothing', async () => {
    const loads = loadBy(never);
    const { client, errors } = await freshClient();
    const abort = new AbortController();
    const call = rejectionOf(client.card.unfreeze({ signal: abort.signal }));
    await expect.poll(() => loads.mock.calls.length).toBeGreaterThan(0);
    const reason = new Error('the user left');
    abort.abort(reason);
    expect(await call).toBe(reason);
    expect(errors.outcomeOf(reason)).toBe('not_sent');
  });

  it('a signal that was aborted before the call prevents the load', async () => {
    const loads = loadBy(never);
    const { client, errors } = await freshClient();
    const reason = new Error('too late');
    const call = client.card.unfreeze({ signal: AbortSignal.abort(reason) });
    expect(await rejectionOf(call)).toBe(reason);
    expect(errors.outcomeOf(reason)).toBe('not_sent');
    expect(loads).not.toHaveBeenCalled();
  });

  it('a failed load removes the listener from the signal', async () => {
    loadBy(() => Promise.reject(new Error('offline')));
    const { client } = await freshClient();
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, 'removeEventListener');
    await rejectionOf(client.card.status({ signal }));
    expect(removed).toHaveBeenCalledTimes(1);
  });
});

describe('a failed load of the request pipeline', () => {
  it('is a ConnectionError with outcome not_sent, and the next call loads again', async () => {
    let isOffline = true;
    const loads = loadBy((real) =>
      isOffline ? Promise.reject(new TypeError('Failed to fetch')) : real(),
    );
    const { client, requests, errors } = await freshClient();
    const [first, second] = await Promise.all([
      rejectionOf(client.card.unfreeze()),
      rejectionOf(client.card.status()),
    ]);
    for (const error of [first, second]) expect(error).toBeInstanceOf(errors.ConnectionError);
    expect(first).toMatchObject({
      code: 'connection_failed',
      operation: 'card.unfreeze',
      outcome: 'not_sent',
      attempts: 0,
      isRetryable: true,
    });
    expect(String(first)).toContain('could not be loaded');
    expect(loads).toHaveBeenCalledTimes(1);
    isOffline = false;
    expect(await client.card.status()).toEqual(CARD);
    expect(requests).toHaveLength(1);
  });
});

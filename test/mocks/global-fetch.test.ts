import { Agent } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { json, rejection } from '../support/clients.js';
import { client, NOWHERE, startService, WITHDRAW, WITHDRAWAL, withdraw } from './set-up.js';

// On Node a replaced global `fetch` is called, and anything else goes over node:http.

const nodeFetch = globalThis.fetch;
const responding = () => vi.fn<typeof fetch>(async () => json(WITHDRAWAL));

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function expectOneWithdrawal(mock: ReturnType<typeof responding>): void {
  expect(mock).toHaveBeenCalledTimes(1);
  const [url, init] = mock.mock.calls[0] ?? [];
  expect(url).toBe(`${NOWHERE}${WITHDRAW}`);
  expect(init).toMatchObject({ method: 'POST', body: '{"amount":"1"}', redirect: 'manual' });
}

describe('the option fetch', () => {
  it('is called once as (url, init), whatever the global one is', async () => {
    const [own, stubbed] = [responding(), responding()];
    vi.stubGlobal('fetch', stubbed);
    expect(await withdraw(client({ fetch: own }))).toEqual(WITHDRAWAL);
    expectOneWithdrawal(own);
    expect(stubbed).not.toHaveBeenCalled();
  });
});

describe.each([
  ["vi.stubGlobal('fetch')", (mock: typeof fetch) => vi.stubGlobal('fetch', mock)],
  [
    "vi.spyOn(globalThis, 'fetch')",
    (mock: typeof fetch) => vi.spyOn(globalThis, 'fetch').mockImplementation(mock),
  ],
])('%s', (_, install) => {
  it('before the import: a withdrawal is sent once', async () => {
    const mock = responding();
    install(mock);
    vi.resetModules();
    const { CardPlatformClient } = await import('../../src/client.js');
    const options = { baseUrl: NOWHERE, clientKey: 'key', accessToken: 'token' };
    expect(await withdraw(new CardPlatformClient(options))).toEqual(WITHDRAWAL);
    expectOneWithdrawal(mock);
  });

  it('after the client is made: the same', async () => {
    const user = client();
    const mock = responding();
    install(mock);
    expect(await withdraw(user)).toEqual(WITHDRAWAL);
    expectOneWithdrawal(mock);
  });

  it('that rejects: the withdrawal is not repeated, and unknown', async () => {
    const mock = responding().mockRejectedValue(new TypeError('fetch failed'));
    install(mock);
    expect(await rejection(withdraw(client()))).toMatchObject({ outcome: 'unknown' });
    expect(mock).toHaveBeenCalledTimes(1);
  });

  it('once restored: node:http sends again', async () => {
    const user = client({}, service.baseUrl);
    install(responding());
    await withdraw(user);
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    await withdraw(user);
    expect(service.takeRequests()).toEqual(['node-http']);
  });
});

describe('a fetch that passes requests on', () => {
  it('as a spy without an implementation does, is called once', async () => {
    const spy = vi.spyOn(globalThis, 'fetch');
    await withdraw(client({}, service.baseUrl));
    expect(spy).toHaveBeenCalledTimes(1);
    expect(service.takeRequests()).toEqual(['fetch']);
  });

  it('as the patched one of Next.js does, is called once', async () => {
    const urls: unknown[] = [];
    const patched = async function fetch(input: string | URL | Request, init?: RequestInit) {
      urls.push(input);
      return nodeFetch(input, init);
    };
    globalThis.fetch = Object.assign(patched, {
      __nextPatched: true,
      _nextOriginalFetch: nodeFetch,
    });
    await withdraw(client({}, service.baseUrl));
    globalThis.fetch = nodeFetch;
    expect(urls).toEqual([`${service.baseUrl}${WITHDRAW}`]);
    expect(service.takeRequests()).toEqual(['fetch']);
  });
});

it('the option agent has no effect on a replaced fetch', async () => {
  const mock = responding();
  vi.stubGlobal('fetch', mock);
  await withdraw(client({ agent: new Agent() }));
  expectOneWithdrawal(mock);
});

it('without a global fetch, node:http sends', async () => {
  vi.stubGlobal('fetch', undefined);
  await withdraw(client({}, service.baseUrl));
  expect(service.takeRequests()).toEqual(['node-http']);
});

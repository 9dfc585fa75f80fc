import { Agent } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { json, rejection } from '../support/clients.js';
import {
  MOCKED_URL,
  mockedClient,
  startService,
  WITHDRAW,
  WITHDRAWAL,
  withdraw,
} from './mocked-client.js';

// On Node, a client uses the global `fetch` only while it is replaced, and node:http otherwise.

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
  expect(url).toBe(`${MOCKED_URL}${WITHDRAW}`);
  expect(init).toMatchObject({ method: 'POST', body: '{"amount":"1"}', redirect: 'manual' });
}

describe('the option fetch', () => {
  it('is called once with (url, init), even when the global fetch is replaced', async () => {
    const [passed, stubbed] = [responding(), responding()];
    vi.stubGlobal('fetch', stubbed);
    expect(await withdraw(mockedClient({ fetch: passed }))).toEqual(WITHDRAWAL);
    expectOneWithdrawal(passed);
    expect(stubbed).not.toHaveBeenCalled();
  });
});

describe.each([
  ["vi.stubGlobal('fetch')", (mock: typeof fetch) => vi.stubGlobal('fetch', mock)],
  [
    "vi.spyOn(globalThis, 'fetch')",
    (mock: typeof fetch) => vi.spyOn(globalThis, 'fetch').mockImplementation(mock),
  ],
])('a global fetch replaced with %s', (_, install) => {
  it('before the import receives a withdrawal once', async () => {
    const mock = responding();
    install(mock);
    vi.resetModules();
    const { CardPlatformClient } = await import('../../src/client.js');
    const options = { baseUrl: MOCKED_URL, clientKey: 'key', accessToken: 'token' };
    expect(await withdraw(new CardPlatformClient(options))).toEqual(WITHDRAWAL);
    expectOneWithdrawal(mock);
  });

  it('after the client was created receives a withdrawal once', async () => {
    const userClient = mockedClient();
    const mock = responding();
    install(mock);
    expect(await withdraw(userClient)).toEqual(WITHDRAWAL);
    expectOneWithdrawal(mock);
  });

  it('that rejects receives a withdrawal once, and the outcome is unknown', async () => {
    const mock = responding().mockRejectedValue(new TypeError('fetch failed'));
    install(mock);
    expect(await rejection(withdraw(mockedClient()))).toMatchObject({ outcome: 'unknown' });
    expect(mock).toHaveBeenCalledTimes(1);
  });

  it('and then restored is no longer used', async () => {
    const userClient = mockedClient({}, service.baseUrl);
    install(responding());
    await withdraw(userClient);
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    await withdraw(userClient);
    expect(service.takeRequests()).toEqual(['node-http']);
  });
});

describe('a global fetch that forwards requests', () => {
  it('as a spy without an implementation is called once', async () => {
    const spy = vi.spyOn(globalThis, 'fetch');
    await withdraw(mockedClient({}, service.baseUrl));
    expect(spy).toHaveBeenCalledTimes(1);
    expect(service.takeRequests()).toEqual(['fetch']);
  });

  it('as the patched fetch of Next.js is called once', async () => {
    const urls: unknown[] = [];
    const patched = async function fetch(input: string | URL | Request, init?: RequestInit) {
      urls.push(input);
      return nodeFetch(input, init);
    };
    globalThis.fetch = Object.assign(patched, {
      __nextPatched: true,
      _nextOriginalFetch: nodeFetch,
    });
    await withdraw(mockedClient({}, service.baseUrl));
    globalThis.fetch = nodeFetch;
    expect(urls).toEqual([`${service.baseUrl}${WITHDRAW}`]);
    expect(service.takeRequests()).toEqual(['fetch']);
  });
});

it('the option agent has no effect on a replaced global fetch', async () => {
  const mock = responding();
  vi.stubGlobal('fetch', mock);
  await withdraw(mockedClient({ agent: new Agent() }));
  expectOneWithdrawal(mock);
});

it('a client without a global fetch uses node:http', async () => {
  vi.stubGlobal('fetch', undefined);
  await withdraw(mockedClient({}, service.baseUrl));
  expect(service.takeRequests()).toEqual(['node-http']);
});

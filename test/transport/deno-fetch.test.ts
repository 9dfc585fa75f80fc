import { describe, expect, it } from 'vitest';
import { denoFetch } from '../../src/transport/adapters/choose-adapter.js';
import { fetchAdapter } from '../../src/transport/adapters/fetch.js';

const URL_SENT = 'https://a.test/';

// `npm run test:runtimes` runs this against Deno itself: "does not know what a withdrawal did …".
describe('the adapter of Deno', () => {
  function setUp(respond: () => Promise<Response> = async () => new Response('yes')) {
    const seen: { init: Record<string, unknown>; open: number }[] = [];
    let open = 0;
    const Deno = {
      createHttpClient: (options: unknown) => {
        open++;
        return { options, close: () => open-- };
      },
    };
    const fetch = async (_url: string, init: Record<string, unknown>) => {
      seen.push({ init, open });
      return respond();
    };
    const send = denoFetch({ Deno, fetch });
    if (send === undefined) throw new Error('Deno must be recognised');
    const adapter = fetchAdapter(send, { isForeign: false });
    const request = { method: 'POST', url: URL_SENT, headers: {}, body: undefined };
    const exchange = (onlyOnce: boolean) => adapter.start({ ...request, onlyOnce }).response;
    return { exchange, seen, stillOpen: () => open };
  }

  it('sends a request of class never over a connection of its own', async () => {
    const { exchange, seen, stillOpen } = setUp();
    expect(await exchange(true)).toMatchObject({ status: 200, text: 'yes' });
    expect(seen[0]).toMatchObject({ init: { client: { options: { poolMaxIdlePerHost: 0 } } } });
    expect(seen[0]?.open).toBe(1);
    expect(stillOpen()).toBe(0);
  });

  it('closes that connection when the request fails', async () => {
    const { exchange, stillOpen } = setUp(() => Promise.reject(new TypeError('broken')));
    await expect(exchange(true)).rejects.toThrow('broken');
    expect(stillOpen()).toBe(0);
  });

  it('sends every other request over the shared connections', async () => {
    const { exchange, seen } = setUp();
    await exchange(false);
    expect(seen[0]?.init).not.toHaveProperty('client');
    expect(seen[0]?.open).toBe(0);
  });

  it('is not used without Deno.createHttpClient', () => {
    expect(denoFetch({ Deno: {}, fetch })).toBeUndefined();
  });
});

it('the adapter of Deno is not used on other runtimes', () => {
  expect(denoFetch()).toBeUndefined();
});

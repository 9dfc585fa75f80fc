import { describe, expect, it } from 'vitest';
import { denoFetch } from '../../src/transport/adapters/deno.js';

// Against Deno itself: `npm run test:runtimes`, "does not know what a withdrawal did …".
describe('on Deno', () => {
  function setUp(answer: () => Promise<Response> = async () => new Response('yes')) {
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
      return answer();
    };
    const send = denoFetch({ Deno, fetch });
    return { send, seen, stillOpen: () => open };
  }

  it('what may be sent once only gets a connection that nobody used before', async () => {
    const { send, seen, stillOpen } = setUp();
    const answer = await send?.('https://a.test/', { headers: { connection: 'close' } });
    expect(await answer?.text()).toBe('yes');
    expect(seen[0]).toMatchObject({ init: { client: { options: { poolMaxIdlePerHost: 0 } } } });
    expect(seen[0]?.open).toBe(1);
    expect(stillOpen()).toBe(0);
  });

  it('the connection is given back when the request fails', async () => {
    const { send, stillOpen } = setUp(() => Promise.reject(new TypeError('broken')));
    await expect(send?.('https://a.test/', { headers: { connection: 'close' } })).rejects.toThrow(
      'broken',
    );
    expect(stillOpen()).toBe(0);
  });

  it('everything else uses the connections that there are', async () => {
    const { send, seen } = setUp();
    await send?.('https://a.test/', { headers: {} });
    expect(seen[0]).toEqual({ init: { headers: {} }, open: 0 });
  });

  it('a Deno that cannot make one sends as it does', async () => {
    expect(denoFetch({ Deno: {}, fetch })).toBeUndefined();
  });
});

it('is of no use elsewhere', () => {
  expect(denoFetch()).toBeUndefined();
});

import { CardPlatformClient } from 'card-platform-sdk';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterEach, describe, expect, it, vi } from 'vitest';

// MSW 3 replaces both sockets and the global fetch. A request that it received must never be reported
// as not sent, whichever of the two the client uses.

const BASE_URL = 'https://api.example.com';
const WITHDRAW = `${BASE_URL}/v1/wallet/credit/withdraw`;
const nodeFetch = globalThis.fetch;
const server = setupServer();

afterEach(() => {
  vi.unstubAllGlobals();
  server.close();
});

describe.each([
  ['fetch', () => {}],
  ['node:http', () => vi.stubGlobal('fetch', nodeFetch)],
])('a withdrawal over the %s of MSW', (_, restoreFetch) => {
  function withdraw(respond: () => Response | Promise<Response>) {
    let received = 0;
    server.listen({ onUnhandledRequest: 'error' });
    restoreFetch();
    server.use(
      http.post(WITHDRAW, () => {
        received++;
        return respond();
      }),
    );
    const client = new CardPlatformClient({
      baseUrl: BASE_URL,
      clientKey: 'key',
      accessToken: 'token',
      timeout: 200,
    });
    return {
      result: client.wallets.credit.withdraw({ amount: '1' }).safe(),
      count: () => received,
    };
  }

  it('is received once', async () => {
    const txHash = `0x${'a'.repeat(64)}`;
    const { result, count } = withdraw(() => HttpResponse.json({ txHash }));
    expect((await result).data).toEqual({ txHash });
    expect(count()).toBe(1);
  });

  it('has the outcome unknown after a network error', async () => {
    const { result, count } = withdraw(() => HttpResponse.error());
    expect((await result).error).toMatchObject({ outcome: 'unknown' });
    expect(count()).toBe(1);
  });

  it('has the outcome unknown after a timeout', async () => {
    const { result, count } = withdraw(() => new Promise<never>(() => {}));
    expect((await result).error).toMatchObject({ code: 'timeout', outcome: 'unknown' });
    expect(count()).toBe(1);
  });
});

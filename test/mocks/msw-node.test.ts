import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createMockPlatform } from '../../src/testing/index.js';
import { mswHandlers } from '../../src/testing/msw/index.js';
import { rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';
import { client, NOWHERE, startService, WITHDRAW, WITHDRAWAL, withdraw } from './set-up.js';

// MSW replaces the global `fetch`, which is called, and the sockets of node:http: those are in
// http-request.test.ts.

describe('a server of MSW in Node', () => {
  const server = setupServer();
  let received = 0;

  function respond(response: () => Response | Promise<Response>): void {
    received = 0;
    server.use(
      http.post(`${NOWHERE}${WITHDRAW}`, async ({ request }) => {
        received++;
        expect(await request.json()).toEqual({ amount: '1' });
        return response();
      }),
    );
  }

  afterEach(() => server.close());

  it('started after the client is made receives a withdrawal once', async () => {
    const user = client();
    server.listen({ onUnhandledRequest: 'error' });
    respond(() => HttpResponse.json(WITHDRAWAL));
    expect(await withdraw(user)).toEqual(WITHDRAWAL);
    expect(received).toBe(1);
  });

  it('started before the client is made receives a withdrawal once', async () => {
    server.listen({ onUnhandledRequest: 'error' });
    respond(() => HttpResponse.json(WITHDRAWAL));
    expect(await withdraw(client())).toEqual(WITHDRAWAL);
    expect(received).toBe(1);
  });

  it('that plays a network error: the withdrawal is not repeated, and unknown', async () => {
    server.listen({ onUnhandledRequest: 'error' });
    respond(() => HttpResponse.error());
    const failed = await rejection(withdraw(client()));
    expect(failed).toMatchObject({ code: 'connection_failed', outcome: 'unknown' });
    expect(received).toBe(1);
  });

  it('that never responds: the withdrawal times out, and is unknown', async () => {
    server.listen({ onUnhandledRequest: 'error' });
    const clock = new FakeClock({ auto: false });
    respond(() => {
      clock.advance(100);
      return new Promise<never>(() => {});
    });
    const failed = await rejection(withdraw(client({ clock, timeout: 100 })));
    expect(failed).toMatchObject({ code: 'timeout', outcome: 'unknown' });
    expect(received).toBe(1);
  });

  describe('and a real one', () => {
    let service: Awaited<ReturnType<typeof startService>>;
    beforeAll(async () => {
      service = await startService();
    });
    afterAll(() => service.stop());

    it('gets what MSW lets through, over fetch; after server.close(), over node:http', async () => {
      const user = client({}, service.baseUrl);
      server.listen({ onUnhandledRequest: 'bypass' });
      await withdraw(user);
      server.close();
      await withdraw(user);
      expect(service.takeRequests()).toEqual(['fetch', 'node-http']);
    });
  });
});

it('the handlers of the mock platform see a withdrawal once', async () => {
  const platform = createMockPlatform({ baseUrl: NOWHERE });
  const server = setupServer(...mswHandlers(platform));
  server.listen({ onUnhandledRequest: 'error' });
  const user = platform.users.add({ creditBalance: '5' });
  const accessToken = platform.accessTokenFor(user);
  await rejection(withdraw(client({ ...platform.credentials, accessToken })));
  server.close();
  platform.requests.only({ operation: 'wallets.credit.withdraw' });
});

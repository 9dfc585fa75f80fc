import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createMockPlatform } from '../../src/testing/index.js';
import { mswHandlers } from '../../src/testing/msw/index.js';
import { rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';
import {
  MOCKED_URL,
  mockedClient,
  startService,
  WITHDRAW,
  WITHDRAWAL,
  withdraw,
} from './mocked-client.js';

// MSW replaces the global `fetch`, which the client then uses, and the sockets of node:http, which
// http-request.test.ts covers.

describe('an MSW server on Node', () => {
  const server = setupServer();
  let received = 0;

  function respond(response: () => Response | Promise<Response>): void {
    received = 0;
    server.use(
      http.post(`${MOCKED_URL}${WITHDRAW}`, async ({ request }) => {
        received++;
        expect(await request.json()).toEqual({ amount: '1' });
        return response();
      }),
    );
  }

  afterEach(() => server.close());

  it('receives a withdrawal once when it starts after the client was created', async () => {
    const userClient = mockedClient();
    server.listen({ onUnhandledRequest: 'error' });
    respond(() => HttpResponse.json(WITHDRAWAL));
    expect(await withdraw(userClient)).toEqual(WITHDRAWAL);
    expect(received).toBe(1);
  });

  it('receives a withdrawal once when it starts before the client is created', async () => {
    server.listen({ onUnhandledRequest: 'error' });
    respond(() => HttpResponse.json(WITHDRAWAL));
    expect(await withdraw(mockedClient())).toEqual(WITHDRAWAL);
    expect(received).toBe(1);
  });

  it('that responds with a network error receives a withdrawal once, and the outcome is unknown', async () => {
    server.listen({ onUnhandledRequest: 'error' });
    respond(() => HttpResponse.error());
    const failed = await rejection(withdraw(mockedClient()));
    expect(failed).toMatchObject({ code: 'connection_failed', outcome: 'unknown' });
    expect(received).toBe(1);
  });

  it('that never responds receives a withdrawal once, and the outcome is unknown', async () => {
    server.listen({ onUnhandledRequest: 'error' });
    const clock = new FakeClock({ auto: false });
    respond(() => {
      clock.advance(100);
      return new Promise<never>(() => {});
    });
    const failed = await rejection(withdraw(mockedClient({ clock, timeout: 100 })));
    expect(failed).toMatchObject({ code: 'timeout', outcome: 'unknown' });
    expect(received).toBe(1);
  });

  describe('together with a real server', () => {
    let service: Awaited<ReturnType<typeof startService>>;
    beforeAll(async () => {
      service = await startService();
    });
    afterAll(() => service.stop());

    it('passes unhandled requests on over fetch, and after close() the client uses node:http', async () => {
      const userClient = mockedClient({}, service.baseUrl);
      server.listen({ onUnhandledRequest: 'bypass' });
      await withdraw(userClient);
      server.close();
      await withdraw(userClient);
      expect(service.takeRequests()).toEqual(['fetch', 'node-http']);
    });
  });
});

it('the MSW handlers of the mock platform receive a withdrawal once', async () => {
  const platform = createMockPlatform({ baseUrl: MOCKED_URL });
  const server = setupServer(...mswHandlers(platform));
  server.listen({ onUnhandledRequest: 'error' });
  const user = platform.users.add({ creditBalance: '5' });
  const accessToken = platform.accessTokenFor(user);
  await rejection(withdraw(mockedClient({ ...platform.credentials, accessToken })));
  server.close();
  platform.requests.only({ operation: 'wallets.credit.withdraw' });
});

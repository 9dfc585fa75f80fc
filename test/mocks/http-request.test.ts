import { EventEmitter } from 'node:events';
import type { ClientRequest } from 'node:http';
import https, { Agent } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { HttpResponse, http as route } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ClientOptions } from '../../src/transport/settings/options.js';
import { clientFor, rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';

// Mocks of `http.request`: MSW and nock 14 replace the sockets as well as the global `fetch`, and
// the original `fetch` may have been restored. A request that a mock received must never count as
// not sent.

const BASE_URL = 'https://api.example.com';
const WITHDRAW = `${BASE_URL}/v1/wallet/credit/withdraw`;
const nodeFetch = globalThis.fetch;

describe('a withdrawal through the mock sockets of MSW, with the original fetch restored,', () => {
  const server = setupServer();
  let received = 0;

  beforeAll(() => {
    server.listen({ onUnhandledRequest: 'bypass' });
    vi.stubGlobal('fetch', nodeFetch);
  });
  afterEach(() => {
    server.resetHandlers();
    received = 0;
  });
  afterAll(() => {
    vi.unstubAllGlobals();
    server.close();
  });

  type Respond = () => Response | Promise<Response>;

  function withdraw(respond: Respond, baseUrl = BASE_URL, options: Partial<ClientOptions> = {}) {
    server.use(
      route.post(WITHDRAW, () => {
        received++;
        return respond();
      }),
    );
    const client = clientFor(baseUrl, options);
    return client.wallets.credit.withdraw({ amount: '1' });
  }

  it('is received once', async () => {
    const txHash = `0x${'a'.repeat(64)}`;
    expect(await withdraw(() => HttpResponse.json({ txHash }))).toEqual({ txHash });
    expect(received).toBe(1);
  });

  it('keeps none of the connections that `maxSockets` allows occupied', async () => {
    for (let i = 0; i < 10; i++) {
      const failing = i % 2 === 0;
      const respond = () => (failing ? HttpResponse.error() : HttpResponse.json({ success: true }));
      await withdraw(respond, BASE_URL, { maxSockets: 2 }).safe();
    }
    expect(received).toBe(10);
  });

  it('has outcome unknown after a network error from the handler', async () => {
    expect(await rejection(withdraw(() => HttpResponse.error()))).toMatchObject({
      code: 'connection_failed',
      outcome: 'unknown',
    });
    expect(received).toBe(1);
  });

  it('has outcome unknown when the handler never returns', async () => {
    const clock = new FakeClock({ auto: false });
    const hang = () => {
      clock.advance(200);
      return new Promise<never>(() => {});
    };
    const failed = withdraw(hang, BASE_URL, { clock, timeout: 200 });
    expect(await rejection(failed)).toMatchObject({ code: 'timeout', outcome: 'unknown' });
    expect(received).toBe(1);
  });

  it('was not sent when MSW passes it on to a closed port', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const failed = withdraw(() => HttpResponse.error(), `http://127.0.0.1:${port}`);
    expect(await rejection(failed)).toMatchObject({ outcome: 'not_sent' });
    expect(received).toBe(0);
  });
});

describe('a mocked http.request', () => {
  afterEach(() => vi.restoreAllMocks());

  it('without a socket leaves the outcome unknown', async () => {
    const clock = new FakeClock({ auto: false });
    const end = vi.fn(() => setImmediate(() => clock.advance(50)));
    const mockRequest = Object.assign(new EventEmitter(), {
      write: vi.fn(),
      end,
      destroy: vi.fn(),
    });
    // Has only the parts that the client uses, as a mock would.
    const request = vi
      .spyOn(https, 'request')
      .mockReturnValue(mockRequest as unknown as ClientRequest);
    const client = clientFor(BASE_URL, { clock, timeout: 50 });
    expect(await rejection(client.wallets.credit.withdraw({ amount: '1' }))).toMatchObject({
      code: 'timeout',
      outcome: 'unknown',
    });
    expect(request).toHaveBeenCalledTimes(1);
    expect(mockRequest.destroy).toHaveBeenCalledTimes(1);
  });
});

describe('a request that times out on a real connection', () => {
  const failed = (baseUrl: string, agent?: Agent) =>
    rejection(
      clientFor(baseUrl, { timeout: 150, ...(agent && { agent }) }).wallets.credit.withdraw({
        amount: '1',
      }),
    );

  it('was not sent while the name is looked up', async () => {
    const agent = new Agent({ lookup: () => {} });
    expect(await failed(BASE_URL, agent)).toMatchObject({ code: 'timeout', outcome: 'not_sent' });
  });

  it('was not sent during the TLS handshake', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const error = await failed(`https://localhost:${port}`);
    expect(error).toMatchObject({ code: 'timeout', outcome: 'not_sent' });
    silent.close();
  });
});

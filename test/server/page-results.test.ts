import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineEndpoint } from '../../src/endpoints/index.js';
import { createErrorResponse } from '../../src/server/index.js';
import { writeResponse } from '../../src/server/responses.js';
import { json } from '../support/clients.js';
import { BASE_PATH, ORIGIN, OWN_PAGE, SESSION_TOKEN, scriptedProxy, sendTo } from './support.js';

const CARD = { id: 'c', status: 'ACTIVE' };

describe('a result for a page', () => {
  it.each([
    [200, 200],
    [201, 200],
    [299, 200],
  ])('has a status that the page knows: the %i of the service is %i', async (status, expected) => {
    const { proxy } = scriptedProxy([json(CARD, status)]);
    const response = await sendTo(proxy, 'GET', '/v1/card/status');
    expect([response.status, await response.json()]).toEqual([expected, CARD]);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.has('x-card-platform-outcome')).toBe(false);
  });

  it('of an endpoint outside the contract has the status of the service', async () => {
    const own = defineEndpoint({
      id: 'own.read',
      method: 'GET',
      path: '/v1/own',
      retry: 'safe',
      pageAccess: 'allowed',
    });
    for (const status of [200, 202, 299]) {
      const { proxy } = scriptedProxy([json({ a: 1 }, status)], { endpoints: [own] });
      expect((await sendTo(proxy, 'GET', '/v1/own')).status).toBe(status);
    }
  });

  it('keeps the 207 of a token whose faucet failed', async () => {
    const body = {
      token: 'token',
      nonce: 'nonce-12345',
      faucet: { success: false, message: 'dry' },
    };
    const { proxy } = scriptedProxy([json(body, 207)]);
    const response = await sendTo(
      proxy,
      'GET',
      '/v1/delegation/token?faucet=true&network=linea&address=0x9D85ca56217D2bb651b00f15e694EB7E713637D4',
    );
    expect(response.status).toBe(207);
  });

  it.each(['', ' \n'])('is empty where the service sent nothing but %j', async (text) => {
    const own = defineEndpoint({
      id: 'own.do',
      method: 'POST',
      path: '/v1/own',
      retry: 'idempotent',
      pageAccess: 'allowed',
      mayBeEmpty: true,
    });
    const { proxy } = scriptedProxy([new Response(text)], { endpoints: [own] });
    const response = await sendTo(proxy, 'POST', '/v1/own');
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.has('content-type')).toBe(false);
  });

  it('says when the service responded, where the service says so', async () => {
    const time = 'Wed, 21 Oct 2026 07:28:00 GMT';
    const dated = scriptedProxy([
      json(CARD, 200, { date: time, 'x-card-platform-date': 'forged' }),
    ]);
    const { headers } = await sendTo(dated.proxy, 'GET', '/v1/card/status');
    expect(headers.get('x-card-platform-date')).toBe(time);
    const undated = scriptedProxy([json(CARD, 200, { 'x-card-platform-date': time })]);
    const other = await sendTo(undated.proxy, 'GET', '/v1/card/status');
    expect(other.headers.has('x-card-platform-date')).toBe(false);
    expect(other.headers.has('x-request-id')).toBe(false);
  });
});

describe('a response', () => {
  it.each([204, 205])('with the status %i has neither body nor type', async (status) => {
    const { headers, body } = writeResponse({ status, body: { a: 1 } });
    expect([body, headers.has('content-type')]).toEqual([null, false]);
  });

  it('has only the headers that it was given', () => {
    const { headers } = writeResponse({ status: 200, body: 1 });
    expect([...headers.keys()].sort()).toEqual([
      'cache-control',
      'content-type',
      'cross-origin-resource-policy',
      'referrer-policy',
      'x-content-type-options',
    ]);
  });
});

describe('a refusal for a page', () => {
  it.each([
    ['POST', '/v1/card/status', 'GET'],
    ['DELETE', '/v1/wallet/internal', 'GET, POST'],
  ])('of %s %s says which methods the path has: %s', async (method, path, allow) => {
    const { proxy } = scriptedProxy([json({})]);
    const response = await sendTo(proxy, method, path);
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
    expect(await response.json()).toMatchObject({
      message: 'The proxy does not allow this method.',
    });
  });

  it.each([
    ['is missing', () => undefined, 401, 'There is no session: log in.'],
    ['is null', () => null, 401, 'There is no session: log in.'],
    ['fails', () => Promise.reject(new Error('db')), 503, 'The session could not be read.'],
    ['has no token', () => ({ accessToken: '' }), 503, 'The session could not be read.'],
  ])('because the session %s says what to do', async (_, session, status, message) => {
    const { proxy } = scriptedProxy([json({})], { session });
    const response = await sendTo(proxy, 'GET', '/v1/card/status');
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ message });
  });

  it('says that the page has gone, for the log', async () => {
    const gone = new AbortController();
    const session = () => {
      gone.abort();
      return { accessToken: SESSION_TOKEN };
    };
    const { proxy, failures } = scriptedProxy([json({})], { session });
    const response = await sendTo(proxy, 'GET', '/v1/card/status', { signal: gone.signal });
    expect(await response.json()).toMatchObject({ message: 'The page has gone.' });
    expect(failures).toMatchObject([{ reason: 'page_gone', outcome: 'not_sent' }]);
  });

  it('of a request that cannot be read says only that the proxy failed', async () => {
    const { proxy, requests, failures } = scriptedProxy([json({})]);
    const broken = new Error('no headers here');
    const request = new Request(`${ORIGIN}${BASE_PATH}/v1/card/status`);
    Object.defineProperty(request, 'headers', {
      get: () => {
        throw broken;
      },
    });
    const response = await proxy(request);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({
      code: 'proxy_failed',
      message: 'The proxy failed.',
    });
    expect(failures).toMatchObject([
      { reason: 'proxy_failed', outcome: 'not_sent', error: broken },
    ]);
    expect(requests).toEqual([]);
  });

  it('of an error of your own says nothing about it', async () => {
    const response = createErrorResponse(new Error('db-host-7'));
    expect(await response.text()).not.toContain('db-host-7');
    expect(response.headers.get('x-card-platform-outcome')).toBe('unknown');
  });
});

it('a session hears that its renewed token was rejected', async () => {
  const rejected: string[] = [];
  const accessToken = Object.assign(
    async ({ reason }: { reason: string }) =>
      reason === 'rejected' ? 'renewed-token' : 'old-token',
    { onRenewedTokenRejected: (token: string) => rejected.push(token) },
  );
  const { proxy } = scriptedProxy([json({ message: 'No' }, 401), json({ message: 'No' }, 401)], {
    session: () => ({ accessToken }),
  });
  expect((await sendTo(proxy, 'GET', '/v1/card/status')).status).toBe(401);
  expect(rejected).toEqual(['renewed-token']);
});

describe('the time that a request may take', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['/v1/card/status', undefined, 12_000],
    ['/v1/delegation/token', undefined, 12_000],
    ['/v1/delegation/token?faucet=false', undefined, 12_000],
    [
      '/v1/delegation/token?faucet=true&network=linea&address=0x9D85ca56217D2bb651b00f15e694EB7E713637D4',
      undefined,
      27_000,
    ],
    [
      '/v1/delegation/token?faucet=true&network=linea&address=0x9D85ca56217D2bb651b00f15e694EB7E713637D4',
      5_000,
      5_000,
    ],
    ['/v1/card/status', 14_000, 14_000],
  ])('%s with the option %s is %i ms, its session included', async (path, timeout, limit) => {
    const waiting = new Promise<never>(() => {});
    for (const part of ['session', 'call'] as const) {
      const session = () => (part === 'session' ? waiting : { accessToken: SESSION_TOKEN });
      const { proxy } = scriptedProxy([], { timeout, session }, { fetch: () => waiting });
      let status: number | undefined;
      const request = new Request(`${ORIGIN}${BASE_PATH}${path}`, { headers: OWN_PAGE });
      const done = proxy(request).then((response) => {
        status = response.status;
      });
      await vi.advanceTimersByTimeAsync(limit - 1);
      expect([part, status]).toEqual([part, undefined]);
      await vi.advanceTimersByTimeAsync(1);
      await done;
      expect([part, status]).toEqual([part, part === 'session' ? 503 : 504]);
    }
  });

  it('leaves no timer behind when the page has its response', async () => {
    const { proxy } = scriptedProxy([json({ txHash: `0x${'ab'.repeat(32)}` })]);
    const response = await sendTo(proxy, 'POST', '/v1/wallet/credit/withdraw', {
      body: JSON.stringify({ amount: '1' }),
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(200);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that the session has taken is not left for the call', async () => {
    const session = () =>
      new Promise<{ accessToken: string }>((resolve) => {
        setTimeout(() => resolve({ accessToken: SESSION_TOKEN }), 8_000);
      });
    let status: number | undefined;
    const fetch = () => new Promise<never>(() => {});
    const { proxy } = scriptedProxy([], { timeout: 10_000, session }, { fetch });
    const request = new Request(`${ORIGIN}${BASE_PATH}/v1/card/status`, { headers: OWN_PAGE });
    const done = proxy(request).then((response) => {
      status = response.status;
    });
    await vi.advanceTimersByTimeAsync(9_998);
    expect(status).toBeUndefined();
    await vi.advanceTimersByTimeAsync(3);
    await done;
    expect(status).toBe(504);
    expect(vi.getTimerCount()).toBe(0);
  });
});

import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import type { RetryClass } from '../../src/contract/retry-policy.js';
import type { RawRequest } from '../../src/transport/declare/raw-request.js';
import type { ClientOptions } from '../../src/transport/settings/options.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';

const UUID = '6f1c2b1e-0000-4000-8000-000000000001';
const BASE_URL = 'https://api.example.com';

function setUp(status = 503, options: Partial<ClientOptions> = {}, body: unknown = {}) {
  const { fetch, requests } = scriptedFetch(json(body, status));
  const client = clientFor(BASE_URL, { fetch, retry: { baseDelay: 0 }, ...options });
  return { client, requests };
}

const paramsOf = (path: string) =>
  Object.fromEntries(Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => [String(name), UUID]));
/** The riskiest first: a `never` that is retried as one before it may move money twice. */
const BY_RISK: readonly RetryClass[] = ['safe', 'idempotent', 'issues-token', 'never'];
const riskierThan = (known: RetryClass) => BY_RISK.slice(0, BY_RISK.indexOf(known));
const notRiskierThan = (known: RetryClass) => BY_RISK.slice(BY_RISK.indexOf(known));

describe.each(
  ENDPOINTS.map((endpoint) => [endpoint.id, endpoint] as const),
)('a request to the path of %s', (id, { method, path, retry }) => {
  const concrete = path.replaceAll(/\{\w+\}/g, UUID);
  const hidden = path.replace(/\/[^/{]+$/, '/{hidden}');
  const last = path.slice(path.lastIndexOf('/') + 1);
  const spellings: [string, Pick<RawRequest, 'params'>][] = [
    [path, { params: paramsOf(path) }],
    [concrete, {}],
    [concrete.toUpperCase().replace(UUID.toUpperCase(), UUID), {}],
    ...(hidden === path
      ? []
      : [[hidden, { params: { ...paramsOf(path), hidden: last } }] as [string, RawRequest]]),
  ];

  it.each(spellings)('is retried like its method, written %s', async (written, params) => {
    for (const status of [500, 503]) {
      const { client, requests } = setUp(status);
      await rejection(client.request(method, written, params));
      const expected = retry.afterStatuses.includes(status) ? retry.maxRequests : 1;
      expect(requests).toHaveLength(expected);
    }
  });

  it.each(
    spellings,
  )('refuses a riskier class and names the method, written %s', async (written, params) => {
    for (const retryClass of riskierThan(retry.class)) {
      const { client, requests } = setUp();
      const error = await rejection(client.request(method, written, { ...params, retryClass }));
      expect(error).toMatchObject({
        name: 'ConfigurationError',
        option: 'retryClass',
        outcome: 'not_sent',
        message:
          `retryClass must be ${retry.class} for ${method} ${path}, or be left out: ` +
          `use client.${id}(), which knows when a retry is safe.`,
      });
      expect(requests).toEqual([]);
    }
  });

  it('accepts its own class and stricter ones, and never retries more than its method', async () => {
    for (const retryClass of notRiskierThan(retry.class)) {
      for (const status of [500, 502, 503]) {
        const { client, requests } = setUp(status);
        await rejection(client.request(method, path, { params: paramsOf(path), retryClass }));
        const most = retry.afterStatuses.includes(status) ? retry.maxRequests : 1;
        expect(requests.length).toBeLessThanOrEqual(retryClass === 'never' ? 1 : most);
      }
    }
  });
});

describe('a request for a delegation token', () => {
  const path = '/v1/delegation/token';

  it.each([
    [{ faucet: true }, 1],
    [{ faucet: 'true' }, 1],
    [{ faucet: 'TRUE' }, 1],
    [{ faucet: 1 }, 1],
    [{ Faucet: true }, 1],
    [{ faucet: false }, 2],
    [{ faucet: 'false' }, 2],
    [{ faucet: undefined }, 2],
    [{ network: 'linea', address: 'x' }, 2],
    [{}, 2],
  ])('with the query %j is sent %i times', async (query, count) => {
    const { client, requests } = setUp();
    await rejection(client.request('GET', path, { query }));
    expect(requests).toHaveLength(count);
  });

  it.each([
    [{ faucet: true }, 30_000],
    [{ Faucet: 'TRUE' }, 30_000],
    [{ faucet: false }, 15_000],
    [{}, 15_000],
  ])('with the query %j gets %i ms, as its method does', async (query, timeoutMs) => {
    const clock = new FakeClock();
    const { client } = setUp(503, { fetch: () => new Promise(() => {}), retry: false, clock });
    expect(await rejection(client.request('GET', path, { query }))).toMatchObject({
      name: 'TimeoutError',
      timeoutMs,
    });
  });

  it('with faucet refuses every class but never', async () => {
    for (const retryClass of ['safe', 'idempotent', 'issues-token'] as const) {
      const { client, requests } = setUp();
      const request = { query: { faucet: true }, retryClass };
      expect(await rejection(client.request('GET', path, request))).toMatchObject({
        option: 'retryClass',
      });
      expect(requests).toEqual([]);
    }
  });
});

it('reads each value that decides about retries only once', async () => {
  let reads = 0;
  const params = {
    get name() {
      return reads++ === 0 ? 'status' : 'order';
    },
  };
  const { client, requests } = setUp();
  await rejection(client.request('GET', '/v1/card/{name}', { params }));
  expect(new Set(requests.map(({ url }) => url))).toEqual(new Set([`${BASE_URL}/v1/card/status`]));
  expect(reads).toBe(1);
});

it('does not apply the retry table to a request of class never with another method or path', async () => {
  for (const [method, path] of [
    ['PUT', '/v1/card/status'],
    ['GET', '/v1/card/status/details'],
    ['GET', '/v2/card/status'],
  ] as const) {
    const { client, requests } = setUp();
    await rejection(client.request(method, path));
    expect(requests).toHaveLength(1);
  }
});

it('redacts the secrets of the endpoint that it reaches', async () => {
  const secret = 'canary-of-the-proof';
  const { client } = setUp(422, {}, { message: `wrong ${secret}` });
  for (const body of [{ sigMessage: secret }, { sigHash: secret }, { token: secret }]) {
    const error = await rejection(
      client.request('POST', '/v1/delegation/evm/post-approval', { body }),
    );
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(secret);
  }
});

it('reports the documented refusals of the endpoint that it reaches', async () => {
  const { client } = setUp(400, {}, { message: 'Card is already frozen' });
  const { client: own } = setUp(400, {}, { message: 'Card is already frozen' });
  const byMethod = await rejection(own.card.freeze({ retry: false }));
  const byPath = await rejection(client.request('POST', '/v1/card/freeze'));
  expect(byPath).toHaveProperty('code', (byMethod as { code: string }).code);
});

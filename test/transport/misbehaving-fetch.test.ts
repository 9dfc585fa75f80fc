import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createMockPlatform } from '../../src/testing/index.js';
import { clientFor, rejection } from '../support/clients.js';

const BASE_URL = 'https://api.example.com';

function failures(fetch: unknown) {
  const client = clientFor(BASE_URL, { fetch, retry: false } as never);
  return Promise.all([
    rejection(client.card.status()),
    rejection(client.wallets.credit.withdraw({ amount: '123.456' })),
  ]);
}

describe('a fetch of the caller that', () => {
  it('throws its own error causes a message that quotes it, with a redacted cause', async () => {
    const fetch = () => {
      const broken: { name: string } | undefined = undefined as never;
      return (broken as unknown as { name: string }).name;
    };
    for (const error of await failures(fetch)) {
      expect(error).toMatchObject({
        name: 'ConnectionError',
        outcome: 'unknown',
        cause: { name: 'TypeError' },
      });
      expect(String(error)).toContain('the fetch that sends requests threw TypeError: Cannot read');
    }
  });

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['a text', 'a string'],
    [{}, 'an object without a numeric status and headers with a get function'],
    [{ ok: true, status: 200, json: async () => ({}) }, 'an object without headers'],
    [{ ok: true, headers: new Headers() }, 'an object without a numeric status'],
  ])('returns %j causes an error that says what a Response needs', async (value, description) => {
    for (const error of await failures(async () => value)) {
      expect(error).toMatchObject({ name: 'ProtocolError', code: 'fetch_response_invalid' });
      expect(String(error)).toContain(`returned ${description}`);
    }
  });

  it('returns only { ok, status, json } leaves a read unknown, and a withdrawal probably executed', async () => {
    const [read, withdrawal] = await failures(async () => ({
      ok: true,
      status: 200,
      json: () => ({}),
    }));
    expect(read).toMatchObject({ outcome: 'unknown' });
    expect(withdrawal).toMatchObject({ outcome: 'unknown', probableOutcome: 'executed' });
  });

  it('returns a response without a readable body causes a BodyReadError', async () => {
    const headers = new Headers();
    const [read, withdrawal] = await failures(async () => ({ status: 200, headers }));
    const message = expect.stringContaining('neither a body stream nor text()');
    expect(read).toMatchObject({ name: 'BodyReadError', outcome: 'unknown', message });
    expect(withdrawal).toMatchObject({ name: 'BodyReadError', outcome: 'unknown', message });
  });

  it('returns a response whose text() is not a string causes a BodyReadError', async () => {
    const response = { status: 200, headers: new Headers(), text: async () => 5 };
    const [read] = await failures(async () => response);
    expect(read).toMatchObject({ name: 'BodyReadError', outcome: 'unknown' });
  });

  it('returns a response that has text() and no body stream works', async () => {
    const response = {
      status: 200,
      headers: new Headers({ 'content-type': 'application/json' }),
      text: async () => '{"id":"c","status":"ACTIVE"}',
    };
    const client = clientFor(BASE_URL, { fetch: async () => response } as never);
    expect(await client.card.status()).toMatchObject({ id: 'c' });
  });

  it('throws an error that quotes the request does not leak the request', async () => {
    const fetch = (url: string, init: RequestInit) => {
      throw new TypeError(`${url} ${JSON.stringify(init)} ${init.body}`);
    };
    for (const error of await failures(fetch)) {
      const printed = inspect(error, { depth: 10, showHidden: true, getters: true });
      expect(printed).not.toMatch(/canary|123\.456/);
    }
  });

  it.each([
    undefined,
    null,
    'a text with canary-client-key',
    5,
    Symbol('x'),
    () => {},
  ])('throws %s causes a typed error', async (value) => {
    const fetch = () => {
      throw value;
    };
    for (const error of await failures(fetch)) {
      expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
      expect(inspect(error)).not.toContain('canary');
    }
  });

  it('throws a value whose properties cannot be read causes a typed error', async () => {
    const trap = () => {
      throw new Error('gotcha');
    };
    const proxy = new Proxy(() => {}, {
      get: trap,
      has: trap,
      getPrototypeOf: trap,
      ownKeys: trap,
    });
    const coded = Object.defineProperty(new Error('x'), 'code', { get: trap });
    for (const value of [proxy, coded]) {
      const fetch = () => {
        throw value;
      };
      for (const error of await failures(fetch)) {
        expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
      }
    }
  });

  it('throws an error with a network code is reported as a failed connection', async () => {
    const fetch = async () => {
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('r'), { code: 'ECONNRESET' }),
      });
    };
    for (const error of await failures(fetch)) {
      expect(String(error)).toContain(
        'the connection to https://api.example.com failed (ECONNRESET)',
      );
    }
  });
});

it('the error quotes the hint of the mock platform', async () => {
  const mock = createMockPlatform();
  const client = clientFor(mock.baseUrl, { fetch: mock.fetch, ...mock.credentials });
  const error = await rejection(
    client.request('GET', '/v1/card/statuss', { retryClass: 'safe', retry: false }),
  );
  expect(String(error)).toContain('The nearest is GET /v1/card/status (card.status)');
});

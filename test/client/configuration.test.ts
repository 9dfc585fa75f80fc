import { Agent } from 'node:http';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/client.js';
import { systemClock } from '../../src/transport/attempts/clock.js';
import type { ClientOptions } from '../../src/transport/settings/options.js';
import { inBrowser } from '../support/adapters.js';
import { CREDENTIALS, clientFor, json, rejection, scriptedFetch } from '../support/clients.js';

const BASE_URL = 'https://api.example.com';

function refuse(options: unknown): { option: string; message: string } {
  try {
    new CardPlatformClient(options as ClientOptions);
  } catch (error) {
    expect(error).toMatchObject({ name: 'ConfigurationError', outcome: 'not_sent' });
    return error as { option: string; message: string };
  }
  throw new Error('the options were expected to be refused');
}

describe('the option baseUrl', () => {
  it.each([
    'https://api.example.com',
    'https://api.example.com/',
    'https://api.example.com:8443/base/path/',
    'http://127.0.0.1:3000',
    'http://localhost:3000',
    'http://[::1]:3000',
  ])('accepts %s', async (baseUrl) => {
    const { fetch, requests } = scriptedFetch(json({ id: 'c', status: 'ACTIVE' }));
    await clientFor(baseUrl, { fetch }).card.status();
    expect(requests[0]?.url).toBe(`${baseUrl.replace(/\/$/, '')}/v1/card/status`);
  });

  it.each([
    undefined,
    null,
    '',
    5,
    'api.example.com',
    '//api.example.com',
    '/v1',
    'http://api.example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'ftp://api.example.com',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://user@api.example.com',
    'https://user:secret@api.example.com',
    'https://api.example.com?key=secret',
    'https://api.example.com?',
    'https://api.example.com#x',
    'https://api.example.com#',
    'https://api.example.com\\@evil.example',
    'https://api.example.com\n',
    ' https://api.example.com',
    'https://api.exa mple.com',
  ])('rejects %j without quoting it', (baseUrl) => {
    const { option, message } = refuse({ baseUrl });
    expect(option).toBe('baseUrl');
    expect(message).not.toContain('secret');
  });
});

describe('a credential', () => {
  it.each([
    'clientKey',
    'clientId',
    'secretKey',
    'accessToken',
  ])('is validated without quoting it: %s', (option) => {
    for (const value of ['', 'sec ret', 'secret\r\nx: y', 'secrét', 's'.repeat(4097), 5, null]) {
      const refusal = refuse({ baseUrl: BASE_URL, [option]: value });
      expect(refusal.option).toBe(option);
      expect(inspect(refusal)).not.toMatch(/sec ret|secrét|x: y/);
    }
  });

  it('named secretKey is rejected in a browser', () => {
    const options = { baseUrl: BASE_URL, secretKey: 'secret' };
    const refusal = inBrowser(() => refuse(options));
    expect(refusal.option).toBe('secretKey');
    expect(refusal.message).toContain('must not reach a browser');
    expect(() => inBrowser(() => new CardPlatformClient({ baseUrl: BASE_URL }))).not.toThrow();
    expect(() => new CardPlatformClient(options)).not.toThrow();
  });

  it('is not shown when a client is printed or serialised', () => {
    const client = clientFor(BASE_URL);
    const printed = inspect(client, { depth: 10, showHidden: true }) + JSON.stringify(client);
    for (const secret of Object.values(CREDENTIALS)) expect(printed).not.toContain(secret);
  });

  it('is not in a copy of a client, which shows its namespaces and nothing else', () => {
    const client = clientFor(BASE_URL);
    const namespaces = ['auth', 'card', 'consent', 'delegation', 'journal', 'orders'];
    const others = ['referral', 'user', 'wallets', 'webhooks'];
    expect(Reflect.ownKeys({ ...client }).sort()).toEqual([...namespaces, ...others]);
  });
});

describe('an unknown option', () => {
  it.each([
    ['clientkey', 'clientKey'],
    ['acessToken', 'accessToken'],
    ['responseValdation', 'responseValidation'],
    ['apiKey', 'clientKey'],
    ['api_key', 'clientKey'],
    ['api-key', 'clientKey'],
    ['client_key', 'clientKey'],
    ['sandbox', undefined],
    ['baseURL', 'baseUrl'],
    ['maxRetries', 'retry.maxRetries'],
    ['timeoutMs', 'timeout'],
    ['bearerToken', 'accessToken'],
    ['constructor', undefined],
    ['colour', undefined],
  ])('%s is refused, and the message asks for the one that is meant: %s', (name, meant) => {
    const { message } = refuse({ baseUrl: BASE_URL, [name]: 'a value of the caller' });
    expect(message).toContain('is not a known option.');
    expect(/Did you mean (.+)\?/.exec(message)?.[1]).toBe(meant);
    expect(message).not.toContain('a value of the caller');
  });

  it.each([
    [40, 'a'.repeat(40)],
    [41, 'an option'],
  ])('with a name of %i letters is shown as %s, because a longer one may be a value', (length, shown) => {
    const { message } = refuse({ baseUrl: BASE_URL, ['a'.repeat(length)]: 1 });
    expect(message).toMatch(new RegExp(`^${shown} is not a known option\\.`));
  });

  it('of a nested object is asked for with its path', () => {
    const { option, message } = refuse({ baseUrl: BASE_URL, retry: { maxRetry: 1 } });
    expect(option).toBe('retry.maxRetry');
    expect(message).toBe('retry.maxRetry is not a known option. Did you mean retry.maxRetries?');
  });

  it('is never replaced by one that the object does not have', () => {
    const { message } = refuse({ baseUrl: BASE_URL, retry: { apiKey: 'x' } });
    expect(message).toBe(
      'retry.apiKey is not a known option. The options are baseDelay, maxDelay, maxRetries, maxRetryAfter.',
    );
  });
});

describe('the options of a client', () => {
  it.each([
    ['region', 'eu'],
    ['region', 'US'],
    ['timeout', 0],
    ['timeout', -1],
    ['timeout', 1.5],
    ['timeout', 2 ** 31],
    ['timeout', Number.NaN],
    ['timeout', '5'],
    ['totalTimeout', 0],
    ['totalTimeout', 2 ** 31],
    ['retry', 'yes'],
    ['retry', null],
    ['retry', 3],
    ['retry.maxRetries', { maxRetries: 6 }],
    ['retry.maxRetries', { maxRetries: -1 }],
    ['retry.baseDelay', { baseDelay: -1 }],
    ['retry.maxDelay', { maxDelay: Number.POSITIVE_INFINITY }],
    ['retry.maxRetryAfter', { maxRetryAfter: '1' }],
    ['retry.limit', { limit: 3 }],
    ['fetch', 'fetch'],
    ['middleware', () => 1],
    ['middleware', ['x']],
    ['logger', {}],
    ['logger', { debug: () => 1 }],
    ['responseValidation', 'loose'],
    ['onDrift', 'x'],
    ['clock', {}],
    ['clock', { now: () => 1, elapsed: () => 1 }],
    ['random', 0.5],
    ['agent', {}],
    ['agent', 'keep-alive'],
    ['maxSockets', 0],
    ['maxSockets', -1],
    ['maxSockets', 1.5],
    ['maxSockets', 65_536],
    ['maxSockets', Number.POSITIVE_INFINITY],
    ['maxSockets', '64'],
    ['maxSockets', null],
    ['additions', 5],
    ['additions.networks', { networks: ['x'] }],
    ['additions.evmNetworks', { evmNetworks: 'base' }],
    ['apiKey', 'x'],
    ['clientkey', 'x'],
  ])('reject %s with the value %j', (option, value) => {
    const [name = ''] = option.split('.');
    const refusal = refuse({ baseUrl: BASE_URL, [name]: value });
    expect(refusal.option).toBe(option === 'additions' ? 'options' : option);
  });

  it.each([undefined, null, 5, 'x'])('must not be %s', (options) => {
    refuse(options);
  });

  it('are read once, and only from the object itself', async () => {
    const inherited = Object.create({ secretKey: 'inherited' });
    inherited.baseUrl = BASE_URL;
    const client = new CardPlatformClient(inherited);
    const id = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
    expect(await rejection(client.consent.getSet({ id }))).toMatchObject({
      name: 'ConfigurationError',
    });
    let reads = 0;
    const getter = {
      get baseUrl() {
        reads++;
        return BASE_URL;
      },
    };
    new CardPlatformClient(getter);
    expect(reads).toBe(1);
  });

  it('are not read from environment variables', () => {
    const read: PropertyKey[] = [];
    const before = process.env;
    process.env = new Proxy(before, {
      get: (target, name) => {
        read.push(name);
        return Reflect.get(target, name);
      },
    });
    try {
      clientFor(BASE_URL);
    } finally {
      process.env = before;
    }
    expect(read).toEqual([]);
  });
});

describe('the option clock', () => {
  it.each([
    'now',
    'elapsed',
  ] as const)('is rejected when %s() does not return a finite number', (name) => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '5', undefined]) {
      const clock = { ...systemClock, [name]: () => value };
      expect(refuse({ baseUrl: BASE_URL, clock })).toMatchObject({
        option: 'clock',
        message: 'clock must return finite milliseconds.',
      });
    }
  });

  it('does not hide the outcome of a request when the clock fails afterwards', async () => {
    let isBroken = false;
    const broken = (read: () => number) => () => (isBroken ? Number.NaN : read());
    const { now, elapsed } = systemClock;
    const clock = { ...systemClock, now: broken(now), elapsed: broken(elapsed) };
    const withdraw = (status: number, body: unknown) => {
      isBroken = false;
      const fetch = async () => {
        isBroken = true;
        return json(body, status);
      };
      return clientFor(BASE_URL, { fetch, clock }).wallets.credit.withdraw({ amount: '1' });
    };
    expect(await rejection(withdraw(500, {}))).toMatchObject({ outcome: 'unknown', attempts: 1 });
    expect(await rejection(withdraw(400, { message: 'no' }))).toMatchObject({
      name: 'BadRequestError',
      outcome: 'rejected',
    });
    const txHash = `0x${'a'.repeat(64)}`;
    expect(await withdraw(200, { txHash })).toEqual({ txHash });
  });
});

it.each([1, 64, 65_535])('maxSockets may be %d, also together with an agent', (maxSockets) => {
  expect(() => new CardPlatformClient({ baseUrl: BASE_URL, maxSockets })).not.toThrow();
  const agent = new Agent();
  expect(() => new CardPlatformClient({ baseUrl: BASE_URL, maxSockets, agent })).not.toThrow();
});

it('the option maxSockets is rejected together with fetch and in a browser', () => {
  const options = { baseUrl: BASE_URL, maxSockets: 64 };
  expect(refuse({ ...options, fetch: async () => json({}) })).toMatchObject({
    option: 'maxSockets',
    message: 'maxSockets has no effect together with fetch.',
  });
  expect(inBrowser(() => refuse(options)).option).toBe('maxSockets');
});

it('the option agent is rejected together with fetch and in a browser', () => {
  const agent = new Agent();
  expect(refuse({ baseUrl: BASE_URL, agent, fetch: async () => json({}) })).toMatchObject({
    option: 'agent',
    message: 'agent has no effect together with fetch.',
  });
  expect(inBrowser(() => refuse({ baseUrl: BASE_URL, agent })).option).toBe('agent');
  expect(() => new CardPlatformClient({ baseUrl: BASE_URL, agent })).not.toThrow();
});

describe('the options of a call', () => {
  const cases: [string, unknown][] = [
    ['timeout', 0],
    ['totalTimeout', 2 ** 31],
    ['region', 'eu'],
    ['retry', 'yes'],
    ['headers', 'x'],
    ['headers', new Headers()],
    ['signal', {}],
    ['accessToken', 'a b'],
    ['middleware', [1]],
    ['timeuot', 5],
  ];
  it.each(cases)('reject %s with the value %j before anything is sent', async (option, value) => {
    const { fetch, requests } = scriptedFetch(json({ id: 'c', status: 'ACTIVE' }));
    const error = await rejection(clientFor(BASE_URL, { fetch }).card.status({ [option]: value }));
    expect(error).toMatchObject({ name: 'ConfigurationError', option });
    expect(requests).toHaveLength(0);
  });

  it.each([
    'authorization',
    'Authorization',
    'X-Client-Key',
    'x-secret-key',
    'x-client-id',
    'x-us-env',
    'proxy-authorization',
    'cookie',
    'host',
    'content-length',
    'content-type',
    'transfer-encoding',
    'connection',
    'upgrade',
    'te',
    'trailer',
    'expect',
    'keep-alive',
  ])('reject the header %s, which only the client sets', async (name) => {
    const { fetch, requests } = scriptedFetch(json({ id: 'c', status: 'ACTIVE' }));
    const client = clientFor(BASE_URL, { fetch });
    const error = await rejection(client.card.status({ headers: { [name]: 'secret-value' } }));
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'headers' });
    expect(String(error)).toContain(`headers: ${name} cannot be set by a caller.`);
    expect(inspect(error)).not.toContain('secret-value');
    expect(requests).toHaveLength(0);
  });

  it.each(['bad name', 'bad\r\nname', ''])('reject the header name %j', async (name) => {
    const { fetch, requests } = scriptedFetch(json({ id: 'c', status: 'ACTIVE' }));
    const client = clientFor(BASE_URL, { fetch });
    const error = await rejection(client.card.status({ headers: { [name]: 'secret-value' } }));
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'headers' });
    expect(String(error)).toContain('headers: a header has a name that HTTP does not allow.');
    expect(inspect(error)).not.toContain('secret-value');
    expect(requests).toHaveLength(0);
  });

  it.each(['a\r\nb', 'é', '\u0000', 5, null, {}])('reject the header value %j', async (value) => {
    const { fetch, requests } = scriptedFetch(json({ id: 'c', status: 'ACTIVE' }));
    const headers = { 'x-trace': value as string };
    const error = await rejection(clientFor(BASE_URL, { fetch }).card.status({ headers }));
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'headers' });
    expect(String(error)).toContain(
      'x-trace must be a string of at most 4096 printable ASCII characters.',
    );
    expect(requests).toHaveLength(0);
  });

  it('add headers to the request', async () => {
    const { fetch, requests } = scriptedFetch(json({ id: 'c', status: 'ACTIVE' }));
    const headers = { 'X-Trace': 'abc', 'x-none': undefined };
    await clientFor(BASE_URL, { fetch }).card.status({ headers });
    const sent = new Headers(requests[0]?.init.headers);
    expect(sent.get('x-trace')).toBe('abc');
    expect(sent.has('x-none')).toBe(false);
  });
});

it('the option additions allows values that the contract does not list', async () => {
  const { fetch, requests } = scriptedFetch(json({ success: true, orderId: 'o' }));
  const client = clientFor(BASE_URL, { fetch, additions: { paymentMethods: ['CARD'] } });
  await client.orders.create({ productId: 'p', paymentMethod: 'CARD' });
  expect(requests).toHaveLength(1);
  const error = await rejection(client.orders.create({ productId: 'p', paymentMethod: 'CASH' }));
  expect(error).toMatchObject({ issues: [{ path: 'paymentMethod' }] });
});

it('the client uses the current global fetch for each call', async () => {
  const client = clientFor(BASE_URL);
  const before = globalThis.fetch;
  globalThis.fetch = async () => json({ id: 'patched', status: 'ACTIVE' });
  try {
    expect((await client.card.status()).id).toBe('patched');
  } finally {
    globalThis.fetch = before;
  }
});

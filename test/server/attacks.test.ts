import { describe, expect, it } from 'vitest';
import type { ProxyRefusalReason } from '../../src/server/index.js';
import { json, rejection, scriptedFetch } from '../support/clients.js';
import {
  BASE_PATH,
  mockProxy,
  ORIGIN,
  OWN_PAGE,
  pageClient,
  SESSION_TOKEN,
  scriptedProxy,
  sendTo,
} from './support.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const WITHDRAW = '/v1/wallet/credit/withdraw';
const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers: { ...JSON_TYPE, ...headers },
});

/** A request that must be refused before anything is sent to the service. */
type Attack = {
  what: string;
  method?: string;
  path?: string;
  init?: RequestInit;
  status: number;
  reason: ProxyRefusalReason | 'call_failed';
};

const refusedPaths = [
  '/v1/card/STATUS',
  '/V1/card/status',
  '/v1/card/status/',
  '//v1/card/status',
  '/v1//card/status',
  '/v1/card%2fstatus',
  '/v1/card/statu%73',
  '/v1/card/status%00',
  '/v1/card/status;x=1',
  '/v1/card/status%20',
  '/v1/card/%2e%2e/webhooks',
  '/v1/card/../webhooks',
  '/v1/card/..%2fwebhooks',
  '/v1/card/..%5cwebhooks',
  '/v1\\webhooks',
  '/v1/webhooks',
  '/v1/webhooks/00000000-0000-4000-8000-000000000000',
  '/v2/consent/consentSet/x',
  '/v1/order/products/available',
  '/v1/referral/CODE/validate',
  '/v1/unknown',
  '/http://api.example.com/v1/card/status',
  '/@evil.example/v1/card/status',
  '/v1/card/status/..',
  '/v1/card',
  '/__proto__',
  '/v1/card/constructor',
];

const attacks: readonly Attack[] = [
  ...refusedPaths.map((path) => ({
    what: `the path ${path}`,
    path,
    status: 403,
    reason: 'operation_not_allowed' as const,
  })),
  ...['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].map((method) => ({
    what: `${method} where only GET is an operation`,
    method,
    status: 405,
    reason: 'method_not_allowed' as const,
  })),
  ...(
    [
      ['from another site', { 'sec-fetch-site': 'cross-site' }, 'cross_site'],
      ['from a sibling domain', { 'sec-fetch-site': 'same-site' }, 'cross_site'],
      ['with a doubled header', { 'sec-fetch-site': 'same-origin, same-origin' }, 'cross_site'],
      ['that a user typed', { 'sec-fetch-site': 'none', origin: ORIGIN }, 'cross_site'],
      [
        'from another origin',
        { 'sec-fetch-site': '', origin: 'https://evil.example' },
        'cross_site',
      ],
      ['from another origin alone', { origin: 'https://evil.example' }, 'cross_site'],
      ['from the same host over http', { origin: 'http://app.example' }, 'cross_site'],
      ['from another port', { origin: 'https://app.example:8443' }, 'cross_site'],
      ['from a longer host', { origin: 'https://app.example.evil.example' }, 'cross_site'],
      ['from a sandboxed frame', { origin: 'null' }, 'cross_site'],
      ['with two origins', { origin: `${ORIGIN}, ${ORIGIN}` }, 'cross_site'],
      ['with neither header', {}, 'origin_missing'],
    ] as const
  ).map(([what, headers, reason]) => ({
    what: `a withdrawal ${what}`,
    method: 'POST',
    path: WITHDRAW,
    init: { ...post({ amount: '1' }), headers: { ...JSON_TYPE, ...headers, 'x-bare': '1' } },
    status: 403,
    reason,
  })),
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/jsonx',
    'text/json',
    'application/json, text/plain',
  ].map((type) => ({
    what: `a body of type ${type}`,
    method: 'POST',
    path: WITHDRAW,
    init: post({ amount: '1' }, { 'content-type': type }),
    status: 415,
    reason: 'content_type_not_json' as const,
  })),
  {
    what: 'a body without a type',
    method: 'POST',
    path: WITHDRAW,
    init: { body: new Blob(['{"amount":"1"}']) },
    status: 415,
    reason: 'content_type_not_json',
  },
  {
    what: 'a compressed body',
    method: 'POST',
    path: WITHDRAW,
    init: post('x', { 'content-encoding': 'gzip' }),
    status: 415,
    reason: 'content_type_not_json',
  },
  {
    what: 'a body that is longer than declared bodies may be',
    method: 'POST',
    path: WITHDRAW,
    init: post({ amount: '1' }, { 'content-length': '65537' }),
    status: 413,
    reason: 'body_too_large',
  },
  {
    what: 'a body of a length that is not a number',
    method: 'POST',
    path: WITHDRAW,
    init: post({ amount: '1' }, { 'content-length': '1, 2' }),
    status: 400,
    reason: 'request_malformed',
  },
  {
    what: 'a long body that does not declare its length',
    method: 'POST',
    path: WITHDRAW,
    init: post(`{"amount":"${'1'.repeat(65_536)}"}`),
    status: 413,
    reason: 'body_too_large',
  },
  ...['{', '', 'null', '[]', '"x"', '\ufeff{"amount":"1"}x'].map((body) => ({
    what: `the body ${JSON.stringify(body)}`,
    method: 'POST',
    path: WITHDRAW,
    init: post(body),
    status: body === '' ? 422 : 400,
    reason:
      body === ''
        ? ('call_failed' as const)
        : /^[{\ufeff]/.test(body)
          ? ('body_unreadable' as const)
          : ('request_malformed' as const),
  })),
  {
    what: 'a body that is not UTF-8',
    method: 'POST',
    path: WITHDRAW,
    init: { body: new Uint8Array([0x7b, 0xff, 0x7d]), headers: JSON_TYPE },
    status: 400,
    reason: 'body_unreadable',
  },
  {
    what: 'a body for an operation without one',
    method: 'POST',
    path: '/v1/card/freeze',
    init: post({ x: 1 }),
    status: 400,
    reason: 'request_malformed',
  },
  ...[
    '{"amount":"1","to":"x"}',
    '{"amount":"1","__proto__":{"a":1}}',
    '{"amount":"1","constructor":{"prototype":{}}}',
    '{"amount":"1","toString":1}',
    '{"amount":"-1"}',
    '{"amount":1}',
  ].map((body) => ({
    what: `the body ${body}`,
    method: 'POST',
    path: WITHDRAW,
    init: post(body),
    status: 422,
    reason: 'call_failed' as const,
  })),
  ...[
    ['?x=1', 422, 'call_failed'],
    ['?walletId=w&walletId=w&page=0', 400, 'request_malformed'],
    ['?walletId=w&page=0&page=1', 400, 'request_malformed'],
    ['?walletId=w&page=one', 422, 'call_failed'],
    ['?walletId=w&page=-1', 422, 'call_failed'],
    ['?walletId=w&page=0&region=us', 422, 'call_failed'],
    ['?__proto__=1', 422, 'call_failed'],
  ].map(([query, status, reason]) => ({
    what: `the query ${query}`,
    path: `/v1/wallet/history${query}`,
    status: Number(status),
    reason: reason as Attack['reason'],
  })),
  {
    what: "a region that is not the session's",
    path: '/v1/delegation/token?region=us',
    status: 422,
    reason: 'call_failed',
  },
  {
    what: 'fields that the operation does not have, as extra fields of a proof',
    method: 'POST',
    path: '/v1/delegation/evm/post-approval',
    init: post({ extraBody: { nonce: 'x' } }),
    status: 422,
    reason: 'call_failed',
  },
];

describe('the proxy refuses', () => {
  it.each(attacks)('$what', async ({ method = 'GET', path = '/v1/card/status', init, ...rest }) => {
    const { proxy, requests, failures } = scriptedProxy([json({ success: true })]);
    const isBare = new Headers(init?.headers).has('x-bare');
    const headers = { ...(isBare ? {} : OWN_PAGE), ...Object(init?.headers) };
    for (const name of Object.keys(headers)) if (headers[name] === '') delete headers[name];
    const url = `${ORIGIN}${BASE_PATH}${path}`;
    const response = await proxy(new Request(url, { ...init, method, headers }));
    const { status, reason } = rest;
    expect({ status: response.status, reason: failures[0]?.reason }).toEqual({ status, reason });
    expect(requests).toEqual([]);
    expect(failures).toMatchObject([{ status, outcome: 'not_sent' }]);
    expect(response.headers.get('x-card-platform-outcome')).toBe('not_sent');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('a write without any origin, unless the server allows it', async () => {
    const open = scriptedProxy([json({ success: true })], { allowMissingOrigin: true });
    await pageClient(open.proxy, {}, {}).card.freeze();
    expect(open.requests.length).toBe(1);
  });

  it('a token issued by GET without any origin, because it is not only a read', async () => {
    const { proxy, requests } = scriptedProxy([json({ sessionUrl: 'https://id.example/1' })]);
    const error = await rejection(pageClient(proxy, {}, {}).user.startVerification());
    expect(error).toMatchObject({ status: 403, outcome: 'not_sent' });
    expect(requests).toEqual([]);
  });

  it('no read without any origin', async () => {
    const { proxy } = scriptedProxy([json({ id: 'c', status: 'ACTIVE' })]);
    expect(await pageClient(proxy, {}, {}).card.status()).toMatchObject({ status: 'ACTIVE' });
  });

  it('no page of the host in the Host header, even if the URL has another host', async () => {
    const { proxy } = scriptedProxy([json({ success: true })]);
    const own = { origin: 'https://b.example', host: 'b.example' };
    expect((await sendTo(proxy, 'POST', '/v1/card/freeze', { headers: own })).status).toBe(200);
    const other = { ...own, host: 'c.example' };
    expect((await sendTo(proxy, 'POST', '/v1/card/freeze', { headers: other })).status).toBe(403);
  });

  it('an origin that is not on its list, if it has one', async () => {
    const { proxy } = scriptedProxy([json({ success: true })], { origins: ['https://b.example'] });
    const own = await sendTo(proxy, 'POST', '/v1/card/freeze', {
      headers: { origin: 'https://b.example' },
    });
    expect(own.status).toBe(200);
    expect((await sendTo(proxy, 'POST', '/v1/card/freeze')).status).toBe(403);
  });

  it('a body that never ends, when time runs out', async () => {
    const { proxy, requests, failures } = scriptedProxy([json({})], { timeout: 20 });
    const body = new ReadableStream({ pull: () => new Promise(() => {}) });
    const init: RequestInit & { duplex: string } = { body, headers: JSON_TYPE, duplex: 'half' };
    expect((await sendTo(proxy, 'POST', WITHDRAW, init)).status).toBe(503);
    expect(failures).toMatchObject([{ reason: 'timeout' }]);
    expect(requests).toEqual([]);
  });

  it('a body that other code has already read', async () => {
    const { proxy, failures } = scriptedProxy([json({})]);
    const init = { method: 'POST', ...post({ amount: '1' }, OWN_PAGE) };
    const request = new Request(`${ORIGIN}${BASE_PATH}${WITHDRAW}`, init);
    await request.text();
    expect((await proxy(request)).status).toBe(500);
    expect(failures).toMatchObject([{ reason: 'body_consumed' }]);
  });
});

describe('the headers that a proxy receives', () => {
  const hostile = {
    authorization: 'Bearer stolen',
    'x-client-key': 'forged',
    'x-client-id': 'forged',
    'x-secret-key': 'forged',
    'x-forwarded-for': '10.0.0.1',
    'x-forwarded-host': 'evil.example',
    forwarded: 'host=evil.example',
    'x-http-method-override': 'DELETE',
    'x-original-url': '/v1/webhooks',
    'x-rewrite-url': '/v1/webhooks',
    cookie: 'session=secret',
    'x-anything': 'else',
    'content-length': '0',
    te: 'trailers',
  };

  it('never reach the service when a page sends them', async () => {
    const { proxy, requests } = scriptedProxy([json({ id: 'c', status: 'ACTIVE' })]);
    const response = await sendTo(proxy, 'GET', '/v1/card/status', { headers: hostile });
    expect(response.status).toBe(200);
    expect(requests[0]?.init.headers).toEqual({
      accept: 'application/json',
      authorization: `Bearer ${SESSION_TOKEN}`,
      'x-client-key': 'canary-client-key',
    });
    expect(requests[0]?.url).toBe('https://api.example.com/v1/card/status');
  });

  it('do not choose the region, which the session chooses', async () => {
    const session = () => ({ accessToken: SESSION_TOKEN, region: 'us' as const });
    const { proxy, requests } = scriptedProxy([json({ id: 'c', status: 'ACTIVE' })], { session });
    await sendTo(proxy, 'GET', '/v1/card/status', { headers: { 'x-us-env': 'false' } });
    expect(requests[0]?.init.headers).toMatchObject({ 'x-us-env': 'true' });
  });

  it.each([
    ['us', undefined, 200],
    [undefined, undefined, 422],
    ['us', 'global', 422],
    [undefined, 'us', 200],
  ] as const)('of a client in %s and a session in %s may ask for the US: %i', async (region, ofSession, status) => {
    const session = () => ({ accessToken: SESSION_TOKEN, ...(ofSession && { region: ofSession }) });
    for (const [query, headers] of [
      ['?region=us', {}],
      ['', { 'x-us-env': 'true' }],
    ] as const) {
      const { proxy, requests } = scriptedProxy(
        [json({ token: 'token', nonce: 'nonce-12345' })],
        { session },
        { region },
      );
      const response = await sendTo(proxy, 'GET', `/v1/delegation/token${query}`, { headers });
      expect(response.status).toBe(status);
      expect(requests).toHaveLength(status === 200 ? 1 : 0);
    }
  });

  it('never reach the page when the service sends them', async () => {
    const headers = {
      'set-cookie': 'sid=1',
      'access-control-allow-origin': '*',
      'x-powered-by': 'service',
      server: 'secret-host-7',
      'x-card-platform-outcome': 'not_sent',
      location: 'https://evil.example',
      'x-request-id': 'r-1',
    };
    for (const status of [200, 403, 500]) {
      const { proxy } = scriptedProxy([
        json({ message: 'x', id: 'c', status: 'A' }, status, headers),
      ]);
      const response = await sendTo(proxy, 'GET', '/v1/card/status');
      const names = [...response.headers.keys()].filter((name) => !name.startsWith('x-card-'));
      expect(names.sort()).toEqual([
        'cache-control',
        'content-type',
        'cross-origin-resource-policy',
        'referrer-policy',
        'x-content-type-options',
        'x-request-id',
      ]);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });
});

describe('the responses of the service', () => {
  it('that are not usable are not passed on', async () => {
    const { page } = scriptedProxy([json({ txHash: '' })]);
    const error = await rejection(page.wallets.credit.withdraw({ amount: '1' }));
    expect(error).toMatchObject({ outcome: 'unknown', isRetryable: false });
  });

  it('are written again without keys that change a prototype', async () => {
    const text = '{"id":"c","status":"ACTIVE","__proto__":{"admin":true},"n":{"constructor":1}}';
    const { proxy } = scriptedProxy([json(text)]);
    const response = await sendTo(proxy, 'GET', '/v1/card/status');
    expect(await response.text()).toBe('{"id":"c","status":"ACTIVE","n":{}}');
  });

  // Bytes that a program may write in other ways.
  const TOKEN = 'tok"en/with+signs=&.~-';
  const KEYS = {
    clientKey: 'key"of/the\\client+1',
    clientId: 'id-of/the+client?1',
    secretKey: 'secret<of>the&client/1',
  };
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  const unicode = (text: string) =>
    text.replace(/[^a-z0-9]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const SPELLINGS: Readonly<Record<string, (text: string) => string>> = {
    'as it is': (text) => text,
    'inside a sentence': (text) => `sent with ${text}, refused`,
    'in JSON': (text) => inJson(text),
    'in JSON in JSON': (text) => inJson(inJson(text)),
    'in JSON with slashes escaped': (text) => inJson(text).replaceAll('/', '\\/'),
    'in JSON with code points': unicode,
    'in a URL': encodeURIComponent,
    'in a URL in lower case': (text) =>
      encodeURIComponent(text).replace(/%../g, (one) => one.toLowerCase()),
    'in a URL in a URL': (text) => encodeURIComponent(encodeURIComponent(text)),
    'in a form': (text) => new URLSearchParams({ a: text }).toString(),
    'in HTML': (text) =>
      text.replace(/["&<>]/g, (c) => ({ '"': '&quot;', '&': '&amp;', '<': '&lt;' })[c] ?? '&gt;'),
    'in base64': btoa,
    'in base64 with a name': (text) => btoa(`user:${text}`),
    'in base64url': (text) => btoa(`a${text}`).replaceAll('+', '-').replaceAll('/', '_'),
  };
  const proxyEchoing = (respond: (echo: unknown) => unknown, echo: unknown, status: number) =>
    scriptedProxy(
      [json(respond(echo), status)],
      { session: () => ({ accessToken: async () => TOKEN }), allow: ['card.status', 'orders.get'] },
      { ...KEYS, accessToken: 'token-of-the-client-itself' },
    );
  const CELLS = Object.keys(SPELLINGS).flatMap((spelling) =>
    [200, 400, 500].map((status) => ({ spelling, status })),
  );

  it.each(CELLS)('redact the credentials of the client $spelling ($status)', async (cell) => {
    const spell = SPELLINGS[cell.spelling] ?? ((text: string) => text);
    const all = { TOKEN, ...KEYS, own: 'token-of-the-client-itself' };
    for (const secret of Object.values(all)) {
      const echo = spell(secret);
      const body = (one: unknown) => ({
        id: 'c',
        status: 'ACTIVE',
        message: one,
        code: one,
        headers: { 'x-client-key': one, list: [[one]] },
        errors: [{ field: one, message: one }],
        [String(one)]: 1,
      });
      const { proxy, page } = proxyEchoing(body, echo, cell.status);
      const text = await (await sendTo(proxy, 'GET', '/v1/card/status')).text();
      // Compared after parsing, as a page sees it, and as bytes.
      const values = JSON.stringify(JSON.parse(text));
      for (const form of [secret, echo, inJson(secret), inJson(echo)]) {
        expect(text.includes(form) || values.includes(form), `${form} in ${text}`).toBe(false);
      }
      // The result is still one: the call took effect.
      if (cell.status === 200) expect(await page.card.status()).toMatchObject({ status: 'ACTIVE' });
    }
  });

  it('redact them in the request id', async () => {
    const response = () =>
      json({ id: 'c', status: 'ACTIVE' }, 200, { 'x-request-id': `r-${SESSION_TOKEN}` });
    const { proxy } = scriptedProxy([response()]);
    const { headers } = await sendTo(proxy, 'GET', '/v1/card/status');
    expect(headers.get('x-request-id')).toBe('r-[redacted]');
  });

  it('redact a token that was replaced during the call', async () => {
    const session = () => ({
      accessToken: async ({ reason }: { reason: string }) =>
        reason === 'rejected' ? 'token-number-two' : 'token-number-one',
    });
    const echo = { id: 'token-number-one', status: 'token-number-two' };
    const { proxy } = scriptedProxy([json({ message: 'Expired' }, 401), json(echo)], { session });
    const text = await (await sendTo(proxy, 'GET', '/v1/card/status')).text();
    expect(text).toBe('{"id":"[redacted]","status":"[redacted]"}');
  });

  it('redact the values of `secrets`, in results and in errors', async () => {
    for (const status of [200, 400]) {
      const body = { id: 'x', status: 'ACTIVE', message: 'bad key abc-tenant-secret' };
      const { proxy } = scriptedProxy([json(body, status)], { secrets: ['abc-tenant-secret'] });
      const response = await sendTo(proxy, 'GET', '/v1/card/status');
      expect(response.status).toBe(status);
      expect(await response.text()).not.toContain('abc-tenant-secret');
    }
  });

  it("pass single-use tokens, which are the user's own", async () => {
    const { page } = mockProxy();
    expect((await page.card.createDetailsToken()).imageUrl).toMatch(/^https?:/);
    expect((await page.delegation.getToken()).token).not.toBe('');
  });
});

describe('the session', () => {
  it('that is missing is a 401 that the client of a page understands', async () => {
    const { page, requests, failures } = scriptedProxy([json({})], { session: () => undefined });
    const error = await rejection(page.wallets.credit.withdraw({ amount: '1' }));
    expect(error).toMatchObject({ name: 'AuthenticationError', outcome: 'not_sent' });
    expect(requests).toEqual([]);
    expect(failures).toMatchObject([{ reason: 'session_missing' }]);
  });

  it('that ends during a call is a 401 too, and nothing was done', async () => {
    const { mock, page, user } = mockProxy();
    expect(await page.card.status()).toMatchObject({ status: 'ACTIVE' });
    mock.advance('6 hours');
    const error = await rejection(page.card.freeze());
    expect(error).toMatchObject({ name: 'AuthenticationError', outcome: 'rejected' });
    expect(user.card?.status).toBe('ACTIVE');
  });

  it('that is renewed during a call is not noticed by the page', async () => {
    const session = () => ({
      accessToken: ({ reason }: { reason: string }) => (reason === 'rejected' ? 'fresh' : 'old'),
    });
    const expired = json({ message: 'Expired' }, 401);
    const card = json({ id: 'c', status: 'ACTIVE' });
    const { page, requests } = scriptedProxy([expired, card], { session });
    expect(await page.card.status()).toMatchObject({ status: 'ACTIVE' });
    const sent = requests.map(({ init }) => Object(init.headers).authorization);
    expect(sent).toEqual(['Bearer old', 'Bearer fresh']);
  });

  it('that cannot be read is a 503, and only the log sees why', async () => {
    const session = () => Promise.reject(new Error('redis://user:pass@db'));
    const { proxy, requests, failures } = scriptedProxy([json({})], { session });
    const response = await sendTo(proxy, 'GET', '/v1/card/status');
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('redis');
    expect(failures).toMatchObject([{ reason: 'session_failed', error: { message: /redis/ } }]);
    expect(requests).toEqual([]);
  });

  it.each([
    { accessToken: '' },
    { accessToken: 'a\r\nb' },
    { accessToken: undefined as never },
  ])('with the unusable token %j sends nothing', async (given) => {
    const { page, requests } = scriptedProxy([json({})], { session: () => given });
    expect(await rejection(page.card.status())).toMatchObject({ outcome: 'not_sent' });
    expect(requests).toEqual([]);
  });

  it.each([
    {},
    { accessToken: undefined },
    { accessToken: null },
    { accessToken: '' },
  ])('without a token (%j) never acts with the token of the client', async (given) => {
    const { page, requests } = scriptedProxy(
      [json({ id: 'c', status: 'ACTIVE' })],
      { session: () => given as never },
      { accessToken: 'token-of-another' },
    );
    expect(await rejection(page.card.status())).toMatchObject({ outcome: 'not_sent' });
    expect(requests).toEqual([]);
  });
});

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe('a page that goes away', () => {
  it('ends a read', async () => {
    const { promise, resolve } = deferred<AbortSignal>();
    const client = scriptedProxy(
      [json({})],
      {},
      {
        fetch: (_url, init) => {
          resolve(init.signal as AbortSignal);
          return new Promise((_, reject) => {
            init.signal?.addEventListener('abort', () => reject(new Error('aborted')));
          });
        },
      },
    );
    const gone = new AbortController();
    const response = sendTo(client.proxy, 'GET', '/v1/card/status', { signal: gone.signal });
    const signal = await promise;
    gone.abort();
    await response;
    expect(signal.aborted).toBe(true);
  });

  it('does not end a withdrawal that was sent: the log gets its outcome', async () => {
    const { promise, resolve } = deferred<(response: Response) => void>();
    const { proxy, failures } = scriptedProxy(
      [json({})],
      {},
      {
        fetch: () => new Promise((respond) => resolve(respond)),
      },
    );
    const gone = new AbortController();
    const init = { ...post({ amount: '1' }), signal: gone.signal };
    const response = sendTo(proxy, 'POST', WITHDRAW, init);
    const respond = await promise;
    gone.abort();
    respond(json({ message: 'Oops' }, 500));
    expect((await response).status).toBe(500);
    expect(failures).toMatchObject([{ operation: 'wallets.credit.withdraw', outcome: 'unknown' }]);
  });

  it('before anything was sent prevents the withdrawal', async () => {
    const gone = new AbortController();
    const session = async () => {
      gone.abort();
      return { accessToken: SESSION_TOKEN };
    };
    const { proxy, requests } = scriptedProxy([json({})], { session });
    await sendTo(proxy, 'POST', WITHDRAW, { ...post({ amount: '1' }), signal: gone.signal });
    expect(requests).toEqual([]);
  });
});

it('a hook that throws changes nothing', async () => {
  const { fetch } = scriptedFetch(json({}));
  const onFailure = () => {
    throw new Error('logger');
  };
  const { proxy } = scriptedProxy([json({}, 404)], { onFailure }, { fetch });
  expect((await sendTo(proxy, 'GET', '/v1/nothing')).status).toBe(403);
});

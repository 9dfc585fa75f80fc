import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Endpoint } from '../../src/contract/endpoint.js';
import { call, createClient } from '../../src/endpoints/index.js';
import {
  cardStatement,
  exchangeOAuth2Code,
  initiateOAuth,
  logout,
  oauth2AuthorizeUrl,
  observe,
  observedEndpoints,
  override,
  refreshOAuth,
} from '../../src/observed/index.js';
import document from '../fixtures/observed-endpoints.json' with { type: 'json' };
import { CREDENTIALS, clientFor, json, rejection, scriptedFetch } from '../support/clients.js';

const BASE = 'https://api.example.com';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const INITIATE = { clientId: 'c', redirectUri: 'app://in', state: 'st', codeChallenge: CHALLENGE };

function observing(...responses: Parameters<typeof scriptedFetch>) {
  const { fetch, requests } = scriptedFetch(...responses);
  const client = clientFor(BASE, { fetch, retry: { baseDelay: 0 } });
  const bodies = () => requests.map(({ init }) => JSON.parse(String(init.body ?? 'null')));
  return { client, observed: observe(client), requests, bodies };
}

function headersOf(request: { init: RequestInit } | undefined) {
  return request?.init.headers as Record<string, string>;
}

describe('observe', () => {
  it('has a method for every observed call, on both kinds of client', () => {
    const light = createClient({ baseUrl: BASE, ...CREDENTIALS });
    for (const client of [clientFor(BASE), light]) {
      for (const { sdk } of document.endpoints) {
        const method = sdk
          .split('.')
          .reduce<unknown>(
            (node, name) => (node as Record<string, unknown>)[name],
            observe(client),
          );
        expect(typeof method, sdk).toBe('function');
      }
    }
    expect(inspect(observe(clientFor(BASE)), { depth: 9 })).not.toContain('canary');
  });

  it('refuses overrides of unknown calls, and of another call', () => {
    const client = clientFor(BASE);
    const observeAny = observe as (client: unknown, options: unknown) => unknown;
    const wrong = [
      { endpoints: { 'auth.nothing': logout } },
      { endpoints: { 'auth.logout': refreshOAuth } },
      { endpoints: 1 },
      { endpoint: {} },
    ];
    for (const options of wrong) {
      expect(() => observeAny(client, options)).toThrow(/endpoints/);
    }
  });

  it('sends the login token to authorize, and never the token of the client in its place', async () => {
    const { observed, requests } = observing(json({ code: 'c', state: 's' }));
    await observed.auth.oauth.authorize({ token: 't', loginToken: 'login-token' });
    expect(headersOf(requests[0])['authorization']).toBe('Bearer login-token');
    const input = { token: 't', loginToken: 'login-token' };
    await observed.auth.oauth.authorize(input, { accessToken: 'token-of-the-call' });
    expect(headersOf(requests[1])['authorization']).toBe('Bearer login-token');
    for (const missing of [{ token: 't' }, undefined, null]) {
      const error = await rejection(observed.auth.oauth.authorize(missing as never));
      expect(error).toMatchObject({ name: 'ConfigurationError', outcome: 'not_sent' });
    }
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['revoke', (o: ReturnType<typeof observe>) => o.auth.oauth.revoke()],
    ['logout', (o: ReturnType<typeof observe>) => o.auth.logout()],
  ])('counts a 401 to a retry of %s as done when the first response was lost, and a first 401 as an error', async (_, run) => {
    const lost = observing(json({ message: 'down' }, 503), json({ message: 'Unauthorized' }, 401));
    expect(await run(lost.observed)).toEqual({ resolvedByRetry: true });
    let asked = 0;
    const { fetch } = scriptedFetch(json({ message: 'Unauthorized' }, 401));
    const accessToken = async () => `token-${++asked}`;
    const client = clientFor(BASE, { fetch, accessToken });
    expect(await rejection(run(observe(client)))).toMatchObject({ status: 401 });
    expect(asked).toBe(1);
  });

  it('returns null when there is no reward wallet or no consent, and fails with an HTML page', async () => {
    const { observed } = observing(json({ error: 'Not Found', details: [] }, 404));
    expect(await observed.wallets.reward.get()).toBeNull();
    expect(await observed.consent.getByOnboarding({ onboardingId: 'o' })).toBeNull();
    const page = observing(new Response('<html>', { status: 404 }));
    expect(await rejection(page.observed.wallets.reward.get())).toMatchObject({ status: 404 });
  });

  it('returns done for an empty body where nothing is required', async () => {
    const { observed } = observing(new Response(null, { status: 204 }));
    expect(await observed.auth.logout()).toEqual({});
    expect(await observed.user.registration.settings()).toEqual({});
    expect(await rejection(observed.card.cashback())).toMatchObject({ name: 'ProtocolError' });
  });

  it('reduces an instant of birth to its day', async () => {
    const { observed } = observing(json({ dateOfBirth: '1990-12-10T23:00:00.000Z' }));
    const registration = await observed.user.registration.get({ onboardingId: 'o' });
    expect(registration.dateOfBirth).toBe('1990-12-10');
  });
});

describe('override', () => {
  it('changes path, credentials, encoding, names and the place of a field', async () => {
    const { client, requests } = observing(json({ access_token: 'a', expires_in: 1, token: 't' }));
    const code = override(exchangeOAuth2Code, {
      path: '/v2/token',
      bodyEncoding: 'form',
      credentials: ['clientKey', 'secretKey'],
      wireNames: { codeVerifier: 'verifier' },
    });
    const verifier = 'v'.repeat(43);
    await call(client, code, { code: 'a b', codeVerifier: verifier, clientId: 'c' });
    expect(requests[0]?.url).toBe(`${BASE}/v2/token`);
    const form = new URLSearchParams(String(requests[0]?.init.body));
    expect(Object.fromEntries(form)).toEqual({
      grant_type: 'authorization_code',
      code: 'a b',
      verifier,
      client_id: 'c',
    });
    expect(headersOf(requests[0])).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      'x-secret-key': CREDENTIALS.secretKey,
    });
    const initiate = override(initiateOAuth, { headerFields: { clientSecret: 'x-app-secret' } });
    await call(client, initiate, { ...INITIATE, clientSecret: 'hidden' });
    expect(requests[1]?.url).not.toContain('hidden');
    expect(headersOf(requests[1])['x-app-secret']).toBe('hidden');
  });

  it('adds secrets, and keeps those of the endpoint', async () => {
    const { client } = observing(json({ access_token: '', token: 'hidden-1', device: 'hidden-2' }));
    const code = override(exchangeOAuth2Code, { secrets: ['device'], secretInputs: ['clientId'] });
    const input = { code: 'hidden-3', codeVerifier: 'v'.repeat(43), clientId: 'hidden-4' };
    const error = await rejection(call(client, code, input));
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/hidden-\d|v{43}/);
    expect(code.secrets).toEqual(['access_token', 'refresh_token', 'id_token', 'device']);
    expect(code.secretInputs).toEqual(['code', 'codeVerifier', 'clientId']);
  });

  it('applies to the namespaces too, and to input and output', async () => {
    const { client, bodies } = observing(json({ access_token: 'a', kind: 'x' }));
    const refresh = override(refreshOAuth, {
      input: z.strictObject({ refreshToken: z.string(), device: z.string() }),
      output: z.looseObject({ kind: z.string() }),
    });
    expect((await call(client, refresh, { refreshToken: 'r', device: 'd' })).kind).toBe('x');
    expect(bodies()).toEqual([{ refresh_token: 'r', device: 'd' }]);
    const away = override(logout, { path: '/v9/away' });
    const { requests, client: other } = observing(json({}));
    await observe(other, { endpoints: { 'auth.logout': away } }).auth.logout();
    expect(requests[0]?.url).toBe(`${BASE}/v9/away`);
  });

  /** The options of an endpoint without those that say what is so without them. */
  function said(endpoint: object): Record<string, unknown> {
    const defaults = { response: 'json', bodyEncoding: 'json', renewsToken: true };
    const isEmpty = (value: unknown) =>
      typeof value === 'object' && value !== null && Object.keys(value).length === 0;
    const entries = Object.entries(endpoint).filter(
      ([name, value]) => !isEmpty(value) && (defaults as Record<string, unknown>)[name] !== value,
    );
    return Object.fromEntries(entries);
  }

  it('keeps everything that is not changed', () => {
    for (const endpoint of Object.values(observedEndpoints)) {
      const copy = override(endpoint as typeof logout, {});
      // What is changed was not observed.
      const { certainty, reconcile, ...kept } = endpoint as Endpoint;
      expect(certainty).toMatch(/^(?:high|medium|low)$/);
      expect(said(copy)).toEqual(
        said({ ...kept, ...(reconcile && { reconcile: copy.reconcile }) }),
      );
      expect(copy.reconcile).toMatchObject({ ...reconcile });
    }
  });

  it('refuses what cannot be overridden, and an endpoint of the contract', () => {
    const overrideAny = override as (endpoint: unknown, changes: unknown) => unknown;
    for (const name of ['id', 'retry', 'method', 'response']) {
      expect(() => overrideAny(logout, { [name]: 'x' })).toThrow(name);
    }
    expect(() => overrideAny({}, {})).toThrow(/observed endpoint/);
    expect(() => overrideAny(logout, null)).toThrow(/changes/);
    expect(() => overrideAny(logout, { path: 'https://evil.example' })).toThrow(/path/);
  });
});

describe('card.statement', () => {
  const file = (type: string, headers = {}) =>
    new Response('a,b', { headers: { 'content-type': type, ...headers } });

  it('returns bytes, type and the safe part of the file name', async () => {
    const names = [
      ['attachment; filename="../a/state ment.csv"', 'state ment.csv'],
      ["attachment; filename*=UTF-8''%C3%A4.pdf", 'ä.pdf'],
      ['attachment; filename=plain.csv', 'plain.csv'],
      ["attachment; filename*=UTF-8''%zz; filename=b.csv", 'b.csv'],
      [`attachment; filename="${'a'.repeat(201)}"`, 'a'.repeat(200)],
      ['attachment; filename=".."', undefined],
      ['inline', undefined],
    ] as const;
    for (const [disposition, fileName] of names) {
      const { observed } = observing(file('text/csv', { 'content-disposition': disposition }));
      const statement = await observed.card.statement();
      expect(statement).toMatchObject({ contentType: 'text/csv' });
      expect(statement.fileName).toBe(fileName);
      expect(new TextDecoder().decode(statement.bytes)).toBe('a,b');
      expect(inspect(statement)).toContain('[redacted]');
    }
  });

  it('asks for a PDF, and refuses a response of another type', async () => {
    const days = { dateFrom: '2026-01-01', dateTo: '2026-01-31' };
    const { observed, requests } = observing(file('application/pdf'));
    await observed.card.statement({ format: 'pdf', ...days });
    expect(headersOf(requests[0])['accept']).toBe('application/pdf');
    expect(requests[0]?.url).toContain('dateFrom=2026-01-01&dateTo=2026-01-31');
    for (const type of ['application/json', 'text/plain', 'text/csv']) {
      const wrong = observing(file(type));
      const error = await rejection(wrong.observed.card.statement({ format: 'pdf' }));
      expect(error).toMatchObject({ name: 'ProtocolError', status: 200 });
    }
  });

  it('returns a file of 32 MiB, and refuses a longer one', async () => {
    const most = 32 * 1024 * 1024;
    const fileOf = (size: number) =>
      new Response(new Uint8Array(size), { headers: { 'content-type': 'text/csv' } });
    const { bytes } = await observing(fileOf(most)).observed.card.statement();
    expect(bytes).toHaveLength(most);
    const error = await rejection(observing(fileOf(most + 1)).observed.card.statement());
    expect(error).toMatchObject({ code: 'response_too_large' });
  });

  it.each([
    [null, ''],
    [{ format: 'xlsx' }, 'format'],
    [{ format: 'constructor' }, 'format'],
    [{ format: null }, 'format'],
  ])('refuses %j before anything is sent, and names the field', async (input, path) => {
    const { observed, requests } = observing(file('text/csv'));
    const error = await rejection(observed.card.statement(input as never));
    expect(error).toMatchObject({
      name: 'RequestValidationError',
      operation: 'card.statement',
      issues: [{ path }],
    });
    expect(requests).toHaveLength(0);
  });

  it('refuses a period with only one of its days, and a day that does not exist', async () => {
    const { client, requests } = observing(file('text/csv'));
    const wrong = [
      [{ dateFrom: '2026-01-01' }, 'dateTo'],
      [{ dateTo: '2026-01-01' }, 'dateFrom'],
      [{ dateFrom: '2026-02-30', dateTo: '2026-03-01' }, 'dateFrom'],
    ] as const;
    for (const [days, path] of wrong) {
      const error = await rejection(call(client, cardStatement, days));
      expect(error).toMatchObject({ issues: [{ path }] });
    }
    expect(requests).toHaveLength(0);
  });
});

describe('the order of wallets', () => {
  const LISTED = [
    { id: 4, address: '0xAA', currency: 'USDC', network: 'linea', priority: 10 },
    { id: 7, address: '0xBB', currency: 'usdt', network: 'linea', priority: 20 },
    { id: 9, address: '0xCC', currency: 'usdc', network: 'base', priority: 30 },
  ];

  it('puts the named wallets first and sends every wallet once', async () => {
    const { observed, bodies } = observing(json(LISTED), json({ success: true }));
    await observed.wallets.external.setOrder([
      { address: '0xcc', currency: 'USDC', network: 'BASE' },
      { address: '0xbb', currency: 'usdt' },
    ]);
    const wallets = [
      { id: 9, priority: 10 },
      { id: 7, priority: 20 },
      { id: 4, priority: 30 },
    ];
    expect(bodies()).toEqual([null, { wallets }]);
  });

  it('keeps the order of the other wallets by number, and gives each wallet its own priority', async () => {
    const wallet = (id: number, priority: number) => ({
      ...{ id, priority, address: `0x${id}`, currency: 'usdc', network: 'linea' },
    });
    const requested = [{ address: '0x4', currency: 'usdc' }];
    const apart = observing(
      json([wallet(1, 10), wallet(2, 9), wallet(3, 100), wallet(4, 101)]),
      json({ success: true }),
    );
    await apart.observed.wallets.external.setOrder(requested);
    expect(apart.bodies()[1]).toEqual({
      wallets: [
        { id: 4, priority: 9 },
        { id: 2, priority: 10 },
        { id: 1, priority: 100 },
        { id: 3, priority: 101 },
      ],
    });
    const shared = observing(
      json([wallet(1, 5), wallet(2, 5), wallet(4, 7)]),
      json({ success: true }),
    );
    await shared.observed.wallets.external.setOrder(requested);
    expect(shared.bodies()[1]).toEqual({
      wallets: [
        { id: 4, priority: 1 },
        { id: 1, priority: 2 },
        { id: 2, priority: 3 },
      ],
    });
  });

  it.each([
    ['null', null],
    ['missing', undefined],
    ['a text that is no number', 'first'],
  ])('has a wallet whose priority is %s at the end, and the others by their number', async (_, unknown) => {
    const wallet = (id: number, priority: unknown) => ({
      ...{ id, priority, address: `0x${id}`, currency: 'usdc', network: 'linea' },
    });
    const listed = [wallet(3, 30), wallet(8, unknown), wallet(1, 10), wallet(9, unknown)];
    const { observed, bodies } = observing(
      json([...listed, wallet(2, 20), wallet(4, 40)]),
      json({ success: true }),
    );
    await observed.wallets.external.setOrder([{ address: '0x4', currency: 'usdc' }]);
    const { wallets } = bodies()[1] as { wallets: { id: number }[] };
    expect(wallets.map(({ id }) => id)).toEqual([4, 1, 2, 3, 8, 9]);
  });

  it('can hold one currency of an address on two networks', async () => {
    const on = (network: string, id: number) => ({
      ...{ address: '0xaa', currency: 'usdc', network, id },
      priority: id,
    });
    const { observed, bodies } = observing(
      json([on('linea', 1), on('base', 2)]),
      json({ success: true }),
    );
    await observed.wallets.external.setOrder([on('base', 2), on('linea', 1)]);
    expect(bodies()[1]).toMatchObject({ wallets: [{ id: 2 }, { id: 1 }] });
  });

  it('is read and set with the options of the call, whichever wallets are put in order', async () => {
    const row = { id: 4, address: '0xaa', currency: 'usdc', network: 'linea', priority: 1 };
    const owned = { ...row, id: 'w', balance: '0', addressId: 'address-4' };
    const options = { accessToken: 'token-of-the-call', region: 'us' } as const;
    const tokens: unknown[] = [];
    const client = clientFor(BASE, {
      fetch: async (url, init) => {
        const headers = new Headers(init.headers);
        tokens.push([headers.get('authorization'), headers.get('x-us-env')]);
        if (init.method !== 'GET') return json({ success: true });
        return json([url.endsWith('/internal') ? owned : row]);
      },
    });
    const { external, internal } = observe(client).wallets;
    await external.setOrder([row], options);
    await internal.setLinkedOrder([row], options);
    expect(tokens).toEqual(Array.from({ length: 5 }, () => ['Bearer token-of-the-call', 'true']));
  });

  it('is that which was passed, even if the caller changes it while the list is read', async () => {
    const row = (id: number) => ({
      ...{ id, address: `0x${id}`, currency: 'usdc', network: 'linea', priority: id },
    });
    const owned = [1, 2].map((id) => ({ ...row(id), balance: '0', addressId: `address-${id}` }));
    const sent: unknown[] = [];
    const passed = { address: '', currency: 'usdc' };
    const wallets = [passed];
    const client = clientFor(BASE, {
      fetch: async (url, { method, body }) => {
        passed.address = '0x1';
        wallets.length = 0;
        if (method === 'GET') return json(url.endsWith('/internal') ? owned : [row(1), row(2)]);
        sent.push(JSON.parse(String(body)).wallets[0]);
        return json({ success: true });
      },
    });
    const { external, internal } = observe(client).wallets;
    for (const setOrder of [
      () => external.setOrder(wallets),
      () => internal.setLinkedOrder(wallets),
    ]) {
      passed.address = '0x2';
      wallets[0] = passed;
      await setOrder();
    }
    expect(sent).toMatchObject([{ id: 2 }, { addressId: 'address-2' }]);
  });

  it('refuses a wallet that is not listed, named twice or unclear, and sends no order', async () => {
    const a = { address: '0xaa', currency: 'usdc' };
    const wrong = [
      [],
      [a, { ...a }],
      [{ address: '0xdd', currency: 'usdc' }],
      [{ address: '0xaa' }],
    ];
    for (const wallets of wrong) {
      const { observed, bodies } = observing(json(LISTED), json({ success: true }));
      const error = await rejection(observed.wallets.external.setOrder(wallets as never));
      expect(error).toMatchObject({ name: 'RequestValidationError', outcome: 'not_sent' });
      expect(bodies().filter((body) => body !== null)).toEqual([]);
    }
    const twice = observing(json([LISTED[0], { ...LISTED[0], id: 5, network: 'base' }]));
    expect(String(await rejection(twice.observed.wallets.external.setOrder([a])))).toContain(
      'network',
    );
    const odd = observing(json([{ ...LISTED[0], id: 'x' }]));
    const error = await rejection(odd.observed.wallets.external.setOrder([a]));
    expect(error).toMatchObject({
      name: 'ProtocolError',
      operation: 'wallets.external.getPriority',
    });
  });

  it('joins linked wallets with the list that holds their addressId', async () => {
    const linked = LISTED.map(({ id: _, ...wallet }) => ({ ...wallet, priority: null }));
    const owned = LISTED.map((wallet) => ({
      id: 'w',
      balance: '0',
      address: wallet.address.toLowerCase(),
      currency: wallet.currency.toLowerCase(),
      addressId: `address-${wallet.id}`,
    }));
    const serve = (url: string) => json(url.endsWith('card_linked') ? linked : owned);
    const sent: unknown[] = [];
    const client = clientFor(BASE, {
      fetch: async (url, init) => {
        if (init.method === 'GET') return serve(url);
        sent.push(JSON.parse(String(init.body)));
        return json({});
      },
    });
    const { internal } = observe(client).wallets;
    await internal.setLinkedOrder([{ address: '0xbb', currency: 'usdt' }]);
    expect(sent).toEqual([
      {
        wallets: [
          { addressId: 'address-7', priority: 1 },
          { addressId: 'address-4', priority: 2 },
          { addressId: 'address-9', priority: 3 },
        ],
      },
    ]);
    const [first] = owned;
    if (first === undefined) throw new Error('no wallet');
    for (const unclear of [owned.slice(1), [...owned, { ...first, addressId: 'another' }]]) {
      owned.splice(0, owned.length, ...unclear);
      const ordered = internal.setLinkedOrder([{ address: '0xbb', currency: 'usdt' }]);
      expect(await rejection(ordered)).toMatchObject({ name: 'ProtocolError' });
      owned.splice(
        0,
        owned.length,
        first,
        ...owned.filter(({ address }) => address !== first.address),
      );
    }
    expect(sent).toHaveLength(1);
  });

  it.each([
    [[], 'wallets'],
    [
      [
        { id: 1, priority: 1 },
        { id: 1, priority: 2 },
      ],
      'wallets.1.id',
    ],
    [
      [
        { id: 1, priority: 1 },
        { id: 2, priority: 1 },
      ],
      'wallets.1.priority',
    ],
    [[{ id: '1', priority: 1 }], 'wallets.0.id'],
  ])('refuses the priorities %j at %s before anything is sent', async (wallets, path) => {
    const { observed, requests } = observing(json({}));
    const setPriority = observed.wallets.external.setPriority({ wallets } as never);
    expect(await rejection(setPriority)).toMatchObject({ issues: [{ path }] });
    expect(requests).toHaveLength(0);
  });
});

describe('the address to which a sign-in page returns', () => {
  const CODE = { code: 'c', codeVerifier: 'v'.repeat(43) };
  const takers: [string, (redirectUri: string) => Promise<unknown>][] = [
    [
      'auth.oauth.initiate',
      (redirectUri) => observing().observed.auth.oauth.initiate({ ...INITIATE, redirectUri }),
    ],
    [
      'auth.oauth.exchangeCode',
      (redirectUri) => observing().observed.auth.oauth.exchangeCode({ ...CODE, redirectUri }),
    ],
    [
      'auth.oauth2.exchangeCode',
      (redirectUri) => observing().observed.auth.oauth2.exchangeCode({ ...CODE, redirectUri }),
    ],
    [
      'oauth2AuthorizeUrl',
      async (redirectUri) =>
        oauth2AuthorizeUrl({
          baseUrl: BASE,
          clientId: 'c',
          redirectUri,
          codeChallenge: INITIATE.codeChallenge,
        }),
    ],
  ];

  it.each(takers)('is no script, no file and no plain http elsewhere: %s', async (_, pass) => {
    for (const wrong of [
      'javascript:alert(1)',
      'JavaScript://app.example/%0aalert(1)',
      'data:text/html,in',
      'file:///in',
      'http://app.example/in',
      'https://user@app.example/in',
      'nowhere',
    ]) {
      expect(await rejection(pass(wrong)), wrong).toMatchObject({
        name: 'RequestValidationError',
        issues: [{ path: 'redirectUri' }],
      });
    }
  });

  it.each(takers)('may be a page, this machine or an app: %s', async (_, pass) => {
    for (const right of [
      'https://app.example/in',
      'http://localhost:3000/in',
      'http://127.0.0.1/in',
      'myapp://signed-in',
      'com.example.app:/in',
    ]) {
      const error = await pass(right).catch((thrown: unknown) => thrown);
      expect(error, right).not.toMatchObject({ name: 'RequestValidationError' });
    }
  });
});

describe('oauth2AuthorizeUrl', () => {
  const input = {
    baseUrl: `${BASE}/x/`,
    clientId: 'c',
    redirectUri: 'app://in',
    codeChallenge: CHALLENGE,
  };

  it('builds the URL, with what the caller changes', () => {
    const url = new URL(oauth2AuthorizeUrl({ ...input, scope: 'openid more', state: undefined }));
    expect(`${url.origin}${url.pathname}`).toBe(`${BASE}/x/v1/auth/oauth2/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'c',
      response_type: 'code',
      scope: 'openid more',
      redirect_uri: 'app://in',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      prompt: 'consent',
    });
  });

  it.each([
    ['baseUrl', 'http://api.example.com'],
    ['baseUrl', 'https://user@api.example.com'],
    ['baseUrl', 'https://api.example.com?x'],
    ['path', '//evil.example'],
    ['codeChallenge', 'short'],
    ['redirectUri', 'nowhere'],
    ['other', 1],
  ])('refuses the field %s with the value %s', (path, value) => {
    const build = oauth2AuthorizeUrl as (input: unknown) => string;
    expect(() => build({ ...input, [path]: value })).toThrow(path);
  });
});

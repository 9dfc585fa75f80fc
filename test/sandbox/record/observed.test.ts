import { describe, expect, it } from 'vitest';
import { prepareScene, SAMPLES } from '../../../scripts/generate/openapi/observed/samples.js';
import { differencesOf } from '../../../src/sandbox/record/differences.js';
import type { Body, Exchange } from '../../../src/sandbox/record/exchange.js';
import { fixtureOf } from '../../../src/sandbox/record/fixture.js';
import { readBodyOf } from '../../../src/sandbox/record/record-proxy.js';
import { Redaction } from '../../../src/sandbox/record/redact-value.js';
import { bodyFor, findRecorded } from '../../../src/sandbox/record/routes.js';
import { createMockPlatform } from '../../../src/testing/index.js';
import { OBSERVED_ROWS } from '../../observed/observed-rows.js';

const CALLS = OBSERVED_ROWS.filter(({ id }) => id !== 'auth.oauth2.authorizeUrl');
const JSON_TYPE = 'application/json';
const ALL_CREDENTIALS = { 'x-client-key': 'k', authorization: 'Bearer login-token' };

type Parts = {
  sent?: unknown;
  form?: string;
  query?: Readonly<Record<string, string>> | undefined;
  status?: number;
  body?: unknown;
  type?: string;
  headers?: Readonly<Record<string, string>>;
  isObserved?: boolean;
};

const bytesOf = (value: unknown) =>
  Buffer.from(value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value));

/** The exchange of a call, as the proxy sees it. */
function exchangeOf(line: string, parts: Parts = {}): Exchange {
  const { sent, form, query = {}, status = 200, body, type = JSON_TYPE, isObserved = true } = parts;
  const [method = '', path = ''] = line.split(' ');
  const isForm = form !== undefined;
  const sentType = isForm ? 'application/x-www-form-urlencoded; charset=utf-8' : JSON_TYPE;
  const headers = { 'content-type': sentType, ...ALL_CREDENTIALS, ...parts.headers };
  const sentBody: Body = readBodyOf(bytesOf(form ?? sent), headers);
  const route = findRecorded(method, path, sentBody, isObserved);
  const responseHeaders = { 'content-type': type };
  return {
    method,
    path,
    query: Object.entries(query),
    request: { headers, body: bodyFor(route, sentBody) },
    response: {
      status,
      headers: responseHeaders,
      body: readBodyOf(bytesOf(body), responseHeaders),
    },
    route,
  };
}

const found = (line: string, parts?: Parts) =>
  differencesOf(exchangeOf(line, parts), new Redaction()).map(({ kind, side, path }) =>
    `${side}: ${kind} ${path}`.trim(),
  );

const lineOf = (id: string, path?: string) => {
  const row = OBSERVED_ROWS.find((one) => one.id === id);
  return `${row?.method} ${path ?? row?.path}`;
};

/** The exchange with the mock platform for a sample call. */
async function sampleExchange(id: string, isObserved = true): Promise<Exchange> {
  const mock = createMockPlatform({ observed: true });
  const scene = await prepareScene(mock);
  const { path, query, body: sent } = (await SAMPLES[id]?.(scene)) ?? {};
  const line = lineOf(id, path);
  const [method = '', target = ''] = line.split(' ');
  const response = await mock.fetch(`${mock.baseUrl}${target}?${new URLSearchParams(query)}`, {
    method,
    headers: {
      'x-client-key': mock.credentials.clientKey,
      ...(needsToken(id) && { authorization: `Bearer ${mock.accessTokenFor(scene.ada)}` }),
    },
    ...(sent !== undefined && { body: JSON.stringify(sent) }),
  });
  return exchangeOf(line, {
    sent,
    query,
    status: response.status,
    body: await response.text(),
    type: response.headers.get('content-type') ?? '',
    isObserved,
  });
}

function needsToken(id: string): boolean {
  const { auth = [] } = OBSERVED_ROWS.find((one) => one.id === id) ?? {};
  return auth.includes('bearer') || auth.includes('loginBearer');
}

describe.each(CALLS)('a recording with the observed calls, of $id', ({ id }) => {
  it('has no difference where the mock platform responds', async () => {
    const exchange = await sampleExchange(id);
    expect(exchange.response.status).toBe(200);
    expect(exchange.route?.endpoint.id).toBe(id);
    expect(differencesOf(exchange, new Redaction())).toEqual([]);
  });

  it('knows the call only with the option', async () => {
    const exchange = await sampleExchange(id, false);
    // Without it, `events` is the id of a webhook.
    if (id === 'webhooks.events.list') {
      expect(exchange.route?.endpoint.id).toBe('webhooks.get');
      return;
    }
    const [difference, ...others] = differencesOf(exchange, new Redaction());
    expect(others).toEqual([]);
    expect(difference).toMatchObject({
      kind: 'unknown-endpoint',
      message: `the contract has no such endpoint; --observed compares it with ${id}`,
    });
    expect(fixtureOf(exchange, new Redaction()).operation).toBeNull();
  });
});

describe('a recording with the observed calls', () => {
  const CASHBACK = { amount: '1.5', currency: 'usdc', ratePercent: '2' };
  const REWARD = { id: 'r', balance: '3.25', currency: 'usdc', type: 'REWARD' };
  const EVENT = { id: 'e', eventId: 'v', status: 'pending', createdAt: '2026-01-31T09:00:00Z' };
  const events = (event: object) => ({ total: 1, events: [event] });

  it.each<[string, unknown, string]>([
    ['card.cashback', { ...CASHBACK, level: 1 }, 'unknown-field status 200: level'],
    ['card.cashback', { amount: '1.5' }, 'missing-field status 200: ratePercent'],
    ['card.cashback', { ...CASHBACK, amount: '1e3' }, 'other-format status 200: amount'],
    ['card.cashback', { ...CASHBACK, amount: 1.5 }, 'other-type status 200: amount'],
    ['card.cashback', [CASHBACK], 'other-type status 200'],
    ['wallets.reward.get', { ...REWARD, type: 'BONUS' }, 'other-value status 200: type'],
    ['wallets.reward.get', { ...REWARD, currency: 'USDC' }, 'other-format status 200: currency'],
    [
      'webhooks.events.list',
      events({ ...EVENT, status: 'lost' }),
      'other-value status 200: events.*.status',
    ],
    [
      'webhooks.events.list',
      events({ ...EVENT, createdAt: 'today' }),
      'other-format status 200: events.*.createdAt',
    ],
    [
      'user.registration.get',
      { dateOfBirth: '1990-12-31' },
      'other-format status 200: dateOfBirth',
    ],
    [
      'user.registration.startVerification',
      { sessionUrl: 'http://id.example.com' },
      'other-format status 200: sessionUrl',
    ],
    [
      'consent.getByUser',
      { consentSets: [{ policyType: 'EU' }] },
      'other-value status 200: consentSets.*.policyType',
    ],
    ['card.provisioning.apple', { data: {} }, 'missing-field status 200: encryptedPassData'],
  ])('of %s names the difference in %j', async (id, body, difference) => {
    const { method, path, query, request } = await sampleExchange(id);
    const sent = 'json' in request.body ? request.body.json : undefined;
    const parts = { sent, query: Object.fromEntries(query), body };
    expect(found(`${method} ${path}`, parts)).toContain(`response: ${difference}`);
  });

  it('takes data for the phone at the top of a body or below `data`', async () => {
    const { method, path, request, response } = await sampleExchange('card.provisioning.apple');
    const sent = 'json' in request.body ? request.body.json : undefined;
    const data = 'json' in response.body ? response.body.json : undefined;
    expect(Object.keys(Object(data))).toContain('activationData');
    expect(found(`${method} ${path}`, { sent, body: { data } })).toEqual([]);
  });

  it.each<[string, string, Parts, string]>([
    ['a field', 'POST /v1/auth/logout', { sent: { all: true } }, 'unknown-field all'],
    ['a query', 'GET /v1/card/cashback', { query: { page: '1' } }, 'unknown-field query page'],
    [
      'no grant type',
      'POST /v1/auth/oauth/token',
      { sent: { refresh_token: 'r' } },
      'missing-field grant_type',
    ],
    [
      'a fixed field with another value',
      'POST /v1/auth/oauth/token',
      { sent: { grant_type: 'password' } },
      'other-format grant_type',
    ],
    [
      'no repeated password',
      'POST /v1/auth/password/reset/confirm',
      { sent: { token: 't', password: 'p' } },
      'missing-field confirmPassword',
    ],
    [
      'two passwords',
      'POST /v1/auth/password/reset/confirm',
      { sent: { token: 't', password: 'p', confirmPassword: 'q' } },
      'other-format confirmPassword',
    ],
    [
      'one day of two',
      'GET /v1/card/transactions/statement',
      { query: { dateFrom: '2026-01-01' }, type: 'text/csv', body: 'a,b' },
      'missing-field dateTo',
    ],
    [
      'a form where only JSON was observed',
      'POST /v1/auth/oauth/token',
      { form: 'grant_type=refresh_token&refresh_token=r' },
      'other-media-type',
    ],
  ])('of a request with %s names it', (_title, line, parts, difference) => {
    expect(found(line, parts)).toContain(`request: ${difference}`.trim());
  });

  it('names a credential that is missing, and none that the call does not take', () => {
    const path = 'GET /v1/webhooks/events';
    const exchange = exchangeOf(path, { body: events(EVENT) });
    const { authorization, ...headers } = exchange.request.headers;
    const without = { ...exchange, request: { ...exchange.request, headers } };
    expect(differencesOf(without, new Redaction()).map(({ path: at }) => at)).toEqual([
      'header authorization',
    ]);
    const { 'x-client-key': _key, ...rest } = exchange.request.headers;
    const keyless = { ...exchange, request: { ...exchange.request, headers: rest } };
    expect(differencesOf(keyless, new Redaction())).toEqual([]);
  });

  it.each([
    ['auth.oauth.exchangeCode', { sent: { grant_type: 'authorization_code' } }],
    ['auth.oauth.refresh', { sent: { grant_type: 'refresh_token' } }],
    ['auth.oauth2.exchangeCode', { form: 'grant_type=authorization_code&code=c' }],
    ['auth.oauth2.refresh', { form: 'refresh_token=r+1%2B&grant_type=refresh_token' }],
  ])('tells %s by its grant type', (id, parts) => {
    expect(exchangeOf(lineOf(id), parts).route?.endpoint.id).toBe(id);
  });

  it('compares the fields of a form as it does those of JSON', () => {
    const form = 'grant_type=refresh_token&refresh_token=r&nonce=1';
    const body = { access_token: 'a' };
    expect(found('POST /v1/auth/oauth2/token', { form, body })).toEqual([
      'request: unknown-field nonce',
    ]);
  });

  const REFUSED = 'response: unknown-refusal';
  it.each<[string, Parts, string[]]>([
    [
      'POST /v1/auth/register/phone/send',
      { status: 422, body: { message: 'Call us' } },
      [`${REFUSED} status 422`],
    ],
    [
      'POST /v1/auth/register/phone/send',
      { body: { success: false, message: 'Call us' } },
      [`${REFUSED} status 200`, 'response: unknown-field status 200: message'],
    ],
    [
      'POST /v1/auth/register/phone/send',
      { status: 422, body: { message: 'x', errors: [{ field: 'phoneNumber', message: 'x' }] } },
      [],
    ],
    [
      'POST /v1/wallet/reward/withdraw',
      { status: 404, body: { message: 'Nothing here' } },
      [`${REFUSED} status 404`],
    ],
    ['GET /v1/wallet/reward', { status: 404, body: { message: 'Nothing here' } }, []],
    ['GET /v2/consent/onboarding/o', { status: 404, body: { message: 'None' } }, []],
    [
      'POST /v1/auth/oauth/token',
      { status: 400, body: { error: 'invalid_grant', error_description: 'Used' } },
      [],
    ],
    [
      'POST /v1/auth/oauth/token',
      { status: 400, body: { error: 'no_luck', error_description: 'Used' } },
      [`${REFUSED} status 400`],
    ],
    [
      'POST /v1/auth/oauth/token',
      { status: 401, body: { error: 'invalid_grant', hint: 'x' } },
      ['response: unknown-field status 401: hint'],
    ],
    ['POST /v1/auth/oauth/token', { status: 401, body: { message: 'Not authenticated' } }, []],
  ])('of %s compares the refusal in %j', (line, parts, differences) => {
    const response = found(line, parts).filter((one) => one.startsWith('response'));
    expect(response).toEqual(differences);
  });

  it.each([
    ['text/csv', {}, []],
    ['application/octet-stream', {}, []],
    ['application/pdf', { headers: { accept: 'application/pdf' } }, []],
    ['application/pdf', {}, ['response: other-media-type status 200']],
    ['text/html; charset=utf-8', {}, ['response: other-media-type status 200']],
  ])('takes a statement in %s with %j as %j', (type, parts, differences) => {
    const line = 'GET /v1/card/transactions/statement';
    expect(found(line, { type, body: 'a,b', ...parts })).toEqual(differences);
  });

  it('suggests an observed call for a path that is nearly one', () => {
    const [difference] = differencesOf(
      exchangeOf('GET /v1/auth/oauth/authorize/begin'),
      new Redaction(),
    );
    expect(difference?.message).toContain('auth.oauth.initiate');
  });
});

/** Words that a fixture shows by design: values of lists, times, short and round amounts. */
const HARMLESS = new RegExp(
  `^(?:${[
    ...['authorization_code', 'refresh_token', 'access_token', 'S256', 'true', 'Bearer', 'linea'],
    ...[
      'pending',
      'completed',
      'complete',
      'global',
      'REWARD',
      'usdc',
      'UNVERIFIED',
      'PENDING',
      'VERIFIED',
    ],
    ...['card\\.activated', JSON_TYPE, '\\d{4}-\\d\\d-\\d\\dT.*', '\\d+\\.\\d+', '\\d\\d?0+'],
  ].join('|')})$`,
);

describe('the fixture of an observed call', () => {
  const SECRETS = {
    code: 'pl4nted-code',
    code_verifier: 'pl4nted-verifier-pl4nted-verifier-pl4nted-verifier',
    redirect_uri: 'https://app.example/pl4nted',
    access_token: 'pl4nted-access',
    refresh_token: 'pl4nted-refresh',
    id_token: 'pl4nted-id',
  };

  it.each([
    'application/json',
    'a form',
  ])('of a grant in %s holds its words and lifetimes, and no token', (type) => {
    const { code, code_verifier, redirect_uri } = SECRETS;
    const fields = { grant_type: 'authorization_code', code, code_verifier, redirect_uri };
    const sent =
      type === 'a form' ? { form: String(new URLSearchParams(fields)) } : { sent: fields };
    const body = {
      access_token: SECRETS.access_token,
      refresh_token: SECRETS.refresh_token,
      id_token: SECRETS.id_token,
      expires_in: 21_600,
      token_type: 'Bearer',
      [SECRETS.code]: 1,
    };
    const exchange = exchangeOf('POST /v1/auth/oauth2/token', { ...sent, body });
    const fixture = fixtureOf(exchange, new Redaction());
    expect(JSON.stringify(fixture)).not.toContain('pl4nted');
    expect(fixture.operation).toBe('auth.oauth2.exchangeCode');
    expect(fixture.request.body).toMatchObject({ grant_type: 'authorization_code' });
    expect(fixture.response.body).toMatchObject({ expires_in: 21_600, token_type: 'Bearer' });
    expect(Object.keys(Object(fixture.response.body))).toContain('access_token');
  });

  it.each([
    [482_913, 0],
    [21_660, 21_660],
    [4_929_177_100_836_510, 0],
    ['482913', '000003'],
  ])('keeps a lifetime of %s seconds as %s', (expires_in, kept) => {
    const exchange = exchangeOf('POST /v1/auth/oauth/token', { body: { expires_in } });
    const { response } = fixtureOf(exchange, new Redaction());
    expect(response.body).toEqual({ expires_in: kept });
  });

  it('keeps the code of an OAuth error and replaces its description', () => {
    const body = { error: 'invalid_grant', error_description: 'The code of Ada was used' };
    const { response } = fixtureOf(
      exchangeOf('POST /v1/auth/oauth/token', { status: 400, body }),
      new Redaction(),
    );
    expect(response.body).toEqual({ error: 'invalid_grant', error_description: 'redacted-3' });
  });

  it.each(CALLS)('of $id holds no value of the user or the session', async ({ id }) => {
    const exchange = await sampleExchange(id);
    const { request, response } = fixtureOf(exchange, new Redaction());
    const written = JSON.stringify([request, response.headers, response.body, request.path]);
    const values = [...textsIn(exchange.request.body), ...textsIn(exchange.response.body)].filter(
      (text) => text.length > 3 && !HARMLESS.test(text),
    );
    expect(values.filter((text) => written.includes(JSON.stringify(text)))).toEqual([]);
  });
});

/** Every text in a value, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if ('kind' in value) return 'json' in value ? textsIn(value.json) : [];
  return Object.values(value).flatMap(textsIn);
}

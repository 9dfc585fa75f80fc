import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { ENDPOINT_IDS } from '../../src/contract/endpoint-ids.js';
import { ENDPOINT_BY_ID, ENDPOINTS, type EndpointId } from '../../src/contract/endpoints.js';
import { observedEndpoints } from '../../src/contract/observed/endpoints.js';
import { call, defineEndpoint } from '../../src/endpoints/index.js';
import type { CardPlatformClient } from '../../src/index.js';
import { exchangeOAuthCode, observe, override } from '../../src/observed/index.js';
import { type CardProxyOptions, DEFAULT_OPERATIONS } from '../../src/server/index.js';
import { SAMPLE_CALLS, type SampleCall } from '../support/calls.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { BASE_PATH, ORIGIN, OWN_PAGE, SESSION_TOKEN, scriptedProxy } from './support.js';

/** Whether a proxy allows each operation by default. */
const DEFAULTS: Readonly<Partial<Record<EndpointId, boolean>>> = {
  'auth.login': false,
  'auth.sendLoginOtp': false,
  'card.createDetailsToken': true,
  'card.createPinToken': true,
  'card.createSetPinToken': true,
  'card.order': true,
  'card.status': true,
  'card.freeze': true,
  'card.unfreeze': true,
  'card.transactions': true,
  'consent.getUserAudit': false,
  'consent.createOnboarding': false,
  'consent.linkUser': false,
  'consent.getSet': false,
  'delegation.submitEvmApproval': true,
  'delegation.submitSolanaApproval': true,
  'delegation.getToken': true,
  'delegation.chainConfig': true,
  'orders.create': false,
  'orders.listProducts': false,
  'orders.get': false,
  'referral.get': true,
  'referral.validate': false,
  'user.startVerification': true,
  'user.get': true,
  'wallets.credit.withdraw': true,
  'wallets.credit.get': true,
  'wallets.credit.estimateWithdrawal': true,
  'wallets.external.list': true,
  'wallets.history.list': true,
  'wallets.internal.list': true,
  'wallets.internal.create': true,
  'wallets.internal.linkToCard': true,
  'wallets.internal.listLinked': true,
  'wallets.internal.unlinkFromCard': true,
  'wallets.internal.withdraw': true,
  'webhooks.update': false,
  'webhooks.rotateKey': false,
  'webhooks.delete': false,
  'webhooks.list': false,
  'webhooks.create': false,
  'webhooks.get': false,
  'webhooks.logs': false,
};

/** Their responses hold a secret that a page must never have. */
const NEVER_ALLOWED = new Set(['auth.login', 'webhooks.create', 'webhooks.rotateKey']);

const ids = Object.keys(DEFAULTS) as EndpointId[];
const callable = SAMPLE_CALLS.filter(({ id }) => !NEVER_ALLOWED.has(id));
const refused = SAMPLE_CALLS.filter(({ id }) => !DEFAULTS[id as EndpointId]);

const wildcard = (id: string) => `${id.split('.')[0]}.*`;

const success = ({ response }: SampleCall) => json(response.body, response.status);

describe('the operations that a proxy allows by default', () => {
  it('are decided here: every other operation of the contract is closed', () => {
    const others = ENDPOINT_IDS.filter((id) => !ids.some((one) => one === id));
    const open = others.filter((id) => ENDPOINT_BY_ID[id as EndpointId].pageAccess === 'allowed');
    expect(open).toEqual([]);
    expect(ENDPOINT_IDS).toEqual(expect.arrayContaining(ids));
  });

  it.each(ids)('are a fact of the declaration of %s', (id) => {
    const closed = NEVER_ALLOWED.has(id) ? 'never' : 'on-request';
    expect(ENDPOINT_BY_ID[id].pageAccess).toBe(DEFAULTS[id] ? 'allowed' : closed);
  });

  it('are exactly those of the table', () => {
    const allowed = ids.filter((id) => DEFAULTS[id]);
    expect([...DEFAULT_OPERATIONS].sort()).toEqual(allowed.sort());
  });

  it('are those of the guide', () => {
    const guide = readFileSync(new URL('../../docs/server/server.md', import.meta.url), 'utf8');
    const listed = (answer: string) => {
      const [, cell = ''] = new RegExp(`^\\| ${answer} \\| (.*) \\|$`, 'm').exec(guide) ?? [];
      const patterns = Array.from(cell.matchAll(/`([\w.*]+)`/g), ([, name = '']) => name);
      return ids.filter((id) => patterns.includes(id) || patterns.includes(wildcard(id)));
    };
    const isNamed = (id: EndpointId) => guide.includes(`\`${id}\``);
    const allowed = listed('yes');
    const others = listed('no');
    expect([...allowed, ...others].sort()).toEqual(ids.toSorted());
    expect(allowed.sort()).toEqual([...DEFAULT_OPERATIONS].sort());
    expect([...NEVER_ALLOWED].every((id) => isNamed(id as EndpointId))).toBe(true);
  });

  it.each(refused)('do not include $id: it is refused, and nothing is sent', async (call) => {
    const { page, requests, failures } = scriptedProxy([success(call)]);
    const error = await rejection(call.invoke(page));
    expect(error).toMatchObject({ outcome: 'not_sent', status: 403 });
    expect(requests).toEqual([]);
    expect(failures).toMatchObject([
      { reason: 'operation_not_allowed', outcome: 'not_sent', operation: call.id },
    ]);
    expect(error).toHaveProperty('message', expect.stringContaining(call.id));
    const way = NEVER_ALLOWED.has(call.id) ? 'call it on your server' : 'the option allow';
    expect(String(failures[0]?.error)).toContain(`${call.id} is not among`);
    expect(String(failures[0]?.error)).toContain(way);
  });

  it('do not include a path that no endpoint has: page and log say so', async () => {
    const { proxy, failures } = scriptedProxy([json({})]);
    const path = `${BASE_PATH}/v1/${'limits'.repeat(50)}`;
    const response = await proxy(new Request(`${ORIGIN}${path}`, { headers: OWN_PAGE }));
    expect(await response.text()).toContain('does not know an operation with this path');
    expect(failures).toMatchObject([{ reason: 'operation_not_allowed', operation: undefined }]);
    expect(failures[0]?.error).toEqual(
      new Error(`no operation that the proxy serves has the path ${path.slice(0, 200)}`),
    );
  });

  it('are looked for below basePath: page and log say which one the proxy has', async () => {
    const { proxy, failures } = scriptedProxy([json({})], { basePath: '/api/other' });
    const response = await proxy(
      new Request(`${ORIGIN}${BASE_PATH}/v1/card/status`, { headers: OWN_PAGE }),
    );
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('serves only paths below /api/other/');
    expect(failures).toMatchObject([{ reason: 'operation_not_allowed', outcome: 'not_sent' }]);
    expect(failures[0]?.error).toEqual(
      new Error('basePath is /api/other, but the path of the request is /api/card/v1/card/status'),
    );
  });
});

describe('an endpoint outside the contract', () => {
  const declare = (pageAccess?: 'allowed' | 'on-request' | 'never') =>
    defineEndpoint({
      id: 'limits.read',
      method: 'GET',
      path: '/v1/limits/{kind}',
      retry: 'safe',
      input: z.strictObject({ kind: z.string(), page: z.number() }),
      query: ['page'],
      resultWhen: { 404: null },
      ...(pageAccess && { pageAccess }),
    });
  const read = (page: CardPlatformClient, endpoint = declare()) =>
    call(page, endpoint, { kind: 'daily', page: 2 });
  const proxyOf = (options: Partial<CardProxyOptions>, response = json({ most: 5 })) =>
    scriptedProxy([response], options, { retry: false });

  it.each([
    ['is not declared to the proxy', {}],
    ['is declared without a decision', { endpoints: [declare()] }],
    ['is declared as on request', { endpoints: [declare('on-request')] }],
    ['is allowed, and a list leaves it out', { endpoints: [declare('allowed')], allow: [] }],
    ['is never for pages', { endpoints: [declare('never')] }],
  ])('is not served when it %s', async (_, options) => {
    const { page, requests, failures } = proxyOf(options);
    const error = await rejection(read(page));
    expect(error).toMatchObject({ status: 403, outcome: 'not_sent' });
    expect(requests).toEqual([]);
    // The operator finds out which endpoint it was.
    const isKnown = Object.hasOwn(options, 'endpoints');
    const operation = isKnown ? 'limits.read' : undefined;
    expect(failures).toMatchObject([{ reason: 'operation_not_allowed', operation }]);
    expect(String(error)).toContain(
      isKnown ? 'does not allow limits.read' : 'does not know an operation',
    );
  });

  it.each([
    ['it is declared as allowed', { endpoints: [declare('allowed')] }],
    ['the operator lists it', { endpoints: [declare()], allow: ['limits.read'] }],
  ])('is served when %s, with the session of the user', async (_, options) => {
    const { page, requests } = proxyOf(options);
    expect(await read(page)).toEqual({ most: 5 });
    expect(requests[0]?.url).toBe('https://api.example.com/v1/limits/daily?page=2');
    expect(requests[0]?.init.headers).toMatchObject({ authorization: `Bearer ${SESSION_TOKEN}` });
  });

  it('keeps the results that its declaration gives to statuses', async () => {
    const { page } = proxyOf({ endpoints: [declare('allowed')] }, json({ message: 'None' }, 404));
    expect(await read(page)).toBeNull();
    // But not when the proxy itself responds.
    const refusal = declare();
    const other = defineEndpoint({
      id: 'limits.other',
      method: 'GET',
      path: '/v1/other',
      retry: 'safe',
      resultWhen: { 403: null },
    });
    const { page: closed } = proxyOf({ endpoints: [refusal] });
    expect(await rejection(call(closed, other, {}))).toMatchObject({ outcome: 'not_sent' });
  });

  it('is not served at the path of an endpoint that is never for pages, even if it is listed', () => {
    for (const [method, path] of [
      ['POST', '/v1/auth/login'],
      ['POST', '/V1/Auth/Login'],
      ['POST', '/v1/webhooks/{name}/rotate-key'],
    ] as const) {
      const input = path.includes('{') ? z.strictObject({ name: z.string() }) : z.strictObject({});
      const endpoint = defineEndpoint({ id: 'own.call', method, path, retry: 'never', input });
      expect(() => proxyOf({ endpoints: [endpoint], allow: ['own.call'] })).toThrow(
        expect.objectContaining({ option: 'endpoints' }),
      );
    }
  });

  it.each([
    ['/v1/{area}', 'webhooks.create'],
    ['/{version}/webhooks', 'webhooks.create'],
    ['/v1/webhooks/{id}/{verb}', 'webhooks.rotateKey'],
  ])('is refused where a placeholder of %s can mean %s, beside others that are open', (path, id) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name ?? '', z.string()]);
    const input = z.strictObject(Object.fromEntries(names));
    const any = defineEndpoint({ id: 'own.any', method: 'POST', path, retry: 'never', input });
    expect(() => proxyOf({ endpoints: [any], allow: [] })).toThrow(
      `it can reach ${id}, whose response has a secret`,
    );
  });

  const READS = { id: 'x', method: 'GET', path: '/v1/x', retry: 'safe' } as const;
  it.each([
    ['bytes', defineEndpoint({ ...READS, response: 'bytes', pageAccess: 'allowed' })],
    ['text', defineEndpoint({ ...READS, response: 'text', pageAccess: 'allowed' })],
  ])('is refused at the start when the proxy could not pass on its %s', (_, endpoint) => {
    expect(() => proxyOf({ endpoints: [endpoint] })).toThrow(/response is not JSON/);
  });

  it.each([
    407, 408, 421, 425, 426,
  ])('is refused at the start when %i is a result, to which a browser reacts by itself', (status) => {
    const endpoint = defineEndpoint({ ...READS, resultWhen: { [status]: null } });
    expect(() => proxyOf({ endpoints: [endpoint] })).toThrow(
      `a browser may act by itself on ${status}`,
    );
  });

  it('is not opened by override', () => {
    const open = { pageAccess: 'allowed' } as never;
    expect(() => override(exchangeOAuthCode, open)).toThrow(/pageAccess cannot be overridden/);
    expect(override(exchangeOAuthCode, { path: '/v1/x' }).pageAccess).toBe('never');
  });
});

describe('the observed calls', () => {
  /** Decided by what each does for the user of the session, and by what its response contains. */
  const OBSERVED: Readonly<Record<string, string>> = {
    'card.cashback': 'allowed',
    'card.statement': 'on-request',
    'wallets.external.getPriority': 'allowed',
    'wallets.external.setPriority': 'allowed',
    'wallets.internal.setLinkedPriority': 'allowed',
    'wallets.reward.estimateWithdrawal': 'allowed',
    'wallets.reward.get': 'allowed',
    'wallets.reward.withdraw': 'allowed',
    'auth.oauth.authorize': 'never',
    'auth.oauth.exchangeCode': 'never',
    'auth.oauth.refresh': 'never',
    'auth.oauth2.exchangeCode': 'never',
    'auth.oauth2.refresh': 'never',
    'user.registration.submitAddress': 'never',
    'user.registration.submitMailingAddress': 'never',
  };

  it.each(
    Object.values(observedEndpoints).map((one) => [one.id, one.pageAccess]),
  )('%s is %s for pages', (id, pageAccess) => {
    expect(pageAccess).toBe(OBSERVED[id] ?? 'on-request');
  });

  it.each(
    [...ENDPOINTS, ...Object.values(observedEndpoints)].filter(({ secrets }) =>
      secrets.some((path) => /(?:^|\.)(?:access|refresh|id)_?token$/i.test(path)),
    ),
  )('$id has an access token in its response, and is never for pages', ({ pageAccess }) => {
    expect(pageAccess).toBe('never');
  });

  it('are served only to a proxy that has them', async () => {
    const reward = json({ id: 'w', balance: '5', currency: 'usdc', isWithdrawable: true });
    const { page } = scriptedProxy([reward]);
    const { wallets } = observe(page);
    expect(await rejection(wallets.reward.get())).toMatchObject({ outcome: 'not_sent' });
    const { page: open } = scriptedProxy([reward], {
      endpoints: [observedEndpoints['wallets.reward.get']],
    });
    expect(await observe(open).wallets.reward.get()).toMatchObject({ balance: '5' });
  });
});

describe('a call through the proxy', () => {
  it.each(
    callable,
  )('sends $id to the service exactly as a client without a proxy does', async (call) => {
    const allow = [call.id as EndpointId];
    const { page, requests } = scriptedProxy([success(call)], { allow });
    await call.invoke(page);
    const [sent, ...others] = requests;
    expect(others).toEqual([]);
    const url = new URL(sent?.url ?? '');
    expect(url.origin).toBe('https://api.example.com');
    expect(url.pathname).toBe(call.path);
    expect(Object.fromEntries(url.searchParams)).toEqual(call.query ?? {});
    const body = sent?.init.body;
    expect(body === undefined ? undefined : JSON.parse(String(body))).toEqual(call.body);
  });

  it.each(callable)('returns the result of $id as a client without a proxy does', async (call) => {
    const allow = [call.id as EndpointId];
    const { page } = scriptedProxy([success(call)], { allow });
    const { fetch } = scriptedFetch(success(call));
    const expected = await call.invoke(clientFor('https://api.example.com', { fetch }));
    expect(await call.invoke(page)).toEqual(expected);
  });

  it.each(callable)('adds the credentials of $id, and only those', async (call) => {
    const allow = [call.id as EndpointId];
    const { page, requests } = scriptedProxy([success(call)], { allow });
    await call.invoke(page);
    const direct = scriptedFetch(success(call));
    const client = clientFor('https://api.example.com', {
      fetch: direct.fetch,
      accessToken: SESSION_TOKEN,
    });
    await call.invoke(client);
    expect(requests[0]?.init.headers).toEqual(direct.requests[0]?.init.headers);
  });

  it('is made under the path where the proxy is mounted, and nowhere else', async () => {
    const { proxy, requests } = scriptedProxy([json({})]);
    const paths = ['/v1/card/status', `${BASE_PATH}x/v1/card/status`, BASE_PATH, `${BASE_PATH}/`];
    for (const path of paths) {
      const response = await proxy(new Request(`https://app.example${path}`));
      expect(response.status).toBe(403);
    }
    expect(requests).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ENDPOINT_IDS } from '../../src/contract/endpoint-ids.js';
import type { EndpointId } from '../../src/contract/endpoints.js';
import { DEFAULT_OPERATIONS } from '../../src/server/index.js';
import { SAMPLE_CALLS, type SampleCall } from '../support/calls.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { BASE_PATH, SESSION_TOKEN, scriptedProxy } from './support.js';

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
  it('are decided for every operation of the contract', () => {
    expect(ids.toSorted()).toEqual([...ENDPOINT_IDS].sort());
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
    expect(failures).toMatchObject([{ reason: 'operation_not_allowed', outcome: 'not_sent' }]);
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

import { describe, expect, it } from 'vitest';
import { differencesOf } from '../../../src/sandbox/record/differences.js';
import type { Exchange } from '../../../src/sandbox/record/exchange.js';
import { Redaction } from '../../../src/sandbox/record/redact-value.js';
import { findRoute } from '../../../src/testing/routing.js';
import { sampleCall } from '../../support/calls.js';
import { CONTRACT_ROWS } from '../../support/contract-rows.js';

const USER = {
  'x-client-key': 'k',
  'x-client-id': 'i',
  'x-secret-key': 's',
  authorization: 'Bearer t',
};

/** The sample call of an endpoint with another request or response body. */
function exchangeOf(
  id: string,
  { body, status, sent }: { body?: unknown; status: number; sent: unknown },
): Exchange {
  const { path } = sampleCall(id);
  const row = CONTRACT_ROWS.find((one) => one.id === id);
  const method = row?.method ?? '';
  const headers = { 'content-type': 'application/json' };
  return {
    method,
    path,
    query: Object.entries(sampleCall(id).query ?? {}),
    request: {
      headers: { ...headers, ...USER },
      body: sent === undefined ? { kind: 'empty' } : { kind: 'json', json: sent },
    },
    response: { status, headers, body: { kind: 'json', json: body } },
    route: findRoute(method, path),
  };
}

/** The differences of a response to the sample call of an endpoint. */
function foundIn(id: string, body: unknown, status = sampleCall(id).response.status) {
  const { body: sent } = sampleCall(id);
  return differencesOf(exchangeOf(id, { body, status, sent }), new Redaction())
    .filter(({ side }) => side === 'response')
    .map(({ kind, path: at }) => `${kind} ${at}`);
}

const bodyOf = (id: string) => sampleCall(id).response.body as Record<string, unknown>;
const itemOf = (id: string) => (sampleCall(id).response.body as Record<string, unknown>[])[0];
const webhook = (change: object) => ({
  success: true,
  data: { ...Object(bodyOf('webhooks.update')['data']), ...change },
});

describe('a recording', () => {
  it.each(CONTRACT_ROWS)('of the sample response of $id has no difference', ({ id }) => {
    expect(foundIn(id, sampleCall(id).response.body)).toEqual([]);
  });

  it('of a request that only the client refuses has no difference', () => {
    const id = 'consent.createOnboarding';
    const sent = { ...Object(sampleCall(id).body), tenantId: 'Tenant One' };
    const exchange = exchangeOf(id, { ...sampleCall(id).response, sent });
    expect(differencesOf(exchange, new Redaction())).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    [
      'card.status',
      { ...bodyOf('card.status'), status: 'SUSPENDED' },
      'other-value status 200: status',
    ],
    ['card.status', { ...bodyOf('card.status'), type: 'WOOD' }, 'other-value status 200: type'],
    [
      'card.status',
      { ...bodyOf('card.status'), expiryDate: '2028-05' },
      'other-format status 200: expiryDate',
    ],
    [
      'card.status',
      { ...bodyOf('card.status'), panLast4: '424242' },
      'other-format status 200: panLast4',
    ],
    [
      'card.status',
      { ...bodyOf('card.status'), orderedAt: 'today' },
      'other-format status 200: orderedAt',
    ],
    [
      'card.status',
      { ...bodyOf('card.status'), holderName: undefined },
      'missing-field status 200: holderName',
    ],
    [
      'card.status',
      { ...bodyOf('card.status'), holderName: null },
      'other-type status 200: holderName',
    ],
    ['card.status', { ...bodyOf('card.status'), tier: 1 }, 'unknown-field status 200: tier'],
    [
      'auth.login',
      { ...bodyOf('auth.login'), verificationState: 'MAYBE' },
      'other-value status 200: verificationState',
    ],
    ['auth.login', { ...bodyOf('auth.login'), userId: '42' }, 'other-format status 200: userId'],
    [
      'auth.login',
      { ...bodyOf('auth.login'), phoneNumber: '+4915112345678' },
      'other-format status 200: phoneNumber',
    ],
    [
      'auth.login',
      { ...bodyOf('auth.login'), isLinked: undefined },
      'missing-field status 200: isLinked',
    ],
    [
      'wallets.internal.list',
      [{ ...itemOf('wallets.internal.list'), balance: '1e3' }],
      'other-format status 200: *.balance',
    ],
    [
      'wallets.internal.list',
      [{ ...itemOf('wallets.internal.list'), balance: 1 }],
      'other-type status 200: *.balance',
    ],
    [
      'wallets.internal.list',
      [{ ...itemOf('wallets.internal.list'), currency: 'USDC' }],
      'other-format status 200: *.currency',
    ],
    [
      'wallets.internal.list',
      [{ ...itemOf('wallets.internal.list'), addressMemo: undefined }],
      'missing-field status 200: *.addressMemo',
    ],
    [
      'wallets.history.list',
      [{ ...itemOf('wallets.history.list'), sign: 'refund' }],
      'other-value status 200: *.sign',
    ],
    [
      'wallets.history.list',
      [{ ...itemOf('wallets.history.list'), date: '31.1.2026' }],
      'other-format status 200: *.date',
    ],
    [
      'orders.create',
      { ...bodyOf('orders.create'), requestId: undefined },
      'missing-field status 200: requestId',
    ],
    [
      'consent.createOnboarding',
      { ...bodyOf('consent.createOnboarding'), _links: {} },
      'missing-field status 201: _links.self',
    ],
    [
      'user.startVerification',
      { sessionUrl: 'http://verify.example.com' },
      'other-format status 200: sessionUrl',
    ],
    [
      'webhooks.update',
      webhook({ apiKey: 'whk_0123456789abcdef' }),
      'other-format status 200: data.apiKey',
    ],
    [
      'webhooks.update',
      webhook({ url: 'http://hooks.example.com' }),
      'other-format status 200: data.url',
    ],
    ['webhooks.update', webhook({ name: 'x'.repeat(256) }), 'other-format status 200: data.name'],
    ['webhooks.rotateKey', webhook({ apiKey: 'wh****ef' }), 'other-format status 200: data.apiKey'],
    ['orders.get', { orderId: 'o', status: 'LOST' }, 'other-value status 200: status'],
    ['orders.get', { orderId: 'o', price: '1' }, 'unknown-field status 200: price'],
  ])('of %s names the difference in %j', (id, body, difference) => {
    expect(foundIn(id, JSON.parse(JSON.stringify(body)))).toEqual([difference]);
  });

  const words = (id: string, status: number, message: string) => foundIn(id, { message }, status);

  it.each([
    ['card.freeze', 400, 'Card is already frozen', 'The card was frozen before'],
    ['card.unfreeze', 400, 'Card is not frozen', 'The card is active'],
    ['card.status', 404, 'Card not found', 'There is no card'],
    ['card.order', 400, 'User already has a card', 'One card is enough'],
    ['wallets.credit.withdraw', 400, 'Insufficient balance', 'Not enough money'],
    ['wallets.credit.withdraw', 401, 'Not authenticated', 'Please log in'],
    ['wallets.credit.withdraw', 403, 'Not authorized', 'You may not'],
    ['wallets.internal.linkToCard', 400, 'Maximum 5 wallets can be linked', 'Too many'],
    ['webhooks.delete', 404, 'Webhook config not found', 'No webhook'],
    [
      'webhooks.delete',
      503,
      'Notification service is not configured for this environment',
      'Not here',
    ],
    ['auth.login', 400, 'Invalid credentials', 'Computer says no'],
  ])('of %s %i names other words than "%s"', (id, status, documented, changed) => {
    const unknown = `unknown-refusal status ${status}`;
    expect(words(id, status, documented)).not.toContain(unknown);
    expect(words(id, status, changed)).toContain(unknown);
  });

  it.each<[string, readonly number[], readonly number[]]>([
    // No status for a refusal is documented, and refusals are: it may be 400 or 422.
    ['card.status', [400, 404, 422], [402, 409, 423]],
    ['card.freeze', [400, 404], [422, 423]],
    ['card.createPinToken', [404, 422], [400, 409]],
    ['user.startVerification', [401, 403, 500], [400, 422]],
  ])('of %s does not name the statuses %j, but %j', (id, known, others) => {
    const isNamed = (status: number) =>
      foundIn(id, { message: 'x' }, status).includes(`other-status status ${status}`);
    expect([known.filter(isNamed), others.filter(isNamed)]).toEqual([[], others]);
  });

  it('takes 300 for the status of an error, and 299 for that of a result', () => {
    const body = bodyOf('card.status');
    expect(foundIn('card.status', body, 299)).toEqual(['other-status status 299']);
    expect(foundIn('card.status', body, 300)).toEqual(
      expect.arrayContaining(['other-status status 300', 'unknown-field status 300: holderName']),
    );
  });

  it('names the words of a 409, where the contract documents none', () => {
    const found = (status: number) => words('card.order', status, 'You have one');
    expect(found(409)).toContain('unknown-refusal status 409');
    expect(found(410)).not.toContain('unknown-refusal status 410');
  });

  it('names a refusal in other words beside a success status', () => {
    const refused = (message: string) =>
      foundIn('wallets.internal.withdraw', { success: false, message });
    expect(refused('Insufficient balance')).not.toContain('unknown-refusal status 200');
    expect(refused('No money')).toContain('unknown-refusal status 200');
  });

  it.each([
    ['card.freeze', 401, { message: 'Who are you?' }],
    ['card.freeze', 500, { message: 'Something broke' }],
    ['card.freeze', 498, { message: 'Wrong key' }],
    [
      'delegation.getToken',
      422,
      { message: 'Invalid', errors: [{ field: 'region', message: 'x' }] },
    ],
    ['auth.login', 400, { message: 'Code please', isOtpRequired: true }],
    ['consent.linkUser', 409, { error: 'Linked', details: ['any'] }],
  ])('of %s %i does not ask for words where the contract shows none', (id, status, body) => {
    expect(foundIn(id, body, status)).toEqual([]);
  });
});

import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADAPTERS, clientOver } from '../support/adapters.js';
import { sampleCall } from '../support/calls.js';
import { CREDENTIALS, rejection } from '../support/clients.js';
import { RecordingServer, type ScriptedResponse } from '../support/server.js';
import { signedMessage } from '../support/signed-message.js';

const server = new RecordingServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const HASH = `0x${'a1'.repeat(32)}`;
const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };
const text = { 'content-type': 'text/plain' };

function clientFor(adapter: (typeof ADAPTERS)[number], scripted: ScriptedResponse) {
  server.requests.length = 0;
  server.respond = () => scripted;
  return clientOver(adapter, { baseUrl: server.baseUrl, ...CREDENTIALS, random: () => 0 });
}

const withdrawalEndsAs = async (adapter: (typeof ADAPTERS)[number], scripted: ScriptedResponse) => {
  const client = clientFor(adapter, scripted);
  const error = await rejection(client.wallets.credit.withdraw({ amount: '1' }));
  expect(server.requests).toHaveLength(1);
  return error;
};

describe.each(ADAPTERS)('a withdrawal over %s', (adapter) => {
  it.each([
    [500, { message: 'Withdrawal executed, but: Notification service is not configured' }, json],
    [504, 'upstream answered: not authenticated', text],
    [502, { message: 'Insufficient balance to notify you; executed' }, json],
    [503, '<html>Service Unavailable</html>', html],
    [500, '', json],
    [408, { message: 'Request timeout' }, json],
  ])('is unknown after %i, whatever the text: %j', async (status, body, headers) => {
    const error = await withdrawalEndsAs(adapter, { status, body, headers });
    expect(error).toMatchObject({ outcome: 'unknown', isRetryable: false, attempts: 1 });
    expect(error).toHaveProperty('probableOutcome', undefined);
  });

  it('is unknown and probably rejected after 5xx with the exact text of a documented refusal', async () => {
    const body = { message: 'Insufficient balance.' };
    const error = await withdrawalEndsAs(adapter, { status: 500, body });
    expect(error).toMatchObject({
      outcome: 'unknown',
      probableOutcome: 'rejected',
      code: 'insufficient_balance',
    });
  });

  it.each([
    [400, { message: 'Insufficient balance' }],
    [400, { message: 'Anything else' }],
    [403, { error: 'No', details: ['because'] }],
    [400, { code: 'E1', message: 'No' }],
    [400, { message: '{"error":"No","details":[]}' }],
    [400, { error: { status: 400, message: 'No' } }],
    [422, { errors: [{ field: 'amount', message: 'is wrong' }] }],
    [429, { message: 'Slow down' }],
    [498, { message: 'Invalid client key' }],
  ])('is rejected after %i in a form of the service: %j', async (status, body) => {
    const error = await withdrawalEndsAs(adapter, { status, body });
    expect(error).toMatchObject({ outcome: 'rejected', status, attempts: 1 });
  });

  it.each([
    [403, '<html>Blocked by the firewall</html>', html],
    [403, '', text],
    [400, 'not authenticated', text],
    [404, '"Card not found"', json],
    [400, '[]', json],
    [400, '{}', json],
    [499, 'null', json],
  ])('is unknown and probably rejected after %i in another form: %j', async (status, body, headers) => {
    const error = await withdrawalEndsAs(adapter, { status, body, headers });
    expect(error).toMatchObject({ outcome: 'unknown', probableOutcome: 'rejected', status });
  });

  it('is not retried after a 401 that did not come from the service', async () => {
    server.requests.length = 0;
    server.respond = () => ({ status: 401, body: '<html>', headers: html });
    const client = clientOver(adapter, {
      ...{ baseUrl: server.baseUrl, ...CREDENTIALS },
      accessToken: async ({ reason }) => `token-${reason}`,
    });
    const error = await rejection(client.wallets.credit.withdraw({ amount: '1' }));
    expect(error).toMatchObject({ name: 'AuthenticationError', outcome: 'unknown' });
    expect(server.requests).toHaveLength(1);
  });

  it('is rejected after success: false, but unknown with a transaction hash beside it', async () => {
    const refused = await withdrawalEndsAs(adapter, { body: { success: false, message: 'No' } });
    expect(refused).toMatchObject({ name: 'OperationRejectedError', outcome: 'rejected' });
    const body = { success: false, message: 'No', data: { transactionHash: HASH } };
    const doubtful = await withdrawalEndsAs(adapter, { body });
    expect(doubtful).toMatchObject({
      name: 'OperationRejectedError',
      outcome: 'unknown',
      evidence: { 'data.transactionHash': HASH },
      data: body,
    });
  });

  it('is unknown after 4xx beside a transaction hash', async () => {
    const body = { message: 'Insufficient balance', txHash: HASH };
    const error = await withdrawalEndsAs(adapter, { status: 400, body });
    expect(error).toMatchObject({ outcome: 'unknown', probableOutcome: 'executed' });
  });
});

it('a hash that the request itself contained proves nothing', async () => {
  const approval = {
    ...{ address: '0x52908400098527886E0F7030069857D2E4169EE7', network: 'linea' },
    ...{ currency: 'usdc', amount: '1', txHash: HASH, sigHash: `0x${'b'.repeat(130)}` },
    ...{ sigMessage: signedMessage(), token: 'del_12345678' },
  } as const;
  for (const [status, success] of [
    [422, undefined],
    [200, false],
  ] as const) {
    const body = { message: 'not confirmed yet', txHash: HASH, success };
    const client = clientFor('node-http', { status, body });
    const error = await rejection(client.delegation.submitEvmApproval(approval));
    expect(error).toMatchObject({ outcome: 'rejected' });
  }
});

it('success: false beside an order that was created is unknown', async () => {
  const client = clientFor('node-http', { body: { success: false, orderId: 'order-1' } });
  const order = { productId: 'p', paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY' } as const;
  expect(await rejection(client.orders.create(order))).toMatchObject({ outcome: 'unknown' });
});

describe.each(ADAPTERS)('a response with content-encoding over %s', (adapter) => {
  const body = JSON.stringify({ id: 'c', status: 'ACTIVE' });
  const zipped = gzipSync(body);
  it.each([
    ['gzip', zipped],
    ['GZIP', zipped],
    ['  GzIp ', zipped],
    ['x-gzip', zipped],
    ['constructor', Buffer.from(body)],
    ['__proto__', Buffer.from(body)],
    ['toString', Buffer.from(body)],
    ['identity', Buffer.from(body)],
    ['', Buffer.from(body)],
  ])('is decoded with one request: %s', async (encoding, bytes) => {
    const headers = { ...json, 'content-encoding': encoding };
    const client = clientFor(adapter, { headers, body: bytes });
    expect(await client.card.status()).toMatchObject({ id: 'c' });
    expect(server.requests).toHaveLength(1);
  });

  it('is decoded in reverse order when it has several encodings', async () => {
    const headers = { ...json, 'content-encoding': 'gzip, GZIP' };
    const client = clientFor(adapter, { headers, body: gzipSync(zipped) });
    expect(await client.card.status()).toMatchObject({ id: 'c' });
  });
});

describe.each(ADAPTERS)('a failed read over %s', (adapter) => {
  it.each([
    [503, { message: 'down' }, true, /The call only reads, so reading again is safe\.$/],
    [
      404,
      { message: 'Card not found' },
      false,
      /Nothing was changed: the call only reads\. The user has no card: order one with card\.order\(\)\.$/,
    ],
    [200, '{"id":', false, /Nothing was changed: the call only reads\.$/],
  ])('says after %i whether to read again, and mentions no money', async (status, body, retryable, advice) => {
    const client = clientFor(adapter, { status, body, headers: json });
    const error = await rejection(client.card.status({ retry: false }));
    expect(error).toMatchObject({ isRetryable: retryable });
    expect(String(error)).toMatch(advice);
    expect(String(error)).not.toMatch(/acted on|nothing was done|do not send/);
  });
});

describe.each(ADAPTERS)('a 304 over %s', (adapter) => {
  it.each([
    ['card.status', 'contact', /Nothing was changed: the call only reads\.$/],
    ['card.unfreeze', 'look_up', /The service may have acted on it/],
  ] as const)('to %s is no redirect', async (id, next, advice) => {
    const client = clientFor(adapter, { status: 304 });
    const headers = { 'if-none-match': '"v1"' };
    const error = await rejection(sampleCall(id).invoke(client, { headers }));
    expect(error).toMatchObject({
      ...{ name: 'ProtocolError', code: 'response_invalid', status: 304 },
      ...{ outcome: 'unknown', isRetryable: false, next, attempts: 1 },
    });
    expect(String(error)).toContain(
      'the response is 304 (Not Modified), which has no content: do not send if-none-match or if-modified-since.',
    );
    expect(String(error)).toMatch(advice);
    expect(server.requests).toHaveLength(1);
  });
});

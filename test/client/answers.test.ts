import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { BUSINESS_ERRORS } from '../../src/contract/business-errors.js';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { ResponseValidationError } from '../../src/errors/index.js';
import type { DriftReport } from '../../src/transport/response/drift.js';
import type { ClientOptions } from '../../src/transport/settings/options.js';
import { SAMPLE_CALLS, sampleCall } from '../support/calls.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';

const BASE_URL = 'https://api.example.com';

function clientAnswering(answer: Response, options: Partial<ClientOptions> = {}) {
  return clientFor(BASE_URL, { fetch: scriptedFetch(answer).fetch, ...options });
}

function endpointOf(id: string) {
  const endpoint = ENDPOINTS.find((one) => one.id === id);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${id}`);
  return endpoint;
}

describe.each(SAMPLE_CALLS)('$id', ({ id, invoke, response: answer }) => {
  it('takes the answer of the contract, without drift', async () => {
    const drift: DriftReport[] = [];
    const options = { onDrift: (report: DriftReport) => drift.push(report) };
    const result = await invoke(clientAnswering(json(answer.body, answer.status), options));
    if (id !== 'delegation.getToken') expect(result).toEqual(answer.body);
    expect(drift).toEqual([]);
  });

  it('keeps keys that it does not know', async () => {
    if (Array.isArray(answer.body)) return;
    const body = { ...(answer.body as object), somethingNew: { deep: [1] } };
    const result = await invoke(clientAnswering(json(body, answer.status)));
    expect(result).toMatchObject({ somethingNew: { deep: [1] } });
  });

  it('refuses an answer that is no JSON, as executed', async () => {
    const page = new Response('<html>', { headers: { 'content-type': 'text/html' } });
    const error = await rejection(invoke(clientAnswering(page)));
    expect(error).toMatchObject({ name: 'ProtocolError', outcome: 'executed', operation: id });
  });

  it('takes success: false as a refusal', async () => {
    const said = { success: false, message: 'Not on Sundays' };
    const error = await rejection(invoke(clientAnswering(json(said))));
    expect(error).toMatchObject({
      name: 'OperationRejectedError',
      code: 'operation_rejected',
      outcome: 'rejected',
      isRetryable: false,
      serverMessage: 'Not on Sundays',
      evidence: {},
    });
  });

  it('gives a refusal with success: false the codes that it documents, and no others', async () => {
    const documented: readonly string[] = endpointOf(id).businessErrors;
    for (const [code, [message]] of Object.entries(BUSINESS_ERRORS)) {
      const error = await rejection(invoke(clientAnswering(json({ success: false, message }))));
      expect(error).toMatchObject({
        name: 'OperationRejectedError',
        code: documented.includes(code) ? code : 'operation_rejected',
        outcome: 'rejected',
      });
    }
  });

  it('leaves it open whether success: false beside a transaction hash did nothing', async () => {
    const txHash = `0x${'e'.repeat(64)}`;
    const said = { success: false, message: 'Failed', data: { txHash } };
    const error = await rejection(invoke(clientAnswering(json(said))));
    expect(error).toMatchObject({
      name: 'OperationRejectedError',
      outcome: 'unknown',
      evidence: { 'data.txHash': txHash },
      isRetryable: false,
    });
  });
});

describe('delegation token', () => {
  const faucet = { success: false, status: 'declined' };
  it.each([
    [200, { token: 't', nonce: 'n' }, 'not-requested'],
    [200, { token: 't', nonce: 'n', faucet: null }, 'not-requested'],
    [200, { token: 't', nonce: 'n', faucet: { success: true, status: 'confirmed' } }, 'succeeded'],
    [207, { token: 't', nonce: 'n', faucet }, 'failed'],
    [207, { token: 't', nonce: 'n' }, 'failed'],
  ])('%i %j says that the faucet %s', async (status, body, faucetOutcome) => {
    const token = await clientAnswering(json(body, status)).delegation.getToken();
    expect(token).toMatchObject({ token: 't', nonce: 'n', faucetOutcome });
  });
});

describe('referral', () => {
  it.each([
    ['an empty object', '{}'],
    ['an empty body', ''],
    ['blanks', ' \n'],
  ])('is null for %s', async (_, text) => {
    expect(await clientAnswering(json(text)).referral.get()).toBeNull();
  });
});

describe('login', () => {
  const login = { email: 'ada@example.com', password: 'secret' };
  const userId = 'user-1';

  it.each([
    ['400', json({ message: 'OTP', isOtpRequired: true, userId }, 400)],
    ['200 without a token', json({ isOtpRequired: true, userId })],
    ['200 with an empty token', json({ isOtpRequired: true, userId, accessToken: '' })],
    ['200 with an unusable token', json({ isOtpRequired: true, userId, accessToken: 'x' })],
  ])('asks for an OTP with %s', async (_, answer) => {
    const error = await rejection(clientAnswering(answer).auth.login(login));
    expect(error).toMatchObject({
      name: 'OtpRequiredError',
      code: 'otp_required',
      outcome: 'rejected',
      otpRequest: { userId },
    });
  });

  it('asks for an OTP although the service did not say for whom', async () => {
    const answer = json({ isOtpRequired: true, phoneNumber: '***42', userId: null });
    const error = await rejection(clientAnswering(answer).auth.login(login));
    expect(error).toMatchObject({ otpRequest: {}, phoneNumber: '***42', status: 200 });
  });

  it.each([
    { phase: 'ACCOUNT', accessToken: null, userId: null },
    { phase: 'ACCOUNT', isOtpRequired: true },
    { phase: 'SOMETHING_NEW', accessToken: 'token' },
  ])('gives an unfinished onboarding: %j', async (body) => {
    expect(await clientAnswering(json(body)).auth.login(login)).toEqual(body);
  });

  it('is useless without a token', async () => {
    const error = await rejection(clientAnswering(json({ userId })).auth.login(login));
    expect(error).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'executed',
      issues: [{ path: 'accessToken', message: 'is missing' }],
    });
  });

  it.each([
    ['a session', { accessToken: 'token' }],
    ['an onboarding', { phase: 'ACCOUNT' }],
  ])('leaves it open whether success: false beside %s did nothing', async (_, result) => {
    const answer = json({ success: false, message: 'no', ...result });
    const error = await rejection(clientAnswering(answer).auth.login(login));
    expect(error).toMatchObject({ name: 'OperationRejectedError', outcome: 'unknown' });
  });

  it('refuses to make a client of no token', async () => {
    const client = clientAnswering(json({ phase: 'ACCOUNT' }));
    const session = await client.auth.login(login);
    expect(() => client.withAccessToken(session.accessToken)).toThrow(/accessToken is missing/);
  });
});

describe('an answer as it was seen live', () => {
  it.each([
    { id: 'c', status: 'PENDING' },
    { id: 'c', status: 'INACTIVE', isFreezable: true, cardAddedToDigitalWallet: false },
    { id: 'c', status: 'SOMETHING_NEW', holderName: null, expiryDate: null, type: 'WOOD' },
  ])('card %j', async (body) => {
    const drift: DriftReport[] = [];
    const client = clientAnswering(json(body), { onDrift: (report) => drift.push(report) });
    expect(await client.card.status()).toEqual(body);
    expect(drift).toEqual([]);
  });

  it('an internal wallet without memo', async () => {
    const wallet = { id: 'w', balance: '1', currency: 'sol', address: 'a', addressId: 'i' };
    expect(await clientAnswering(json([wallet])).wallets.internal.list()).toEqual([wallet]);
  });

  it('text/plain, +json and no content type', async () => {
    for (const type of ['text/plain; charset=utf-8', 'application/problem+json', '']) {
      const answer = new Response('{"success":true}', { headers: { 'content-type': type } });
      expect(await clientAnswering(answer).card.freeze()).toEqual({ success: true });
    }
  });

  it('sendLoginOtp with an empty body', async () => {
    const answer = json('');
    expect(await clientAnswering(answer).auth.sendLoginOtp({})).toEqual({ success: true });
  });
});

describe('a field without which the answer is useless', () => {
  it.each([
    ['card.status', { id: 'c' }, 'status'],
    ['card.status', null, ''],
    ['card.status', [], ''],
    ['card.freeze', { success: 'yes' }, 'success'],
    ['card.createDetailsToken', { token: 't' }, 'imageUrl'],
    ['card.createDetailsToken', { token: 't', imageUrl: 'javascript:alert(1)' }, 'imageUrl'],
    ['card.createPinToken', { token: 't', imageUrl: 'http://img.example.com' }, 'imageUrl'],
    ['card.createSetPinToken', { token: 't', hostedPageUrl: 'data:text/html,x' }, 'hostedPageUrl'],
    ['user.startVerification', { sessionUrl: '//evil.example' }, 'sessionUrl'],
    ['delegation.getToken', { nonce: 'n' }, 'token'],
    ['delegation.getToken', { token: 't' }, 'nonce'],
    ['wallets.credit.withdraw', {}, 'txHash'],
    ['wallets.internal.list', {}, ''],
    ['wallets.history.list', { items: [] }, ''],
    ['orders.create', { requestId: 'r' }, 'orderId'],
    [
      'orders.create',
      { orderId: 'o', paymentConfig: { paymentAmount: -1 } },
      'paymentConfig.paymentAmount',
    ],
    ['consent.createOnboarding', {}, 'consentSetId'],
    ['referral.get', { cap: 1 }, 'code'],
    ['webhooks.rotateKey', { success: true, data: {} }, 'data.apiKey'],
  ])('%s with %j', async (id, body, path) => {
    const error = await rejection(sampleCall(id).invoke(clientAnswering(json(body))));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error).toMatchObject({ outcome: 'executed', operation: id, status: 200 });
    expect((error as ResponseValidationError).issues.map((issue) => issue.path)).toContain(path);
    expect((error as ResponseValidationError).data).toEqual(body);
  });
});

describe('drift', () => {
  const odd = { id: 7, status: 'ACTIVE', holderName: 5 };

  it('is returned as it came, and told once for each path', async () => {
    const drift: DriftReport[] = [];
    const client = clientAnswering(json(odd), { onDrift: (report) => drift.push(report) });
    expect(await client.card.status()).toEqual(odd);
    await client.card.status();
    expect(drift.map(({ operation, path }) => [operation, path])).toEqual([
      ['card.status', 'id'],
      ['card.status', 'holderName'],
    ]);
  });

  it('names list positions once', async () => {
    const drift: DriftReport[] = [];
    const list = [{ name: 1 }, { name: 2 }];
    const client = clientAnswering(json(list), { onDrift: (report) => drift.push(report) });
    await client.wallets.history.list({ walletId: 'w', walletType: 'CREDIT' });
    expect(drift.map(({ path }) => path)).toContain('*.name');
    expect(drift.filter(({ path }) => path === '*.name')).toHaveLength(1);
  });

  it('is an error in strict mode', async () => {
    const client = clientAnswering(json(odd), { responseValidation: 'strict' });
    const error = await rejection(client.card.status());
    expect(error).toMatchObject({ name: 'ResponseValidationError', outcome: 'executed' });
  });

  it('survives a listener that throws', async () => {
    const onDrift = () => {
      throw new Error('listener');
    };
    expect(await clientAnswering(json(odd), { onDrift }).card.status()).toEqual(odd);
  });

  it('a txHash of another form is no error, because the contract shows none', async () => {
    const client = clientAnswering(json({ txHash: 'abc' }));
    expect(await client.wallets.credit.withdraw({ amount: '1' })).toEqual({ txHash: 'abc' });
  });
});

describe('a preview endpoint', () => {
  it.each([{ anything: 1 }, [], 'text', 5, null])('gives %j as it came', async (body) => {
    const client = clientAnswering(json(JSON.stringify(body)), { responseValidation: 'strict' });
    expect(await client.orders.listProducts()).toEqual(body);
  });

  it('is typed and checked by a schema of the caller', async () => {
    const schema = z.array(z.object({ id: z.string() }));
    const right = clientAnswering(json([{ id: 'p', more: 1 }]));
    const products = await right.orders.listProducts({ schema });
    expect(products).toEqual([{ id: 'p' }]);
    const wrong = clientAnswering(json([{ id: 5 }]));
    const error = await rejection(wrong.orders.listProducts({ schema }));
    expect(error).toMatchObject({
      name: 'ResponseValidationError',
      issues: [{ path: '0.id' }],
      outcome: 'executed',
    });
  });

  it('refuses what is no schema', async () => {
    const schema = { parse: () => 1 } as never;
    const error = await rejection(clientAnswering(json([])).orders.listProducts({ schema }));
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'schema' });
  });
});

describe('more than the result', () => {
  const card = { id: 'c', status: 'ACTIVE' };

  it('withResponse', async () => {
    const client = clientAnswering(json(card, 200, { 'x-request-id': 'req-7' }));
    const { data, status, headers, requestId } = await client.card.status().withResponse();
    expect(data).toEqual(card);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json');
    expect(requestId).toBe('req-7');
  });

  it('raw gives the answer unchecked', async () => {
    const response = await clientAnswering(json({ odd: 1 }, 201))
      .card.status()
      .raw();
    expect(response).toBeInstanceOf(Response);
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ odd: 1 });
  });

  it('raw still rejects where the service refused', async () => {
    const error = await rejection(clientAnswering(json({}, 404)).card.status().raw());
    expect(error).toMatchObject({ name: 'NotFoundError' });
  });

  it('safe gives errors as values', async () => {
    expect(await clientAnswering(json(card)).card.status().safe()).toEqual({
      ok: true,
      data: card,
    });
    const { ok, error } = await clientAnswering(json({}, 404)).card.status().safe();
    expect(ok).toBe(false);
    expect(error).toMatchObject({ name: 'NotFoundError' });
  });

  it('sends once, whatever is asked', async () => {
    const { fetch, requests } = scriptedFetch(json(card));
    const promise = clientFor(BASE_URL, { fetch }).card.status();
    await Promise.all([promise, promise.withResponse(), promise.raw(), promise.safe()]);
    await promise.finally(() => {});
    expect(requests).toHaveLength(1);
  });

  it('then, catch and finally give plain promises', async () => {
    const promise = clientAnswering(json({}, 404)).card.status();
    expect(await promise.catch(() => 'caught')).toBe('caught');
    expect(await promise.then(null, () => 'refused')).toBe('refused');
  });
});

describe('a result that holds a secret', () => {
  const token = { token: 'secret-token', imageUrl: 'https://img.example.com/secret-image' };

  it('prints redacted and is plain to the program', async () => {
    const result = await clientAnswering(json(token)).card.createDetailsToken();
    expect(inspect(result)).not.toContain('secret');
    expect(result.imageUrl).toBe(token.imageUrl);
    expect(JSON.parse(JSON.stringify(result))).toEqual(token);
    expect({ ...result }).toEqual(token);
  });

  it('prints redacted deep inside', async () => {
    const data = { id: 'w', apiKey: 'whk_secret', name: 'n' };
    const client = clientAnswering(json({ success: true, data }));
    const id = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
    const result = await client.webhooks.rotateKey({ id });
    expect(inspect(result)).toContain("name: 'n'");
    expect(inspect(result)).not.toContain('whk_secret');
    expect(result.data.apiKey).toBe('whk_secret');
  });
});

import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { BUSINESS_ERRORS } from '../../src/contract/business-errors.js';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { ResponseValidationError } from '../../src/errors/index.js';
import type { DriftReport } from '../../src/transport/response/drift.js';
import { SAMPLE_CALLS, sampleCall } from '../support/calls.js';
import { clientFor, clientReceiving, json, rejection, scriptedFetch } from '../support/clients.js';

function endpointOf(id: string) {
  const endpoint = ENDPOINTS.find((one) => one.id === id);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${id}`);
  return endpoint;
}

describe.each(SAMPLE_CALLS)('$id', ({ id, invoke, response }) => {
  it('accepts the response of the contract without drift', async () => {
    const drift: DriftReport[] = [];
    const options = { onDrift: (report: DriftReport) => drift.push(report) };
    const result = await invoke(clientReceiving(json(response.body, response.status), options));
    if (id !== 'delegation.getToken') expect(result).toEqual(response.body);
    expect(drift).toEqual([]);
  });

  it('keeps unknown keys', async () => {
    if (Array.isArray(response.body)) return;
    const body = { ...(response.body as object), somethingNew: { deep: [1] } };
    const result = await invoke(clientReceiving(json(body, response.status)));
    expect(result).toMatchObject({ somethingNew: { deep: [1] } });
  });

  it('rejects a response that is not JSON with outcome unknown', async () => {
    const page = new Response('<html>', { headers: { 'content-type': 'text/html' } });
    const error = await rejection(invoke(clientReceiving(page)));
    expect(error).toMatchObject({ name: 'ProtocolError', outcome: 'unknown', operation: id });
  });

  it('treats success: false as a refusal', async () => {
    const body = { success: false, message: 'Not on Sundays' };
    const error = await rejection(invoke(clientReceiving(json(body))));
    expect(error).toMatchObject({
      name: 'OperationRejectedError',
      code: 'operation_rejected',
      outcome: 'rejected',
      isRetryable: false,
      serverMessage: 'Not on Sundays',
      evidence: {},
    });
  });

  it('recognises its documented business errors in a response with success: false, and no others', async () => {
    const documented: readonly string[] = endpointOf(id).businessErrors.map(({ code }) => code);
    for (const [
      code,
      {
        messages: [message],
      },
    ] of Object.entries(BUSINESS_ERRORS)) {
      const error = await rejection(invoke(clientReceiving(json({ success: false, message }))));
      expect(error).toMatchObject({
        name: 'OperationRejectedError',
        code: documented.includes(code) ? code : 'operation_rejected',
        outcome: 'rejected',
      });
    }
  });

  it('leaves the outcome unknown when success: false comes with a transaction hash', async () => {
    const txHash = `0x${'e'.repeat(64)}`;
    const body = { success: false, message: 'Failed', data: { txHash } };
    const error = await rejection(invoke(clientReceiving(json(body))));
    expect(error).toMatchObject({
      name: 'OperationRejectedError',
      outcome: 'unknown',
      evidence: { 'data.txHash': txHash },
      isRetryable: false,
    });
  });
});

describe('the delegation token', () => {
  const faucet = { success: false, status: 'declined' };
  it.each([
    [200, { token: 't', nonce: 'n' }, 'not-requested'],
    [200, { token: 't', nonce: 'n', faucet: null }, 'not-requested'],
    [200, { token: 't', nonce: 'n', faucet: { success: true, status: 'confirmed' } }, 'succeeded'],
    [207, { token: 't', nonce: 'n', faucet }, 'failed'],
    [207, { token: 't', nonce: 'n' }, 'failed'],
    [207, { token: 't', nonce: 'n', success: false, message: 'Faucet failed' }, 'failed'],
    [207, { token: 't', nonce: 'n', success: true, faucet: { success: true } }, 'failed'],
    [207, { token: 't', nonce: 'n', success: 'no', faucet: 'none' }, 'failed'],
    [200, { token: 't', nonce: 'n', faucet: { success: true, status: 'pending' } }, 'succeeded'],
    [200, { token: 't', nonce: 'n', faucet: { status: 'pending' } }, 'succeeded'],
    [200, { token: 't', nonce: 'n', faucet: { success: true } }, 'succeeded'],
    [200, { token: 't', nonce: 'n', faucet }, 'failed'],
    [200, { token: 't', nonce: 'n', faucet: { success: true, status: 'declined' } }, 'failed'],
    [200, { token: 't', nonce: 'n', faucet: { success: false, status: 'confirmed' } }, 'failed'],
    [200, { token: 't', nonce: 'n', faucet: { success: false } }, 'failed'],
    [200, { token: 't', nonce: 'n', faucet: {} }, 'unknown'],
    [200, { token: 't', nonce: 'n', faucet: { status: 'queued' } }, 'unknown'],
  ])('with status %i and the body %j reports the faucet as %s', async (status, body, faucetOutcome) => {
    const token = await clientReceiving(json(body, status)).delegation.getToken();
    expect(token).toMatchObject({ token: 't', nonce: 'n', faucetOutcome });
  });

  it.each([
    [{ token: 't', nonce: 'n' }, 'unknown'],
    [{ token: 't', nonce: 'n', faucet: null }, 'unknown'],
    [{ token: 't', nonce: 'n', faucet: [] }, 'unknown'],
    [{ token: 't', nonce: 'n', faucet }, 'failed'],
  ])('requested with the faucet, the body %j reports the faucet as %s', async (body, faucetOutcome) => {
    const { invoke } = sampleCall('delegation.getToken');
    expect(await invoke(clientReceiving(json(body)))).toMatchObject({ faucetOutcome });
  });

  it.each([
    [{ nonce: 'n', success: false }, 'token'],
    [{ token: '', nonce: 'n' }, 'token'],
    [{ token: 't', success: false }, 'nonce'],
  ])('with status 207 and the body %j is an error, because nothing is usable', async (body, path) => {
    const error = await rejection(clientReceiving(json(body, 207)).delegation.getToken());
    expect(error).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'unknown',
      issues: [{ path }],
    });
  });

  it('is refused by success: false with status 200', async () => {
    const body = { token: 't', nonce: 'n', success: false };
    const error = await rejection(clientReceiving(json(body)).delegation.getToken());
    expect(error).toMatchObject({ name: 'OperationRejectedError', outcome: 'unknown' });
  });
});

describe('the referral', () => {
  it.each([
    ['an empty object', '{}'],
    ['an empty body', ''],
    ['blanks', ' \n'],
  ])('is null for %s', async (_, text) => {
    expect(await clientReceiving(json(text)).referral.get()).toBeNull();
  });
});

describe('a login', () => {
  const login = { email: 'ada@example.com', password: 'secret' };
  const userId = 'user-1';

  it.each([
    ['400', json({ message: 'OTP', isOtpRequired: true, userId }, 400)],
    ['200 without a token', json({ isOtpRequired: true, userId })],
    ['200 with an empty token', json({ isOtpRequired: true, userId, accessToken: '' })],
    ['200 with an unusable token', json({ isOtpRequired: true, userId, accessToken: 'x' })],
  ])('asks for a one-time password after %s', async (_, response) => {
    const error = await rejection(clientReceiving(response).auth.login(login));
    expect(error).toMatchObject({
      name: 'OtpRequiredError',
      code: 'otp_required',
      outcome: 'rejected',
      otpRequest: { userId },
    });
  });

  it('asks for a one-time password even when the response names no user', async () => {
    const response = json({ isOtpRequired: true, phoneNumber: '***42', userId: null });
    const error = await rejection(clientReceiving(response).auth.login(login));
    expect(error).toMatchObject({ otpRequest: {}, phoneNumber: '***42', status: 200 });
  });

  it.each([
    { phase: 'ACCOUNT', accessToken: null, userId: null },
    { phase: 'ACCOUNT', isOtpRequired: true },
    { phase: 'SOMETHING_NEW', accessToken: 'token' },
  ])('returns an unfinished onboarding: %j', async (body) => {
    expect(await clientReceiving(json(body)).auth.login(login)).toEqual(body);
  });

  const NO_TOKENS = [
    '',
    ' ',
    '\t\n',
    'null',
    'undefined',
    ' null ',
    'a b',
    'a\nb',
    'a\u0000',
    'é',
    5,
  ];

  it.each(
    NO_TOKENS,
  )('returns an unfinished onboarding without the token %j', async (accessToken) => {
    const body = { phase: 'ACCOUNT', accessToken };
    const session = await clientReceiving(json(body)).auth.login(login);
    expect(session).toEqual({ phase: 'ACCOUNT', accessToken: null });
  });

  it.each(
    NO_TOKENS,
  )('asks for a one-time password even when the token is %j', async (accessToken) => {
    const response = json({ isOtpRequired: true, userId, accessToken });
    expect(await rejection(clientReceiving(response).auth.login(login))).toMatchObject({
      name: 'OtpRequiredError',
    });
  });

  it.each(NO_TOKENS)('fails when the token is %j, which is not a token', async (accessToken) => {
    const error = await rejection(clientReceiving(json({ userId, accessToken })).auth.login(login));
    expect(error).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'unknown',
      issues: [{ path: 'accessToken' }],
    });
  });

  it.each([null, '', ' ', 'null'])('returns a finished session for the phase %j', async (phase) => {
    const body = { phase, accessToken: 'token' };
    const session = await clientReceiving(json(body)).auth.login(login);
    expect(session).toEqual({ phase: null, accessToken: 'token' });
  });

  it('returns no finished session for a phase that is not a text', async () => {
    const body = { phase: { step: 1 }, accessToken: 'token' };
    const session = await clientReceiving(json(body)).auth.login(login);
    expect(session.phase).toEqual({ step: 1 });
  });

  it('fails without an access token', async () => {
    const error = await rejection(clientReceiving(json({ userId })).auth.login(login));
    expect(error).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'unknown',
      issues: [{ path: 'accessToken', message: 'is missing' }],
    });
  });

  it.each([
    ['a session', { accessToken: 'token' }],
    ['an onboarding', { phase: 'ACCOUNT' }],
  ])('leaves the outcome unknown when success: false comes with %s', async (_, result) => {
    const response = json({ success: false, message: 'no', ...result });
    const error = await rejection(clientReceiving(response).auth.login(login));
    expect(error).toMatchObject({ name: 'OperationRejectedError', outcome: 'unknown' });
  });

  it('without an access token cannot become a client', async () => {
    const client = clientReceiving(json({ phase: 'ACCOUNT' }));
    const session = await client.auth.login(login);
    expect(() => client.withAccessToken(session.accessToken as never)).toThrow(
      /accessToken is missing/,
    );
  });
});

describe('a response that was observed live', () => {
  it.each([
    { id: 'c', status: 'PENDING' },
    { id: 'c', status: 'INACTIVE', isFreezable: true, cardAddedToDigitalWallet: false },
    { id: 'c', status: 'SOMETHING_NEW', holderName: null, expiryDate: null, type: 'WOOD' },
  ])('is accepted for the card %j', async (body) => {
    expect(await clientReceiving(json(body)).card.status()).toEqual(body);
  });

  it('has fields that are not drift, although the contract does not have them', async () => {
    const drift: DriftReport[] = [];
    const body = Object(sampleCall('card.status').response.body);
    const live = { ...body, isFreezable: true, cardAddedToDigitalWallet: null };
    const onDrift = (report: DriftReport) => drift.push(report);
    const client = clientReceiving(json(live), { onDrift, responseValidation: 'strict' });
    expect(await client.card.status()).toEqual(live);
    expect(drift).toEqual([]);
  });

  it('is accepted for an internal wallet without memo', async () => {
    const wallet = { id: 'w', balance: '1', currency: 'sol', address: 'a', addressId: 'i' };
    expect(await clientReceiving(json([wallet])).wallets.internal.list()).toEqual([wallet]);
  });

  it('is accepted as text/plain, as +json and without a content type', async () => {
    for (const type of ['text/plain; charset=utf-8', 'application/problem+json', '']) {
      const response = new Response('{"success":true}', { headers: { 'content-type': type } });
      expect(await clientReceiving(response).card.freeze()).toEqual({ success: true });
    }
  });

  it('is accepted for sendLoginOtp with an empty body', async () => {
    const response = json('');
    expect(await clientReceiving(response).auth.sendLoginOtp({})).toEqual({});
  });
});

describe('a response without an essential field', () => {
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
    ['webhooks.rotateKey', { data: {} }, 'data.apiKey'],
  ])('is rejected for %s with %j', async (id, body, path) => {
    const error = await rejection(sampleCall(id).invoke(clientReceiving(json(body))));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error).toMatchObject({ outcome: 'unknown', operation: id, status: 200 });
    expect((error as ResponseValidationError).issues.map((issue) => issue.path)).toContain(path);
    const isSecret = /^(token|nonce|imageUrl|hostedPageUrl|sessionUrl)$/;
    const shown = JSON.stringify(body, (name, value) =>
      isSecret.test(name) ? '[redacted]' : value,
    );
    expect((error as ResponseValidationError).data).toEqual(JSON.parse(shown));
  });
});

describe('drift', () => {
  const card = Object(sampleCall('card.status').response.body);
  const drifting = { ...card, id: 7, holderName: 5 };

  it('is reported once for each path and leaves the result unchanged', async () => {
    const drift: DriftReport[] = [];
    const client = clientReceiving(json(drifting), { onDrift: (report) => drift.push(report) });
    expect(await client.card.status()).toEqual(drifting);
    await client.card.status();
    expect(drift.map(({ operation, path }) => [operation, path])).toEqual([
      ['card.status', 'id'],
      ['card.status', 'holderName'],
    ]);
  });

  it('is reported once for all items of a list', async () => {
    const drift: DriftReport[] = [];
    const list = [{ name: 1 }, { name: 2 }];
    const client = clientReceiving(json(list), { onDrift: (report) => drift.push(report) });
    await client.wallets.history.list({ walletId: 'w', walletType: 'CREDIT' });
    expect(drift.map(({ path }) => path)).toContain('*.name');
    expect(drift.filter(({ path }) => path === '*.name')).toHaveLength(1);
  });

  it('is an error in strict mode', async () => {
    const client = clientReceiving(json(drifting), { responseValidation: 'strict' });
    const error = await rejection(client.card.status());
    expect(error).toMatchObject({ name: 'ResponseValidationError', outcome: 'executed' });
  });

  it('does not fail the call when the listener throws', async () => {
    const onDrift = () => {
      throw new Error('listener');
    };
    expect(await clientReceiving(json(drifting), { onDrift }).card.status()).toEqual(drifting);
  });

  it('is not reported for a txHash of another format, because the contract documents none', async () => {
    const client = clientReceiving(json({ txHash: 'abc' }));
    expect(await client.wallets.credit.withdraw({ amount: '1' })).toEqual({ txHash: 'abc' });
  });
});

describe('a preview endpoint', () => {
  it.each([{ anything: 1 }, [], 'text', 5, null])('returns %j unchanged', async (body) => {
    const client = clientReceiving(json(JSON.stringify(body)), { responseValidation: 'strict' });
    expect(await client.orders.listProducts()).toEqual(body);
  });

  it('is typed and checked by a schema of the caller', async () => {
    const schema = z.array(z.object({ id: z.string() }));
    const right = clientReceiving(json([{ id: 'p', more: 1 }]));
    const products = await right.orders.listProducts({ schema });
    expect(products).toEqual([{ id: 'p' }]);
    const wrong = clientReceiving(json([{ id: 5 }]));
    const error = await rejection(wrong.orders.listProducts({ schema }));
    expect(error).toMatchObject({
      name: 'ResponseValidationError',
      issues: [{ path: '0.id' }],
      outcome: 'unknown',
    });
  });

  it('rejects a schema that is not a Standard Schema', async () => {
    const schema = { parse: () => 1 } as never;
    const error = await rejection(clientReceiving(json([])).orders.listProducts({ schema }));
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'schema' });
  });
});

describe('the promise of a call', () => {
  const card = { id: 'c', status: 'ACTIVE' };

  it('has withResponse(), which adds status, headers and request id', async () => {
    const client = clientReceiving(json(card, 200, { 'x-request-id': 'req-7' }));
    const { data, status, headers, requestId } = await client.card.status().withResponse();
    expect(data).toEqual(card);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json');
    expect(requestId).toBe('req-7');
  });

  it('has raw(), which returns the response unchecked', async () => {
    const response = await clientReceiving(json({ odd: 1 }, 201))
      .card.status()
      .raw();
    expect(response).toBeInstanceOf(Response);
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ odd: 1 });
  });

  it('rejects raw() when the service refuses the request', async () => {
    const error = await rejection(clientReceiving(json({}, 404)).card.status().raw());
    expect(error).toMatchObject({ name: 'NotFoundError' });
  });

  it('has safe(), which returns errors as values', async () => {
    expect(await clientReceiving(json(card)).card.status().safe()).toEqual({
      ok: true,
      data: card,
    });
    const { ok, error } = await clientReceiving(json({}, 404)).card.status().safe();
    expect(ok).toBe(false);
    expect(error).toMatchObject({ name: 'NotFoundError' });
  });

  it('sends one request, however many of its methods are used', async () => {
    const { fetch, requests } = scriptedFetch(json(card));
    const promise = clientFor('https://api.example.com', { fetch }).card.status();
    await Promise.all([promise, promise.withResponse(), promise.raw(), promise.safe()]);
    await promise.finally(() => {});
    expect(requests).toHaveLength(1);
  });

  it('returns plain promises from then(), catch() and finally()', async () => {
    const promise = clientReceiving(json({}, 404)).card.status();
    expect(await promise.catch(() => 'caught')).toBe('caught');
    expect(await promise.then(null, () => 'refused')).toBe('refused');
    const calls: unknown[] = [];
    expect(await rejection(promise.finally(() => void calls.push('ran')))).toMatchObject({
      status: 404,
    });
    expect(calls).toEqual(['ran']);
  });
});

describe('a result that holds a secret', () => {
  const token = { token: 'secret-token', imageUrl: 'https://img.example.com/secret-image' };

  it('is redacted when it is printed, but not for the program', async () => {
    const result = await clientReceiving(json(token)).card.createDetailsToken();
    expect(inspect(result)).not.toContain('secret');
    expect(result.imageUrl).toBe(token.imageUrl);
    expect(JSON.parse(JSON.stringify(result))).toEqual(token);
    expect({ ...result }).toEqual(token);
  });

  it('is redacted at any depth when it is printed', async () => {
    const data = { id: 'w', apiKey: 'whk_secret', name: 'n' };
    const client = clientReceiving(json({ success: true, data }));
    const id = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
    const result = await client.webhooks.rotateKey({ id });
    expect(inspect(result)).toContain("name: 'n'");
    expect(inspect(result)).not.toContain('whk_secret');
    expect(result.data.apiKey).toBe('whk_secret');
  });
});

import { describe, expect, it } from 'vitest';
import { ApiError, isApiError, isCardPlatformError } from '../../src/errors/index.js';
import { sampleCall } from '../support/calls.js';
import { clientReceiving, json, rejection } from '../support/clients.js';

async function refusal(response: Response, id = 'wallets.credit.withdraw'): Promise<ApiError> {
  const client = clientReceiving(response);
  const error = await rejection(sampleCall(id).invoke(client));
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

/** Bodies that are in none of the service's formats. A firewall may have sent them. */
const UNKNOWN_BODIES = [
  '',
  '<html>Bad gateway</html>',
  'null',
  'Forbidden',
  '[]',
  '{}',
  '{"message":',
];

describe('an error response with status', () => {
  it.each([
    [400, 'BadRequestError', 'bad_request', 'rejected'],
    [401, 'AuthenticationError', 'not_authenticated', 'rejected'],
    [403, 'PermissionError', 'not_authorized', 'rejected'],
    [404, 'NotFoundError', 'not_found', 'rejected'],
    [408, 'ApiError', 'api_error', 'unknown'],
    [409, 'ConflictError', 'conflict', 'rejected'],
    [418, 'ApiError', 'api_error', 'rejected'],
    [422, 'UnprocessableError', 'validation_failed', 'rejected'],
    [429, 'RateLimitError', 'rate_limited', 'rejected'],
    [498, 'InvalidClientKeyError', 'invalid_client_key', 'rejected'],
    [499, 'MissingClientKeyError', 'missing_client_key', 'rejected'],
    [500, 'ServerError', 'server_error', 'unknown'],
    [502, 'ServerError', 'server_error', 'unknown'],
    [503, 'ServerError', 'server_error', 'unknown'],
    [504, 'ServerError', 'server_error', 'unknown'],
  ])('%i is a %s', async (status, name, code, outcome) => {
    const error = await refusal(json({ message: 'Something odd' }, status));
    expect(error).toMatchObject({ name, code, outcome, status, attempts: 1 });
    expect(error.probableOutcome).toBeUndefined();
    expect(error.operation).toBe('wallets.credit.withdraw');
    expect(error.docsUrl).toContain(`#${code}`);
    for (const body of UNKNOWN_BODIES) {
      const unproven = await refusal(json(body, status));
      const isUnproven = outcome === 'rejected';
      expect(unproven).toMatchObject({ name, code, outcome: 'unknown', status, attempts: 1 });
      expect(unproven.probableOutcome).toBe(isUnproven ? 'rejected' : undefined);
      expect(unproven.isRetryable).toBe(false);
      expect(unproven.message).not.toContain('<html>');
      const read = await refusal(json(body, status), 'card.status');
      expect(read).toMatchObject({ name, code, outcome, status });
    }
  });
});

describe('the body of an error response', () => {
  it('may be { message }', async () => {
    expect((await refusal(json({ message: 'No.' }, 400))).serverMessage).toBe('No.');
  });

  it('may be { message, errors }', async () => {
    const errors = [{ field: 'txHash', message: 'is wrong' }, { field: 5 }, 'odd', null];
    const error = await refusal(json({ message: 'Validation failed', errors }, 422));
    expect(error.fieldErrors).toEqual([{ field: 'txHash', message: 'is wrong' }]);
  });

  it('may be { error, details }', async () => {
    const body = { error: 'Missing consent', details: ['eSignAct is missing', 5] };
    const error = await refusal(json(body, 400));
    expect(error).toMatchObject({
      serverMessage: 'Missing consent',
      details: ['eSignAct is missing'],
    });
  });

  it('may hold { error, details } as JSON in its message', async () => {
    const inner = JSON.stringify({ error: 'Card not found', details: ['none'] });
    const error = await refusal(json({ message: inner }, 404), 'card.status');
    expect(error).toMatchObject({ serverMessage: 'Card not found', code: 'card_not_found' });
    expect(error.details).toEqual(['none']);
  });

  it.each([
    [{ error: 'Nope' }, 'Nope'],
    [{ code: 'E42', message: 'Nope' }, 'Nope'],
    [{ code: 'E42' }, 'E42'],
    ['Nope', 'Nope'],
    ['"Nope"', 'Nope'],
    [{}, undefined],
    [[], undefined],
    ['{"message": "Trunc', '{"message": "Trunc'],
  ])('that is %j has the serverMessage %s', async (body, serverMessage) => {
    expect((await refusal(json(body, 400))).serverMessage).toBe(serverMessage);
  });

  it('is limited to 50 fields with 300 characters each', async () => {
    const errors = Array.from({ length: 90 }, () => ({ field: 'f', message: 'x'.repeat(400) }));
    const { fieldErrors } = await refusal(json({ message: 'm', errors }, 422));
    expect(fieldErrors).toHaveLength(50);
    expect(fieldErrors[0]?.message).toHaveLength(300);
  });

  it('has its message cleaned and shortened', async () => {
    const message = `bad\u001b[31m\u202e\r\n${'x'.repeat(999)}`;
    const { serverMessage } = await refusal(json({ message }, 400));
    expect(serverMessage).toHaveLength(500);
    expect(serverMessage).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  it('has the credentials redacted', async () => {
    const message = 'key canary-client-key token canary-access-token';
    const response = json({ message, errors: [{ field: 'canary-client-key', message }] }, 400, {
      'x-echo': 'canary-access-token',
    });
    const error = await refusal(response);
    expect(error.serverMessage).toBe('key [redacted] token [redacted]');
    expect(JSON.stringify([error.body, error.headers, error.fieldErrors])).not.toContain('canary');
  });
});

describe('an error', () => {
  it('has the request id, the headers without cookies, and Retry-After', async () => {
    const headers = { 'x-correlation-id': 'c-1', 'retry-after': '7', 'set-cookie': 'a=b' };
    const error = await refusal(json({}, 429, headers));
    expect(error.requestId).toBe('c-1');
    expect(error.retryAfterMs).toBe(7000);
    expect(error.headers).not.toHaveProperty('set-cookie');
  });

  it('is recognised by the guards, and no other value is', async () => {
    const error = await refusal(json({}, 404));
    expect(isCardPlatformError(error)).toBe(true);
    expect(isApiError(error)).toBe(true);
    expect(isApiError(error, 'conflict')).toBe(false);
    for (const other of [new Error('x'), null, undefined, 'x', { code: 'not_found' }]) {
      expect(isCardPlatformError(other)).toBe(false);
      expect(isApiError(other)).toBe(false);
    }
  });

  it('is serialised with its facts', async () => {
    const error = await refusal(json({ message: 'Card not found' }, 404), 'card.status');
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      name: 'NotFoundError',
      code: 'card_not_found',
      outcome: 'rejected',
      status: 404,
    });
  });
});

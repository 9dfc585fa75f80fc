import { describe, expect, it } from 'vitest';
import { TimeoutError } from '../../src/errors/index.js';
import { createErrorResponse } from '../../src/server/index.js';
import { json } from '../support/clients.js';
import { scriptedProxy, sendTo } from './support.js';

const connectionError = (code: string, syscall: string) =>
  Object.assign(new TypeError('fetch failed'), {
    cause: Object.assign(new Error(), { code, syscall }),
  });

/** The status, the outcome and the plain words that a page gets without the client of this package. */
async function pageOf(response: Response | Error, path = '/v1/card/status', method = 'GET') {
  const { proxy } = scriptedProxy([response as Response], {}, { retry: false });
  const init = method === 'GET' ? {} : { body: JSON.stringify({ amount: '1' }) };
  const headers = { 'content-type': 'application/json' };
  const sent = await sendTo(proxy, method, path, method === 'GET' ? {} : { ...init, headers });
  const whole = await sent.text();
  const { cardPlatformError: _, ...body } = JSON.parse(whole) as Record<string, unknown>;
  const words = Object.fromEntries(
    Object.entries(body).filter(([, value]) => typeof value === 'string' || Array.isArray(value)),
  );
  return {
    status: sent.status,
    outcome: sent.headers.get('x-card-platform-outcome'),
    retryAfter: sent.headers.get('retry-after'),
    body,
    words,
    /** The text of the response, with the report for the client of this package. */
    whole,
  };
}
const withdraw = (response: Response | Error) =>
  pageOf(response, '/v1/wallet/credit/withdraw', 'POST');

describe('the status that a page gets', () => {
  it.each([
    [400, 400],
    [401, 401],
    [403, 403],
    [404, 404],
    [407, 400],
    [408, 502],
    [421, 400],
    [425, 400],
    [426, 400],
    [429, 429],
    [498, 498],
    [500, 500],
    [503, 503],
    [599, 599],
  ])("is for the service's status %i: %i", async (status, expected) => {
    expect((await pageOf(json({ message: 'No.' }, status))).status).toBe(expected);
  });

  it.each([
    ['a connection that was refused', connectionError('ECONNREFUSED', 'connect'), 503, 'not_sent'],
    ['a connection that broke', connectionError('ECONNRESET', 'read'), 502, 'unknown'],
    ['broken JSON', json('{"success":'), 502, 'unknown'],
    ['a refusal with 200', json({ success: false, message: 'Not today.' }), 400, 'rejected'],
  ])('is for %s: %s', async (_, response, status, outcome) => {
    expect(await withdraw(response)).toMatchObject({ status, outcome });
  });

  it('is 504 when nobody knows what became of a call in time', () => {
    const facts = { operation: 'card.freeze', attempts: 1, isRetryable: false } as const;
    const late = (outcome: 'unknown' | 'not_sent') =>
      createErrorResponse(new TimeoutError('connect', 5_000, { ...facts, outcome } as never));
    expect(late('unknown').status).toBe(504);
    expect(late('not_sent').status).toBe(503);
  });
});

describe('the words that a page gets', () => {
  it('are those of a refusal, with its code and the errors of its fields', async () => {
    const errors = [{ field: 'amount', message: 'too small' }];
    const { words } = await withdraw(
      json({ message: 'The amount is not valid.', code: 'bad_amount', errors }, 422),
    );
    expect(words).toEqual({ message: 'The amount is not valid.', code: 'bad_amount', errors });
  });

  it('have neither a code nor errors that the service did not send', async () => {
    const { words } = await pageOf(json({ message: 'Not authorized' }, 403));
    expect(words).toEqual({ message: 'Not authorized' });
  });

  it('of a failure are not those of the service, which are for the log', async () => {
    const { words, body } = await pageOf(json({ message: 'db-host-7 is down', code: 'E77' }, 500));
    expect(words).toEqual({ message: expect.stringContaining('no usable response') });
    expect(JSON.stringify(body)).not.toMatch(/db-host-7|E77/);
  });

  it.each<[string, object]>([
    ['further sentences', { details: ['db-host-7 is down'] }],
    ['sentences in a list of errors', { errors: ['db-host-7 is down'] }],
    ['words about a field', { errors: [{ field: 'db-host-7', message: 'is down' }] }],
    ['words about a field, by its name', { errors: { 'db-host-7': ['is down'] } }],
  ])('of a failure do not include %s, which are for the log', async (_, more) => {
    const { body, whole } = await pageOf(json({ message: 'It failed', ...more }, 500));
    expect(body).toMatchObject({ message: expect.stringContaining('no usable response') });
    expect(whole).not.toMatch(/db-host-7|is down/);
  });

  it('include the transaction that the service has sent', async () => {
    const txHash = `0x${'ab'.repeat(32)}`;
    const { body } = await withdraw(json({ message: 'Oops', txHash }, 500));
    expect(body).toMatchObject({ evidence: { txHash } });
    expect((await withdraw(json({ message: 'Oops' }, 500))).body).not.toHaveProperty('evidence');
  });

  it('say how long to wait, in whole seconds', async () => {
    const headers = { 'retry-after': '7' };
    expect((await pageOf(json({ message: 'Slow down' }, 429, headers))).retryAfter).toBe('7');
    expect((await pageOf(json({ message: 'Slow down' }, 429))).retryAfter).toBeNull();
  });

  it('of an input that is not valid are its fields', async () => {
    const { proxy, requests } = scriptedProxy([json({})]);
    const response = await sendTo(proxy, 'POST', '/v1/wallet/credit/withdraw', {
      body: JSON.stringify({ amount: 'much' }),
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      message: 'The request is not valid.',
      code: 'request_invalid',
      errors: [{ field: 'amount', message: expect.any(String) }],
    });
    expect(requests).toEqual([]);
  });
});

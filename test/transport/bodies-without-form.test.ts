import { describe, expect, it } from 'vitest';
import { cardStatus } from '../../src/contract/card.js';
import type { Endpoint } from '../../src/contract/endpoint.js';
import { readByContract } from '../../src/transport/response/success-body.js';
import { clientReceiving, json, rejection } from '../support/clients.js';

const sendText = { retryClass: 'never', response: 'text' } as const;
const plain = (text: string) => new Response(text, { headers: { 'content-type': 'text/plain' } });

describe('a response for which no form is documented', () => {
  it('proves nothing when it is an empty text, and the request must not be sent twice', async () => {
    const error = await rejection(clientReceiving(plain('')).request('POST', '/v1/x', sendText));
    expect(error).toMatchObject({ name: 'ProtocolError', outcome: 'unknown' });
  });

  it.each(['{}', 'null'])('proves nothing when it is %s, for such a request', async (body) => {
    const call = clientReceiving(json(body)).request('POST', '/v1/x', { retryClass: 'never' });
    expect(await rejection(call)).toMatchObject({
      outcome: 'unknown',
      probableOutcome: 'executed',
    });
  });

  it.each<[string, unknown, string | undefined]>([
    ['a list of errors', { errors: ['no'] }, 'rejected'],
    ['an error object', { error: { reason: 'x' } }, 'rejected'],
    ['an error number', { error: 7 }, 'rejected'],
    ['a status of 400', { status: 400 }, 'rejected'],
    ['a status of "500"', { statusCode: '500' }, 'rejected'],
    ['a code', { code: 'SOMETHING' }, 'rejected'],
    ['a nested refusal', { result: { success: false } }, 'rejected'],
    ['a status of 200', { status: 200 }, 'executed'],
    ['a good word', { state: 'COMPLETED' }, 'executed'],
    ['a good and a bad word', { ok: true, error: 'no' }, undefined],
    ['a sentence', { message: 'Hello' }, undefined],
    ['words in another case', { Message: 'Hello', StatusCode: 500 }, 'rejected'],
  ])('is unknown after a command when it holds only %s', async (_, body, probableOutcome) => {
    const call = clientReceiving(json(body)).request('POST', '/v1/x', { retryClass: 'never' });
    expect(await rejection(call)).toMatchObject({ outcome: 'unknown', probableOutcome });
  });

  it('is the result of a read of your own, whatever it says', async () => {
    const client = clientReceiving(json({ message: 'Hello' }));
    expect(await client.request('GET', '/v1/x', { retryClass: 'safe' })).toEqual({
      message: 'Hello',
    });
  });

  it('is no result of a preview read when it is only a message', async () => {
    const client = clientReceiving(json({ message: 'Try later' }));
    const error = await rejection(client.wallets.credit.get());
    expect(error).toMatchObject({ name: 'ResponseValidationError', serverMessage: 'Try later' });
  });

  it('is no referral when it has other fields, but no code', async () => {
    const error = await rejection(clientReceiving(json({ cap: 3 })).referral.get());
    expect(error).toMatchObject({ name: 'ResponseValidationError', issues: [{ path: 'code' }] });
  });
});

it('a response whose meaning depends on the input is unusable where that meaning says so', () => {
  const rule = 'is the one of another card';
  const endpoint: Endpoint = {
    ...(cardStatus as Endpoint),
    interpret: (result, _, { id }) =>
      Object(result).id === id
        ? { means: 'result', result }
        : { means: 'invalid', path: 'id', rule },
  };
  const read = (id: string) => readByContract({ id: 'card_1' }, endpoint, 200, { id });
  expect(read('card_1')).toMatchObject({ means: 'result', result: { id: 'card_1' } });
  expect(read('card_2')).toMatchObject({
    means: 'invalid',
    issues: [{ path: 'id', message: rule }],
  });
});

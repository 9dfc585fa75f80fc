import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/contract/endpoint.js';
import { ENDPOINT_BY_ID, ENDPOINTS } from '../../src/contract/endpoints.js';
import type { RetryClass } from '../../src/contract/retry-policy.js';
import { ApiError, OperationRejectedError } from '../../src/errors/index.js';
import { SAMPLE_CALLS } from '../support/calls.js';
import { clientReceiving, json, rejection } from '../support/clients.js';
import { ERROR_FORMS, type ErrorForm, RARER_FORMS, withSentence } from './error-forms.js';

const TEAPOT = 418;

function responseOf({ body, type = 'application/json' }: ErrorForm, status = TEAPOT): Response {
  return json(body, status, { 'content-type': type });
}

async function errorOf(id: string, response: Response): Promise<ApiError> {
  const call = SAMPLE_CALLS.find((one) => one.id === id);
  if (call === undefined) throw new Error(`there is no sample call for ${id}`);
  const error = await rejection(call.invoke(clientReceiving(response)));
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

/** Returns everything that a careless program may print of an error. */
function printed(error: unknown): string {
  const shown = inspect(error, { depth: 12, showHidden: true, getters: true });
  return [shown, JSON.stringify(error), String(error), (error as Error).stack].join('\n');
}

/** The retry class of the sample call, which may ask for a faucet. */
function retryClassOf({ id, retry, retryWhen }: Endpoint): RetryClass {
  const { input } = SAMPLE_CALLS.find((one) => one.id === id) ?? {};
  const isSpecial =
    retryWhen !== undefined &&
    typeof input === 'object' &&
    input !== null &&
    Reflect.get(input, retryWhen.field) === retryWhen.is;
  return (isSpecial ? retryWhen.retry : retry).class;
}

const EVERY = ENDPOINTS.map((endpoint) => ({ id: endpoint.id, endpoint, forms: ERROR_FORMS }));
const withdrawal = ENDPOINT_BY_ID['wallets.credit.withdraw'];

describe.each([
  ...EVERY,
  { id: withdrawal.id, endpoint: withdrawal, forms: RARER_FORMS },
])('an error body for $id', ({ id, endpoint, forms }) => {
  const retryClass = retryClassOf(endpoint);
  it.each(forms)('is read in the form of $name', async (form) => {
    const { serverMessage, serverCode, fieldErrors = [], details = [], isForm = true } = form;
    const error = await errorOf(id, responseOf(form));
    expect(error).toMatchObject({ name: 'ApiError', code: 'api_error', status: TEAPOT });
    expect(error.serverMessage).toBe(serverMessage);
    expect(error.serverCode).toBe(serverCode);
    expect(error.fieldErrors).toEqual(fieldErrors);
    expect(error.details).toEqual(details);
    const isProven = isForm || retryClass !== 'never';
    expect(error.outcome).toBe(isProven ? 'rejected' : 'unknown');
    expect(error.probableOutcome).toBe(isProven ? undefined : 'rejected');
    expect(error.isRetryable).toBe(false);
  });
});

describe('an error body that repeats a secret', () => {
  it.each(ERROR_FORMS)('prints no credential in the form of $name', async (form) => {
    const sentence = 'Token canary-access-token of canary-client-key is odd';
    const error = await errorOf('card.status', responseOf(withSentence(form, sentence)));
    expect(printed(error)).not.toContain('canary');
  });

  it.each([
    ['in an object', { error: { message: 'odd', apiKey: 'whk_new_key' } }],
    ['in JSON text', { message: JSON.stringify({ error: 'odd', apiKey: 'whk_new_key' }) }],
    ['in JSON text after words', { message: 'Failed: {"a":[{"apiKey":"whk_new_key"}]}' }],
    ['in a list after words', { message: 'Failed: [{"apiKey":"whk_new_key"}] and more' }],
    ['in JSON text that is cut off', { message: 'Failed: {"apiKey": "whk_new_key' }],
    ['in a body that is cut off', '{"message":"odd","apiKey":"whk_new_key'],
    ['in plain text with JSON', 'Failed: {"apiKey":"whk_new_key"}'],
    [
      'in JSON text in JSON text',
      { message: JSON.stringify({ error: '{"apiKey":"whk_new_key"}' }) },
    ],
    ['beside a code that repeats it', { code: 'whk_new_key', data: { apiKey: 'whk_new_key' } }],
    ['as a field name', { errors: { whk_new_key: 'odd' }, data: { apiKey: 'whk_new_key' } }],
    [
      'in a JSON pointer',
      { errors: [{ pointer: '#/whk_new/key', detail: 'x' }], apiKey: 'whk_new/key' },
    ],
  ])('prints no value of a secret field %s', async (_, body) => {
    for (const status of [400, 500]) {
      const error = await errorOf('webhooks.rotateKey', json(body, status));
      expect(printed(error)).not.toMatch(/whk_new|new.key/);
    }
  });
});

describe('the code of the service', () => {
  const codeOf = async (code: unknown) =>
    (await errorOf('card.status', json({ message: 'No.', code }, 400))).serverCode;

  it('is visible ASCII with at most 100 characters', async () => {
    expect(await codeOf('x'.repeat(300))).toHaveLength(100);
    expect(await codeOf('A\u001b[31m\u202eB\u200bC')).toBe('A [31m B C');
    expect(await codeOf('\u0000\u0007')).toBeUndefined();
    expect(await codeOf('key canary-client-key')).toBe('key [redacted]');
  });

  it.each([null, true, [], {}, '', '  ', 400, '400'])('is undefined for %j', async (code) => {
    expect(await codeOf(code)).toBeUndefined();
  });

  it('is part of the logged and the printed error', async () => {
    const error = await errorOf('card.status', json({ message: 'No.', code: 'E42' }, 400));
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ serverCode: 'E42' });
    expect(inspect(error)).toContain("serverCode: 'E42'");
    const plain = await errorOf('card.status', json({ message: 'No.' }, 400));
    expect(plain.toJSON()).not.toHaveProperty('serverCode');
  });

  it('is known of a refusal with success: false too', async () => {
    const response = json({ success: false, message: 'Not today', errorCode: 'CLOSED' });
    const error = await rejection(clientReceiving(response).card.freeze());
    expect(error).toBeInstanceOf(OperationRejectedError);
    expect(error).toMatchObject({ code: 'operation_rejected', serverCode: 'CLOSED' });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ serverCode: 'CLOSED' });
    const plain = await rejection(clientReceiving(json({ success: false })).card.freeze());
    expect((plain as OperationRejectedError).toJSON()).not.toHaveProperty('serverCode');
  });
});

describe('an error body inside others', () => {
  it.each([
    [4, 'No.'],
    [5, undefined],
  ])('is read below %i others: %s', async (others, expected) => {
    let body: object = { message: 'No.' };
    for (let level = 0; level < others; level++) body = { error: body };
    const error = await errorOf('card.unfreeze', json(body, 400));
    expect(error.serverMessage).toBe(expected);
  });
});

describe('a long error body', () => {
  const fieldsOf = (field: string, message: string) => ({
    message: 'No.',
    errors: [{ field, message }],
  });
  // Of letters whose case is mixed: a text of one letter could be taken for a secret.
  const long = (length: number) =>
    'Ab '
      .repeat(1_000)
      .slice(0, length - 1)
      .concat('.');

  it.each([
    ['the message', 500, (text: string) => ({ message: text }), 'serverMessage'],
    ['the code', 100, (text: string) => ({ message: 'No.', code: text }), 'serverCode'],
    ['the name of a field', 100, (text: string) => fieldsOf(text, 'wrong'), 'fieldErrors.0.field'],
    [
      'the words about a field',
      300,
      (text: string) => fieldsOf('f', text),
      'fieldErrors.0.message',
    ],
  ])('has %s of %i characters', async (_, length, bodyOf, path) => {
    const exact = await errorOf('card.unfreeze', json(bodyOf(long(length)), 400));
    expect(exact).toHaveProperty(path, long(length));
    const longer = await errorOf('card.unfreeze', json(bodyOf(long(length + 1)), 400));
    expect(longer).not.toHaveProperty(path, long(length + 1));
    expect(longer).toHaveProperty(path, expect.stringMatching(/^Ab /));
  });

  it.each(['fieldErrors', 'details'] as const)('has 50 %s', async (name) => {
    const items = Array.from({ length: 51 }, (_, index) =>
      name === 'details' ? `Reason ${index}.` : { field: `f${index}`, message: 'wrong' },
    );
    const error = await errorOf('card.unfreeze', json({ message: 'No.', errors: items }, 400));
    expect(error[name]).toHaveLength(50);
  });

  it.each(['fieldErrors', 'details'] as const)('has 50 %s of two lists', async (name) => {
    const items = (list: string) =>
      Array.from({ length: 30 }, (_, index) =>
        name === 'details' ? `${list} ${index}.` : { field: `${list}${index}`, message: 'wrong' },
      );
    const body = { message: 'No.', errors: items('e'), details: items('d') };
    const error = await errorOf('card.unfreeze', json(body, 400));
    expect(error[name]).toHaveLength(50);
  });
});

describe('a hostile error body', () => {
  const deep = (depth: number) => `${'{"message":'.repeat(depth)}"end"${'}'.repeat(depth)}`;
  let inText = 'end';
  for (let i = 0; i < 10; i++) inText = JSON.stringify({ message: inText });

  it.each([
    ['objects in message, 5,000 deep', deep(5_000)],
    ['JSON text in message, 10 deep', inText],
    [
      '2,000 refused fields',
      JSON.stringify({ errors: Array(2_000).fill({ field: 'f', message: 'm' }) }),
    ],
    ['10,000 brackets in a text', JSON.stringify({ message: '{['.repeat(10_000) })],
    ['10,000 quotes in a text', JSON.stringify({ message: '":"'.repeat(5_000) })],
    ['a key that changes a prototype', '{"message":"No.","__proto__":{"code":"E1"}}'],
  ])('of %s is read in bounds', async (_, body) => {
    const error = await errorOf('card.unfreeze', json(body, 400));
    expect(error).toMatchObject({ name: 'BadRequestError', serverCode: undefined });
    expect(error.fieldErrors.length).toBeLessThanOrEqual(50);
    expect((error.serverMessage ?? '').length).toBeLessThanOrEqual(500);
  });
});

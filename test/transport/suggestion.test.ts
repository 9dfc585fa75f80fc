import { describe, expect, it } from 'vitest';
import { innerStatus, isStatusOnly, suggestionOf } from '../../src/transport/response/evidence.js';

const suggestion = (data: unknown, ...texts: string[]) => suggestionOf(data, texts);

describe('a body in no documented form suggests', () => {
  it.each<[string, unknown]>([
    ['nothing', { status: 199 }],
    ['success', { status: 200 }],
    ['success', { statusCode: 299 }],
    ['nothing', { status: 300 }],
    ['nothing', { code: 399 }],
    ['failure', { code: 400 }],
    ['failure', { errorCode: 599 }],
    ['nothing', { status: 600 }],
    ['success', { status: '200' }],
    ['failure', { status: ' 404 ' }],
    // A number of four digits is no status, but a code of the service.
    ['failure', { code: '4000' }],
    ['nothing', { status: '4000' }],
    ['success', 'ok'],
    ['failure', '500'],
    ['nothing', '5000'],
    ['success', true],
    ['failure', false],
    ['nothing', null],
    ['nothing', 7],
    ['nothing', 404],
    ['nothing', 'no'],
  ])('%s if it is %j', (expected, data) => {
    expect(suggestion(data)).toBe(expected);
  });

  it.each<[string, unknown]>([
    ['success', { success: 'yes' }],
    ['success', { ok: 1 }],
    ['failure', { success: 0 }],
    ['failure', { OK: 'no' }],
    ['nothing', { ok: 2 }],
    ['failure', { error: 'x' }],
    ['nothing', { error: ' ' }],
    ['nothing', { errors: [] }],
    ['nothing', { errors: {} }],
    ['failure', { errors: ['x'] }],
    ['failure', { error: 0 }],
    ['nothing', { error: false }],
    ['success', { state: 'COMPLETED' }],
    ['success', { result: 'pending' }],
    ['failure', { outcome: 'payment_declined' }],
    ['nothing', { state: 'unfailing' }],
    ['unclear', { success: true, error: 'x' }],
    ['unclear', { status: 200, code: 400 }],
    // Parts of words.
    ['nothing', { status: 'broken' }],
    ['nothing', { status: 'ok so far' }],
    ['nothing', { status: 'failsafe' }],
    ['nothing', { status: 'terror' }],
    ['nothing', { success: 'untrue' }],
    ['nothing', { success: 'true-ish' }],
    ['nothing', { success: 10 }],
    ['nothing', { ok: 'none' }],
    ['nothing', { ok: 100 }],
    ['failure', { error: true }],
    ['success', { data: { success: true } }],
    ['success', { result: { success: true } }],
    ['success', { response: { success: true } }],
    ['success', { body: { success: true } }],
    ['unclear', { error: { success: true } }],
  ])('%s with the words %j', (expected, data) => {
    expect(suggestion(data)).toBe(expected);
  });

  it('what three levels below it say, and nothing deeper', () => {
    expect(suggestion({ data: { result: { response: { status: 500 } } } })).toBe('failure');
    expect(suggestion({ data: { result: { response: { body: { status: 500 } } } } })).toBe(
      'nothing',
    );
    // The message of something else.
    expect(suggestion({ other: { status: 500 } })).toBe('nothing');
  });

  it('nothing clear with a sentence, unless the contract has it as a refusal', () => {
    expect(suggestion({ message: 'Hello.' }, 'Hello.')).toBe('unclear');
    expect(suggestion({}, 'Insufficient balance')).toBe('failure');
  });
});

describe('a body has only words about a request', () => {
  it.each<[unknown, boolean]>([
    [{ message: 'Done', timestamp: 1, path: '/', requestId: 'r' }, true],
    [{ Success: true, Code: 1 }, true],
    [{ message: 'Done', id: 'i' }, false],
    [{ id: 'i', success: false }, true],
    [{ id: 'i', success: true, error: 'x' }, false],
    [{}, false],
    [null, false],
    [[], false],
    ['done', false],
  ])('%j: %s', (data, expected) => {
    expect(isStatusOnly(data)).toBe(expected);
  });
});

it.each([
  ...['status', 'state', 'result', 'outcome', 'code', 'errorCode', 'statusCode', 'success', 'ok'],
  ...['message', 'msg', 'error', 'errors', 'error_code', 'error_description', 'detail', 'details'],
  ...['reason', 'timestamp', 'path', 'requestId', 'isOtpRequired'],
])('the field %s is no result', (name) => {
  expect(isStatusOnly({ [name]: 'a sentence of the service' })).toBe(true);
  expect(isStatusOnly({ [`${name}s2`]: 'a sentence of the service' })).toBe(false);
});

describe('the status of an error body inside a success status is', () => {
  const inner = (data: unknown, isDocumentedForm = true) =>
    innerStatus(data, { isDocumentedForm } as Parameters<typeof innerStatus>[1]);

  it.each([400, 599])('its statusCode: %i', (statusCode) => {
    expect(inner({ statusCode })).toBe(statusCode);
  });

  it.each([399, 600, 400.5, '400', undefined, null])('not the statusCode %j', (statusCode) => {
    expect(inner({ statusCode })).toBeUndefined();
  });

  it('nothing outside the form of an error of the service', () => {
    expect(inner({ statusCode: 400 }, false)).toBeUndefined();
    expect(inner([400])).toBeUndefined();
    expect(inner(null)).toBeUndefined();
  });
});

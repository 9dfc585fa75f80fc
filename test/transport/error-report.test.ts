import { describe, expect, it } from 'vitest';
import { readReport } from '../../src/transport/response/error-report.js';
import { SecretValues } from '../../src/transport/response/redact.js';

const VALID = { name: 'NotFoundError', code: 'card_not_found', outcome: 'rejected' };

/** What a page reads of a report with these fields. */
function read(fields: object): object | undefined {
  const body = { cardPlatformError: { ...VALID, ...fields } };
  const found = readReport(body, new SecretValues([]));
  return found.by === 'service' ? found.report : undefined;
}

type Fields = (text: string) => object;

describe('a report has a text of at most', () => {
  it.each<[number, string, Fields]>([
    [500, 'serverMessage', (text) => ({ serverMessage: text })],
    [100, 'serverCode', (text) => ({ serverCode: text })],
    [100, 'a field', (text) => ({ fieldErrors: [{ field: text, message: 'm' }] })],
    [300, 'the message of a field', (text) => ({ fieldErrors: [{ field: 'f', message: text }] })],
    [300, 'details', (text) => ({ details: [text] })],
    [200, 'requestId', (text) => ({ requestId: text })],
    [200, 'userId', (text) => ({ userId: text })],
    [200, 'phoneNumber', (text) => ({ phoneNumber: text })],
    [200, 'the name of evidence', (text) => ({ evidence: { [text]: 'value' } })],
    [200, 'the value of evidence', (text) => ({ evidence: { name: text } })],
    [300, 'the path of an issue', (text) => ({ issues: [{ path: text, message: 'm' }] })],
    [300, 'the message of an issue', (text) => ({ issues: [{ path: 'p', message: text }] })],
    [60, 'option', (text) => ({ option: text })],
    [60, 'reason', (text) => ({ reason: text })],
    [120, 'transactionId', (text) => ({ transactionId: text })],
  ])('%i characters: %s', (most, _, fields) => {
    expect(read(fields('x'.repeat(most)))).toMatchObject(fields('x'.repeat(most)));
    expect(read(fields('x'.repeat(most + 1)))).toMatchObject(fields('x'.repeat(most)));
  });
});

it.each(['timeoutMs', 'page', 'retryAfterMs'])('a report has a number from 0 on: %s', (name) => {
  expect(read({ [name]: 0 })).toHaveProperty(name, 0);
  expect(read({ [name]: -1 })).not.toHaveProperty(name);
});

it.each([
  ['Ab', false],
  ['Abc', true],
  ['A'.repeat(60), true],
  ['A'.repeat(61), false],
])('a report has the name of a class in 3 to 60 characters: %s', (name, isRead) => {
  expect(read({ name }) !== undefined).toBe(isRead);
});

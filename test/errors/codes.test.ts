import { describe, expect, it } from 'vitest';
import {
  BodyReadError,
  type CardPlatformError,
  ConfigurationError,
  ConnectionError,
  OperationRejectedError,
  PaginationError,
  PollingTimeoutError,
  ProtocolError,
  RedirectError,
  RequestValidationError,
  ResponseTooLargeError,
  ResponseValidationError,
  TimeoutError,
  TlsError,
} from '../../src/errors/index.js';

const facts = { outcome: 'unknown', attempts: 2 } as const;
const refusal = { message: undefined, evidence: {}, isContradicted: false, data: {} };
const refused = { ...facts, code: 'operation_rejected' } as const;
const rules = [
  { path: 'amount', message: 'must be positive' },
  { path: '', message: 'must be an object' },
];

const ERRORS: [CardPlatformError, string, string][] = [
  [
    new ConfigurationError('clientKey', 'clientKey is empty.'),
    'configuration_invalid',
    'clientKey is empty.',
  ],
  [
    new RequestValidationError(rules),
    'request_invalid',
    'the input is not valid (amount: must be positive; input: must be an object).',
  ],
  [
    new ResponseValidationError(200, rules, {}, facts),
    'response_invalid',
    'the response is not usable (amount: must be positive; response: must be an object).',
  ],
  [new ProtocolError({ ...facts, status: 200, message: 'odd.' }), 'response_invalid', 'odd.'],
  [
    new ProtocolError({ ...facts, status: 200, message: 'odd.', code: 'redirect_refused' }),
    'redirect_refused',
    'odd.',
  ],
  [
    new RedirectError(302, 'https://other.example', facts),
    'redirect_refused',
    'a redirect to https://other.example was not followed, because it would receive the credentials. Check baseUrl.',
  ],
  [
    new RedirectError(0, undefined, facts),
    'redirect_refused',
    'a redirect to another address was not followed, because it would receive the credentials. Check baseUrl.',
  ],
  [
    new ResponseTooLargeError(200, 1_048_576, facts),
    'response_too_large',
    'the response exceeds 1048576 bytes.',
  ],
  [
    new BodyReadError(200, facts),
    'body_unreadable',
    'the response body is incomplete or unreadable.',
  ],
  [
    new BodyReadError(200, { ...facts, message: 'there is no body.' }),
    'body_unreadable',
    'there is no body.',
  ],
  [
    new OperationRejectedError(200, { ...refusal, message: 'Not linked' }, refused),
    'operation_rejected',
    'the service responded with success: false. "Not linked"',
  ],
  [
    new OperationRejectedError(200, refusal, refused),
    'operation_rejected',
    'the service responded with success: false.',
  ],
  [
    new OperationRejectedError(200, { ...refusal, isContradicted: true }, refused),
    'operation_rejected',
    'the service responded with success: false, with evidence that it acted.',
  ],
  [new ConnectionError({ ...facts, message: 'it broke.' }), 'connection_failed', 'it broke.'],
  [new ConnectionError({ ...facts, message: 'no.', code: 'tls_failed' }), 'tls_failed', 'no.'],
  [new TlsError({ ...facts, message: 'no trust.' }), 'tls_failed', 'no trust.'],
  [new TimeoutError('body', 500, facts), 'timeout', 'timed out after 500 ms (body).'],
  [
    new PollingTimeoutError(500, 'card.status', { status: 'PENDING' }),
    'timeout',
    'card.status: the expected state was not seen within 500 ms. Only reads were sent: nothing was changed. Check lastValue, and wait again if it helps.',
  ],
  [
    new PaginationError('wallets.history.list', 3, 'page 3 is the same as an earlier page.'),
    'pagination_stuck',
    'wallets.history.list: page 3 is the same as an earlier page. Only reads were sent: nothing was changed.',
  ],
];

describe('every error class', () => {
  it.each(ERRORS)('has its code and its message: %s', (error, code, message) => {
    expect(error.code).toBe(code);
    expect(error.message).toBe(message);
    expect(error.name).toBe(error.constructor.name);
    expect(error.docsUrl.endsWith(`#${code}`)).toBe(true);
  });

  it('serialises the facts that only it has', () => {
    const json = (error: CardPlatformError) => JSON.parse(JSON.stringify(error));
    expect(json(new TimeoutError('body', 500, facts))).toMatchObject({
      phase: 'body',
      timeoutMs: 500,
    });
    expect(json(new RequestValidationError(rules))).toMatchObject({ issues: rules });
    expect(json(new ResponseTooLargeError(200, 1, facts))).toMatchObject({ status: 200 });
    const evidence = { txHash: '0xabc' };
    const contradicted = { ...refusal, evidence, data: { secret: 'value' } };
    const doubtful = new OperationRejectedError(200, contradicted, refused);
    expect(json(doubtful)).toMatchObject({ status: 200, evidence });
    expect(JSON.stringify(doubtful)).not.toContain('value');
    expect(doubtful.data).toEqual({ secret: 'value' });
    expect(Object.isFrozen(doubtful.evidence)).toBe(true);
    const unusable = new ResponseValidationError(201, rules, { secret: 'value' }, facts);
    expect(json(unusable)).toMatchObject({ status: 201, issues: rules });
    expect(JSON.stringify(unusable)).not.toContain('value');
    expect(unusable.data).toEqual({ secret: 'value' });
  });
});

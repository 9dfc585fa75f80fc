import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CardPlatformClient } from '../../src/client.js';
import { next, say } from '../../src/delegation/advice.js';
import {
  AllowanceRacedError,
  ApprovalMismatchError,
  TransactionReplacedError,
} from '../../src/delegation/approval-errors.js';
import { ChainError } from '../../src/delegation/chain-error.js';
import { LimitNotUpdatedError, StateMismatchError } from '../../src/delegation/flow-errors.js';
import { isChainError } from '../../src/delegation/is-chain-error.js';
import { UnsupportedSignatureError, WrongChainError } from '../../src/delegation/wallet-errors.js';
import { call, defineEndpoint } from '../../src/endpoints/index.js';
import {
  CardPlatformError,
  ConfigurationError,
  isApiError,
  isCardPlatformError,
  PaginationError,
  PollingTimeoutError,
  RequestValidationError,
  WebhookVerificationError,
} from '../../src/index.js';
import { isOAuthError, OAuthError } from '../../src/observed/index.js';
import { createErrorResponse } from '../../src/server/index.js';
import { isSessionError, SessionError } from '../../src/sessions/index.js';
import { DelegateInUseError, TokenAccountError } from '../../src/solana/flow/errors.js';
import { sampleCall } from '../support/calls.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { CONTRACT_ROWS } from '../support/contract-rows.js';
import { pageClient, scriptedProxy } from './support.js';

/** The codes of each section of the catalogue. */
const SECTIONS = new Map(
  readFileSync(new URL('../../docs/reference/error-catalogue.md', import.meta.url), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((section) => [
      section.split('\n')[0] ?? '',
      Array.from(section.matchAll(/^### (\w+)$/gm), ([, code = '']) => code),
    ]),
);
const codesOf = (section: string) => SECTIONS.get(section) ?? [];

type Service = () => Response | Error | (() => Response);
/** How the service refuses: the endpoint, and its response. */
type Row = readonly [code: string, id: string, service: Service];

const refusal =
  (status: number, message?: string, more: object = {}) =>
  () =>
    json({ ...(message !== undefined && { message }), ...more }, status, { 'x-request-id': 'r-1' });
const broken = (code: string, syscall: string) => () =>
  Object.assign(new TypeError('fetch failed'), {
    cause: Object.assign(new Error(), { code, syscall }),
  });

const LOGIN = 'auth.login';
/** A response for every code that a response of the service can have. */
const ROWS: readonly Row[] = [
  ...CONTRACT_ROWS.flatMap(({ id, refusals = [] }) =>
    refusals.map(({ code, status, message }): Row => [code, id, refusal(status, message)]),
  ),
  [
    'otp_required',
    LOGIN,
    refusal(400, 'OTP', { isOtpRequired: true, userId: 'u', phoneNumber: '*9' }),
  ],
  ['bad_request', 'card.status', refusal(400, 'No.', { code: 'E1', details: ['One.', 'Two.'] })],
  ['not_authenticated', 'card.status', refusal(401, 'Not authenticated')],
  ['not_authorized', 'card.status', refusal(403, 'Not authorized')],
  ['not_found', 'referral.get', refusal(404, 'Nothing here')],
  ['conflict', 'card.order', refusal(409, 'Busy')],
  [
    'validation_failed',
    'card.createPinToken',
    refusal(422, 'Bad', {
      errors: [{ field: 'customCss.textColor', message: 'must be a colour' }],
    }),
  ],
  ['rate_limited', 'card.order', () => json({ message: 'Slow' }, 429, { 'retry-after': '40' })],
  ['invalid_client_key', 'card.status', refusal(498, 'Who?')],
  ['missing_client_key', 'card.status', refusal(499, 'Who?')],
  ['server_error', 'card.order', refusal(500, 'db-7 is down')],
  ['api_error', 'card.status', refusal(418, 'Teapot')],
  [
    'operation_rejected',
    'wallets.internal.linkToCard',
    () => json({ success: false, message: 'Not today', code: 'E2' }),
  ],
  [
    'operation_rejected',
    'wallets.credit.withdraw',
    () => json({ success: false, message: 'Not today', transactionHash: `0x${'5a'.repeat(32)}` }),
  ],
  ['card_already_frozen', 'card.freeze', refusal(400, 'Card is already frozen')],
  ['card_not_frozen', 'card.unfreeze', refusal(400, 'Card is not frozen')],
  ['card_not_found', 'card.status', refusal(404, 'Card not found')],
  ['user_already_has_card', 'card.order', refusal(400, 'User already has a card')],
  ['card_type_required', 'card.order', refusal(422, 'type field is required')],
  ['insufficient_balance', 'wallets.credit.withdraw', refusal(400, 'Insufficient balance')],
  [
    'insufficient_balance',
    'wallets.internal.withdraw',
    () => json({ success: false, message: 'Insufficient balance' }),
  ],
  ['no_external_wallet', 'wallets.credit.withdraw', refusal(400, 'No external wallet registered')],
  [
    'amount_not_positive',
    'wallets.credit.withdraw',
    refusal(400, 'Amount must be a positive number'),
  ],
  [
    'withdrawals_not_allowed',
    'wallets.credit.withdraw',
    refusal(400, 'Withdrawals are not allowed for this wallet'),
  ],
  [
    'invalid_recipient_address',
    'wallets.internal.withdraw',
    refusal(400, 'Invalid recipient address format'),
  ],
  [
    'invalid_network_or_currency',
    'wallets.internal.create',
    refusal(400, 'Invalid network or currency combination'),
  ],
  [
    'max_linked_wallets',
    'wallets.internal.linkToCard',
    refusal(400, 'Maximum 5 wallets can be linked'),
  ],
  [
    'invalid_evm_address',
    'delegation.submitEvmApproval',
    refusal(400, 'Invalid EVM address format'),
  ],
  [
    'invalid_solana_address',
    'delegation.submitSolanaApproval',
    refusal(400, 'Invalid Solana address format'),
  ],
  ['webhook_not_found', 'webhooks.get', refusal(404, 'Webhook config not found')],
  ['webhook_url_not_https', 'webhooks.update', refusal(400, 'url must be an HTTPS URL')],
  [
    'notification_service_not_configured',
    'webhooks.list',
    refusal(503, 'Notification service is not configured'),
  ],
  [
    'wallet_already_approved',
    'delegation.submitEvmApproval',
    refusal(400, 'Wallet already approved'),
  ],
  ['no_phone_number', 'auth.sendLoginOtp', refusal(400, 'User has no phone number')],
  [
    'custodial_platform_required',
    'wallets.internal.list',
    refusal(400, 'This is only available for custodial platforms'),
  ],
  ['invalid_credentials', LOGIN, refusal(401, 'Invalid email or password')],
  ['invalid_otp', 'auth.login with a code', refusal(400, 'Invalid OTP')],
  ['account_locked', LOGIN, refusal(403, 'Account is locked')],
  ['account_disabled', LOGIN, refusal(403, 'Account is disabled')],
  ['user_not_verified', 'card.order', refusal(403, 'User is not verified')],
  ['webhook_limit_reached', 'webhooks.create', refusal(400, 'Maximum 5 webhooks are allowed')],
  ['consent_set_exists', 'consent.createOnboarding', refusal(409, 'Exists')],
  ['consent_already_linked', 'consent.linkUser', refusal(409, 'Linked')],
  ['consent_set_not_found', 'consent.linkUser', refusal(404, 'Not there')],
  ['no_credit_wallet', 'wallets.credit.get', refusal(404, 'No wallet')],
  ['connection_failed', 'card.order', broken('ECONNREFUSED', 'connect')],
  ['connection_failed', 'card.order', broken('ECONNRESET', 'read')],
  ['tls_failed', 'card.status', broken('CERT_HAS_EXPIRED', 'connect')],
  ['response_invalid', 'card.createPinToken', () => json({ unexpected: true })],
  ['response_too_large', 'card.status', () => json(`"${'x'.repeat(1_100_000)}"`)],
  ['body_unreadable', 'card.status', () => new Response(new Uint8Array([0xff, 0xfe, 0x80]))],
  ['fetch_response_invalid', 'card.status', () => () => ({}) as Response],
  ['redirect_refused', 'card.status', () => new Response(null, { status: 302 })],
];

type Invoke = (client: CardPlatformClient) => PromiseLike<unknown>;

const invokeOf = (id: string): Invoke =>
  id.endsWith(' with a code')
    ? (client) => client.auth.login({ email: 'a@b.co', password: 'x', otpCode: '123456' })
    : (client) => sampleCall(id).invoke(client);

/** Every field by which a program may branch, and every guard. */
const FIELDS = [
  'name',
  'code',
  'outcome',
  'probableOutcome',
  'next',
  'isPage',
  'isJson',
  'status',
  'serverMessage',
  'serverCode',
  'fieldErrors',
  'details',
  'requestId',
  'retryAfterMs',
  'userId',
  'phoneNumber',
  'evidence',
  'issues',
  'phase',
  'timeoutMs',
  'option',
  'reason',
  'transactionId',
  'fields',
  'field',
  'expected',
  'actual',
  'approvedAmount',
  'registeredAmount',
  'accountKind',
  'delegate',
  'delegatedAmount',
  'redirectError',
];

function factsOf(error: unknown) {
  if (!isCardPlatformError(error)) throw error;
  const { code } = error;
  return {
    ...Object.fromEntries(FIELDS.map((name) => [name, Reflect.get(error, name)])),
    isApiError: isApiError(error, code as never),
    isChainError: isChainError(error, code as never),
    isSessionError: isSessionError(error, code as never),
    isOAuthError: isOAuthError(error, code as never),
  };
}

/** What a page must not see of the failure of a server. */
const withoutInternals = (error: unknown) => {
  const facts = factsOf(error);
  return Reflect.get(facts, 'code') === 'server_error'
    ? { ...facts, serverMessage: undefined, serverCode: undefined, details: [] }
    : facts;
};

const isClassOf = (error: unknown, other: unknown) => error instanceof Object(other).constructor;

async function serverError([, id, service]: Row): Promise<CardPlatformError> {
  const { fetch } = scriptedFetch(service() as Response);
  const client = clientFor('https://api.example.com', { fetch, retry: false });
  return (await rejection(invokeOf(id)(client))) as CardPlatformError;
}

/** The error of a page whose server responds with `createErrorResponse`, from a route of its own. */
function throughResponse(error: unknown): Promise<unknown> {
  const page = pageClient(async () => createErrorResponse(error));
  return rejection(page.request('POST', '/session', { body: {} }));
}

describe('every code of the catalogue', () => {
  it('has a row here, whether a response or the client produces it', () => {
    const produced = new Set(ROWS.map(([code]) => code));
    const made = ['configuration_invalid', 'request_invalid', 'timeout', 'journal_failed'];
    const own = [...made, 'pagination_stuck', 'mutation_restored'];
    const service = [...SECTIONS].flatMap(([section, codes]) =>
      /^(?:Webhook|Delegation|Errors of an? (?:session|OAuth))/.test(section) ? [] : codes,
    );
    expect([...produced, ...own].sort()).toEqual([...new Set(service)].sort());
  });

  it.each(ROWS)('reaches a page through createErrorResponse: %s of %s', async (...row) => {
    const error = await serverError(row);
    expect(error.code).toBe(row[0]);
    const seen = await throughResponse(error);
    expect(factsOf(seen)).toEqual(withoutInternals(error));
    expect(isClassOf(seen, error)).toBe(true);
    expect(String(seen)).not.toContain('your server');
  });

  // Their responses have a lasting secret, so no proxy passes them on.
  const proxied = ROWS.filter(([, id]) => !/^(?:auth\.login|webhooks\.create)/.test(id));
  it.each(proxied)('reaches a page through a proxy: %s of %s', async (...row) => {
    const error = await serverError(row);
    const [, id, service] = row;
    const { page, requests } = scriptedProxy(
      [service() as Response],
      { allow: [id] },
      { retry: false },
    );
    const seen = await rejection(invokeOf(id)(page));
    expect(factsOf(seen)).toEqual(withoutInternals(error));
    expect(isClassOf(seen, error)).toBe(true);
    expect(Object(seen).isRetryable).toBe(error.isRetryable);
    expect(String(seen)).not.toContain('your server');
    expect(requests.length).toBe(1);
  });

  const own = defineEndpoint({
    id: 'own.command',
    method: 'POST',
    path: '/v1/own',
    retry: 'never',
    pageAccess: 'allowed',
  });
  it.each(ROWS)('reaches a page from an endpoint of its own: %s of %s', async (...row) => {
    const { fetch } = scriptedFetch(row[2]() as Response);
    const direct = clientFor('https://api.example.com', { fetch, retry: false });
    const expected = await Promise.resolve(call(direct, own, {})).then(
      () => undefined,
      (error: unknown) => error,
    );
    const { page } = scriptedProxy([row[2]() as Response], { endpoints: [own] }, { retry: false });
    const seen = await Promise.resolve(call(page, own, {})).then(
      () => undefined,
      (error: unknown) => error,
    );
    // Without a schema, some of these responses are results.
    if (expected === undefined) expect(seen).toBeUndefined();
    else expect(factsOf(seen)).toEqual(withoutInternals(expected));
  });
});

const made: readonly (readonly [string, Error])[] = [
  ...codesOf('Delegation').map(
    (code) =>
      [
        code,
        new ChainError({
          code: code as never,
          outcome: 'unknown',
          message: 'for the log',
          transactionId: '0xabc',
        }),
      ] as const,
  ),
  ['user_rejected', new ChainError({ code: 'user_rejected', outcome: 'not_sent', message: 'x' })],
  ['approval_mismatch', new ApprovalMismatchError('spender', '0xabc')],
  ['approval_mismatch', new ApprovalMismatchError('transaction', '0xabc')],
  [
    'approval_mismatch',
    new ApprovalMismatchError('amount', '0xabc', { amount: '90', canContinue: true }),
  ],
  [
    'approval_mismatch',
    new ApprovalMismatchError('amount', '0xabc', { amount: '0', canContinue: false }),
  ],
  ['transaction_replaced', new TransactionReplacedError('0xabc')],
  ['allowance_raced', new AllowanceRacedError(5n, 7n, 'executed', '0xabc')],
  ['limit_not_updated', new LimitNotUpdatedError('100', '90', '0xabc')],
  ['state_mismatch', new StateMismatchError(['amount'])],
  ['state_mismatch', new StateMismatchError(['network', 'token.nonce'])],
  ['state_mismatch', new StateMismatchError(['seal'])],
  ['wrong_chain', new WrongChainError('the wallet', '59144', '1')],
  ['unsupported_signature', new UnsupportedSignatureError('a contract', 'eip-1271')],
  ['delegate_in_use', new DelegateInUseError('Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg', 5n)],
  ['token_account_unusable', new TokenAccountError('frozen')],
  [
    'oauth_redirect_error',
    Object.assign(
      new OAuthError({ code: 'oauth_redirect_error', outcome: 'not_sent', message: 'x' }),
      { redirectError: 'access_denied' },
    ),
  ],
  ...codesOf('Errors of a session').map(
    (code) => [code, new SessionError(code as never, { reason: 'refused' as never })] as const,
  ),
  ...codesOf('Errors of an OAuth login').map(
    (code) =>
      [code, new OAuthError({ code: code as never, outcome: 'rejected', message: 'x' })] as const,
  ),
  ...codesOf('Webhook deliveries').map(
    (code) => [code, new WebhookVerificationError(code as never, 'for the log')] as const,
  ),
  ['configuration_invalid', new ConfigurationError('secretKey', 'secretKey is missing.')],
  ['request_invalid', new RequestValidationError([{ path: 'amount', message: 'must be text' }])],
  ['timeout', new PollingTimeoutError(500, 'card.status', { status: 'PENDING' })],
  ['pagination_stuck', new PaginationError('wallets.history.list', 3, 'page 3 came twice.')],
  ...(['journal_failed', 'mutation_restored'] as const).map(
    (code) =>
      [code, new CardPlatformError({ code, outcome: 'not_sent', message: 'for the log' })] as const,
  ),
];

it.each(made)('%s, which no response has, reaches a page with its guard', async (_, error) => {
  const seen = await throughResponse(error);
  expect(factsOf(seen)).toEqual(factsOf(error));
  expect(Object(seen).isRetryable).toBe(Object(error).isRetryable);
  expect([next(seen), say(seen)]).toEqual([next(error), say(error)]);
  expect(String(seen)).not.toMatch(/for the log|your server/);
});

it('a timeout of the server reaches a page with its phase', async () => {
  const fetch = () => new Promise<Response>(() => {});
  const server = clientFor('https://api.example.com', { fetch, timeout: 5, retry: false });
  const error = await rejection(server.card.status());
  const seen = await throughResponse(error);
  // The page does not know that its POST only reads.
  expect(error).toMatchObject({ next: 'retry' });
  expect(factsOf(seen)).toEqual({ ...factsOf(error), next: 'look_up' });
  expect(Object(seen).message).toContain('between the proxy and the service: timed out after 5 ms');
});

describe('a report that is forged, or newer or older than the page', () => {
  const catalogue = new Set([...SECTIONS.values()].flat());
  const seenBy = async (report: unknown, status: number, headers: Record<string, string> = {}) => {
    const body = { message: 'No.', cardPlatformError: report };
    const { fetch, requests } = scriptedFetch(json(body, status, headers));
    const page = pageClient(() => Promise.reject(), { fetch });
    const error = await rejection(page.wallets.credit.withdraw({ amount: '1' }));
    expect(requests.length).toBe(1);
    return error;
  };
  const valid = { name: 'NotFoundError', code: 'card_not_found', outcome: 'rejected', status: 404 };

  it.each([
    { ...valid, code: 'card_on_fire' },
    { ...valid, code: '__proto__' },
    { ...valid, code: 'toString' },
    { ...valid, code: 404 },
    { ...valid, code: ['card_not_found'] },
    { ...valid, outcome: 'done' },
    { ...valid, name: 'not a name' },
    { ...valid, name: undefined },
    { ...valid, name: ['NotFoundError'] },
    'text',
    null,
    [valid],
  ])('leaves an error of the status: %j', async (report) => {
    const error = await seenBy(report, 404);
    expect(error).toMatchObject({ name: 'NotFoundError', code: 'not_found', status: 404 });
    expect(Object(error).outcome).not.toBe('executed');
  });

  it.each([
    [
      'RedirectError',
      'redirect_refused',
      'unknown',
      'a redirect to another address was not followed',
    ],
    [
      'BodyReadError',
      'body_unreadable',
      'unknown',
      'the response body is incomplete or unreadable',
    ],
    ['ResponseTooLargeError', 'response_too_large', 'unknown', 'the response exceeds its limit'],
    ['ResponseValidationError', 'response_invalid', 'unknown', 'the response is not usable'],
    ['ProtocolError', 'fetch_response_invalid', 'unknown', 'the response is not usable.'],
    [
      'OperationRejectedError',
      'operation_rejected',
      'rejected',
      'success: false. The service refused',
    ],
    [
      'OperationRejectedError',
      'operation_rejected',
      'unknown',
      'the service responded with success: false. Money may have moved',
    ],
    ['ConnectionError', 'connection_failed', 'not_sent', 'the connection could not be made.'],
    ['ConnectionError', 'connection_failed', 'unknown', 'the connection failed.'],
    ['TlsError', 'tls_failed', 'not_sent', 'the TLS connection could not be made.'],
    ['TimeoutError', 'timeout', 'unknown', '(headers)'],
    ['TimeoutError', 'timeout', 'rejected', '(headers)'],
    ['PollingTimeoutError', 'timeout', 'rejected', 'the expected state was not seen'],
    ['PaginationError', 'pagination_stuck', 'rejected', 'the server stopped reading pages.'],
    ['RequestValidationError', 'request_invalid', 'not_sent', 'the input is not valid'],
    [
      'ConfigurationError',
      'configuration_invalid',
      'not_sent',
      'the server is not configured for this call.',
    ],
    [
      'WebhookVerificationError',
      'webhook_signature_invalid',
      'not_sent',
      'the server reported webhook_signature_invalid.',
    ],
    [
      'WebhookVerificationError',
      'webhook_signature_invalid',
      'rejected',
      'the server did not accept the delivery.',
    ],
    ['SessionError', 'session_ended', 'not_sent', 'the server reported session_ended.'],
  ] as const)('has its class although it lacks every other field: %s, %s, %s', async (name, code, outcome, words) => {
    const error = await seenBy({ name, code, outcome }, 502);
    expect(error).toMatchObject({ name, code, outcome });
    expect(isCardPlatformError(error)).toBe(true);
    expect(Object(error).message).toMatch(
      /^wallets\.credit\.withdraw: |^the server did not accept/,
    );
    expect(Object(error).message).toContain(words);
    expect(Object(error).message).not.toMatch(/undefined|NaN|null/);
    expect(() => JSON.stringify(error)).not.toThrow();
  });

  it.each([
    ['status', 100, 100],
    ['status', 599, 599],
    ['status', 99, 404],
    ['status', 600, 404],
    ['retryAfterMs', 0, 0],
    ['retryAfterMs', -1, undefined],
    ['retryAfterMs', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ['retryAfterMs', 2 ** 53, undefined],
    ['retryAfterMs', '5', undefined],
  ])('has a number of its range or none: %s %s', async (field, sent, expected) => {
    expect(Object(await seenBy({ ...valid, [field]: sent }, 404))[field]).toBe(expected);
  });

  it('has 50 items of each list, and 10 texts of evidence', async () => {
    const texts = Array.from({ length: 51 }, (_, index) => `${index}.`);
    const fieldErrors = texts.map((field) => ({ field, message: 'wrong' }));
    const error = Object(await seenBy({ ...valid, details: texts, fieldErrors }, 404));
    expect(error.details).toEqual(texts.slice(0, 50));
    expect(error.fieldErrors).toEqual(fieldErrors.slice(0, 50));
    const evidence = Object.fromEntries(texts.slice(0, 11).map((text) => [`hash${text}`, text]));
    const refused = { name: 'OperationRejectedError', code: 'operation_rejected' };
    const acted = await seenBy({ ...refused, outcome: 'unknown', evidence }, 502);
    expect(Object.keys(Object(acted).evidence)).toHaveLength(10);
    const odd = { ...refused, outcome: 'unknown', evidence: { hash: 'a', count: 1, none: null } };
    expect(Object(await seenBy(odd, 502)).evidence).toEqual({ hash: 'a' });
    const list = { ...refused, outcome: 'unknown', evidence: ['a'] };
    expect(Object(await seenBy(list, 502)).evidence).toEqual({});
  });

  it.each([
    ...(['credentials', 'journal', 'middleware', 'connect', 'headers'] as const),
    ...(['body', 'schema', 'backoff', 'polling'] as const),
  ])('has the phase of a timeout: %s', async (phase) => {
    const report = { name: 'TimeoutError', code: 'timeout', outcome: 'unknown', timeoutMs: 7 };
    expect(await seenBy({ ...report, phase }, 502)).toMatchObject({ phase, timeoutMs: 7 });
    expect(await seenBy({ ...report, phase: `${phase}?` }, 502)).toMatchObject({
      phase: 'headers',
    });
  });

  it('keeps its fields within their limits and types', async () => {
    const error = await seenBy(
      {
        ...valid,
        serverMessage: `\u001b[31m${'x'.repeat(10_000)}`,
        fieldErrors: [{ field: 1, message: 'x' }, { field: 'a', message: 'b', more: 1 }, null],
        details: [1, 'one'],
        retryAfterMs: -1,
        requestId: { a: 1 },
        isRetryable: true,
      },
      404,
    );
    const { serverMessage } = error as { serverMessage: string };
    expect(serverMessage.length).toBeLessThanOrEqual(500);
    expect(serverMessage).not.toContain('\u001b');
    expect(error).toMatchObject({
      code: 'card_not_found',
      fieldErrors: [{ field: 'a', message: 'b' }],
      details: ['one'],
      retryAfterMs: undefined,
      requestId: undefined,
    });
  });

  it('never makes a page send a withdrawal again, nor calls that safe', async () => {
    const error = await seenBy({ ...valid, outcome: 'unknown', isRetryable: true }, 502);
    expect(error).toMatchObject({ outcome: 'unknown', isRetryable: false });
  });

  it.each([
    { next: 'retry', outcome: 'unknown', expected: 'look_up' },
    { next: 'retry', outcome: 'executed', expected: 'done' },
    { next: 'show_user', outcome: 'unknown', expected: 'look_up' },
    { next: 'show_user', outcome: 'executed', expected: 'done' },
    { next: 'log_in', outcome: 'unknown', expected: 'log_in' },
    { next: 'resume', outcome: 'unknown', expected: 'resume' },
    { next: 'replace', outcome: 'executed', expected: 'replace' },
    { next: 'contact', outcome: 'rejected', expected: 'contact' },
    { next: 'retry', outcome: 'not_sent', expected: 'retry' },
  ])('names the step after a withdrawal, unless that would send it again: $next, $outcome', async ({
    expected,
    ...report
  }) => {
    const { outcome } = report;
    const final = await seenBy({ ...valid, ...report, isRetryable: false }, 404);
    expect(final).toMatchObject({ outcome, next: expected, isRetryable: false });
  });

  it.each([
    ['not_sent', 'retry', true],
    ['rejected', 'retry', true],
    ['unknown', 'look_up', false],
    ['executed', 'done', false],
  ])('has the step retry exactly where it is retryable: %s', async (outcome, step, isRetryable) => {
    for (const named of ['retry', 'show_user']) {
      const report = { ...valid, outcome, next: named, isRetryable: true };
      expect(await seenBy(report, 404)).toMatchObject({ outcome, next: step, isRetryable });
    }
  });

  it.each([
    undefined,
    'melt',
    1,
    null,
    ['contact'],
    'toString',
    '__proto__',
  ])('leaves the step that follows from its facts: %j', async (step) => {
    expect(await seenBy({ ...valid, next: step }, 404)).toMatchObject({ next: 'show_user' });
    const ended = { name: 'SessionError', code: 'session_ended', outcome: 'not_sent', next: step };
    expect(await seenBy(ended, 401)).toMatchObject({ next: 'log_in' });
  });

  it('says nothing about an earlier request of the page, which may have come further', async () => {
    const report = { ...valid, outcome: 'not_sent', next: 'log_in' };
    const { fetch, requests } = scriptedFetch(
      broken('ECONNRESET', 'read')(),
      json({ message: 'No.', cardPlatformError: report }, 404),
    );
    const error = await rejection(pageClient(() => Promise.reject(), { fetch }).card.freeze());
    expect(requests.length).toBe(2);
    expect(error).toMatchObject({ outcome: 'unknown', next: 'look_up' });
  });

  it('without fields has a sentence for the user, as one of an older server', async () => {
    const report = { name: 'StateMismatchError', code: 'state_mismatch', outcome: 'not_sent' };
    expect(say(await seenBy(report, 502))).toBe(
      'An earlier approval is not finished. Continue that one first, then change it.',
    );
  });

  it('does not replace an outcome that is known by a class with another one', async () => {
    const report = { ...valid, name: 'RequestValidationError', code: 'request_invalid' };
    const error = await seenBy({ ...report, outcome: 'unknown' }, 502);
    expect(error).toMatchObject({ outcome: 'unknown', code: 'request_invalid' });
  });

  it('ends in an error of the catalogue, whatever it is', async () => {
    const field = fc.oneof(fc.jsonValue(), fc.constantFrom(...catalogue, 'unknown', 'executed'));
    const names = ['name', 'code', 'outcome', 'probableOutcome', ...FIELDS];
    const report = fc.dictionary(fc.constantFrom(...names), field);
    const based = report.map((changes) => ({ ...valid, ...changes }));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(based, report, fc.jsonValue()),
        fc.constantFrom(400, 404, 500),
        async (forged, status) => {
          const error = await seenBy(forged, status);
          expect(isCardPlatformError(error)).toBe(true);
          expect(catalogue).toContain(Object(error).code);
          expect(['not_sent', 'rejected', 'unknown', 'executed']).toContain(Object(error).outcome);
        },
      ),
    );
  });
});

describe('the message of a page’s error names who failed', () => {
  it('the service', async () => {
    const { page } = scriptedProxy([refusal(404, 'Card not found')()]);
    expect(String(await rejection(page.card.status()))).toContain('the service responded with 404');
  });

  it('the connection between proxy and service', async () => {
    const { page } = scriptedProxy([broken('ECONNREFUSED', 'connect')()], {}, { retry: false });
    expect(String(await rejection(page.card.status()))).toContain(
      'between the proxy and the service: the connection could not be made',
    );
  });

  it('the proxy', async () => {
    const { page } = scriptedProxy([json({})], { session: () => undefined });
    expect(String(await rejection(page.card.status()))).toContain('the proxy responded with 401');
  });

  it('the proxy, without advice that is for a refusal of the service', async () => {
    const { proxy } = scriptedProxy([]);
    const page = pageClient(proxy, {}, { 'sec-fetch-site': 'cross-site' });
    const error = await rejection(page.card.freeze());
    expect(error).toMatchObject({ code: 'not_authorized', outcome: 'not_sent', next: 'contact' });
    expect(String(error)).toMatch(/the proxy responded with 403: .*Nothing reached the service/);
    expect(String(error)).not.toContain('This user or this client');
    const { page: served } = scriptedProxy([refusal(403, 'Not authorized')()]);
    expect(String(await rejection(served.card.freeze()))).toContain('This user or this client');
  });

  it('something in front of the proxy', async () => {
    const page = pageClient(async () => new Response('<h1>Bad</h1>', { status: 502 }));
    expect(String(await rejection(page.card.freeze()))).toContain(
      'your server (not the service) responded with 502',
    );
  });
});

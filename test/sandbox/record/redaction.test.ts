import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../src/contract/endpoint.js';
import { ENDPOINTS } from '../../../src/contract/endpoints.js';
import { differencesOf } from '../../../src/sandbox/record/differences.js';
import type { Exchange } from '../../../src/sandbox/record/exchange.js';
import { fixtureOf } from '../../../src/sandbox/record/fixture.js';
import { isHarmlessName } from '../../../src/sandbox/record/known-words.js';
import {
  isKeptText,
  mayBeCardNumber,
  Redaction,
} from '../../../src/sandbox/record/redact-value.js';
import { findRecorded, OBSERVED_CALLS } from '../../../src/sandbox/record/routes.js';
import { findRoute } from '../../../src/testing/routing.js';

const newRedaction = () => new Redaction();

function exchangeOf(method: string, path: string, parts: Partial<Exchange> = {}): Exchange {
  return {
    method,
    path,
    query: [],
    request: { headers: {}, body: { kind: 'empty' } },
    response: { status: 200, headers: {}, body: { kind: 'empty' } },
    route: findRoute(method, path),
    ...parts,
  };
}

const json = (value: unknown) => ({ kind: 'json', json: value }) as const;
const response = (value: unknown, status = 200): Exchange['response'] => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: json(value),
});

describe('the fixture of an exchange', () => {
  it('keeps the words, dates, flags and amounts of the contract and replaces the rest', () => {
    const card = {
      id: 'card-77123',
      holderName: 'ADA LOVELACE',
      expiryDate: '2031/04',
      panLast4: '9917',
      status: 'ACTIVE',
      type: 'VIRTUAL',
      orderedAt: '2026-01-31T09:00:00Z',
      isFreezable: true,
    };
    const fixture = fixtureOf(
      exchangeOf('GET', '/v1/card/status', { response: response(card) }),
      newRedaction(),
    );
    expect(fixture.response.body).toEqual({
      id: 'redacted-1',
      holderName: 'redacted-2',
      expiryDate: '2030/01',
      panLast4: '0004',
      status: 'ACTIVE',
      type: 'VIRTUAL',
      orderedAt: '2026-01-31T09:00:00Z',
      isFreezable: true,
    });
  });

  it('replaces a value in the same way wherever it occurs', () => {
    const redaction = newRedaction();
    const id = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
    const first = fixtureOf(
      exchangeOf('POST', '/v1/auth/login', { response: response({ userId: id }) }),
      redaction,
    );
    const second = fixtureOf(
      exchangeOf('PATCH', `/v2/consent/onboarding/${id}`, {
        request: { headers: {}, body: json({ userId: id }) },
      }),
      redaction,
    );
    const { userId } = Object(first.response.body);
    expect(userId).toBe('00000000-0000-4000-8000-000000000001');
    expect(second.request.path).toBe(`/v2/consent/onboarding/${userId}`);
    expect(second.request.body).toEqual({ userId });
  });

  it.each([
    ['100', false],
    ['10', true],
  ])('after the secret %s, keeps it as an amount too: %s', (secret, isKept) => {
    const redaction = newRedaction();
    fixtureOf(
      exchangeOf('GET', '/v1/card/status', { response: response({ cvc: secret }) }),
      redaction,
    );
    const { request } = fixtureOf(
      exchangeOf('POST', '/v1/wallet/credit/withdraw', {
        request: { headers: {}, body: json({ amount: secret }) },
      }),
      redaction,
    );
    // A CVC has three digits. Two occur by chance.
    expect(Object(request.body).amount === secret).toBe(isKept);
  });

  it('keeps the messages that the contract documents and replaces all others', () => {
    const messageOf = (message: string) =>
      Object(
        fixtureOf(
          exchangeOf('POST', '/v1/card/freeze', { response: response({ message }, 400) }),
          newRedaction(),
        ).response.body,
      ).message;
    expect(messageOf('Card is already frozen')).toBe('Card is already frozen');
    expect(messageOf('Card is already frozen by Ada')).toBe('redacted-1');
  });

  it('names the credentials that were sent, and the US header, without any other header', () => {
    const headers = {
      authorization: 'Bearer secret-token',
      'x-client-key': 'key',
      'x-us-env': 'true',
      cookie: 'sid=1',
    };
    const { request } = fixtureOf(
      exchangeOf('GET', '/v1/card/status', { request: { headers, body: { kind: 'empty' } } }),
      newRedaction(),
    );
    expect(request.credentials).toEqual(['x-client-key', 'authorization']);
    expect(request.headers).toEqual({ 'x-us-env': 'true' });
  });

  it.each([
    ['0', true],
    ['9999', true],
    ['10000', false],
    ['-1', false],
    ['Wed, 21 Oct 2026 07:28:00 GMT', false],
  ])('shows the wait that a service asks for, in seconds: %s: %s', (wait, isShown) => {
    const headers = { 'retry-after': wait };
    const { response: shown } = fixtureOf(
      exchangeOf('GET', '/v1/card/status', {
        response: { status: 429, headers, body: { kind: 'empty' } },
      }),
      newRedaction(),
    );
    expect(shown.headers).toEqual(isShown ? headers : {});
  });

  it('hides an access token in a path, also one that consists of words of an API', () => {
    const pathFor = (headers: Exchange['request']['headers']) => {
      const request = { headers, body: { kind: 'empty' } } as const;
      return fixtureOf(exchangeOf('GET', '/v2/test-token', { request }), newRedaction()).request
        .path;
    };
    expect(pathFor({})).toBe('/v2/test-token');
    expect(pathFor({ authorization: 'Bearer test-token' })).toBe('/v2/hidden-name-1');
  });

  it('keeps a documented field only where the contract has it', () => {
    const body = { status: 'ACTIVE', extra: { status: 'ACTIVE', amount: '12.50', id: null } };
    const fixture = fixtureOf(
      exchangeOf('GET', '/v1/card/status', { response: response(body) }),
      newRedaction(),
    );
    expect(fixture.response.body).toEqual({
      status: 'ACTIVE',
      extra: { status: 'redacted-1', amount: 'redacted-2', id: null },
    });
  });

  it('never holds a text that stands anywhere in an exchange with any endpoint', () => {
    const marker = 'pl4nted';
    const place = fc.string().map((text) => `${marker}${text}`);
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        place,
        fc.dictionary(
          fc.oneof(fc.constantFrom('status', 'amount', 'data', 'metadata'), place),
          tie('any'),
          { maxKeys: 4 },
        ),
        fc.array(tie('any'), { maxLength: 3 }),
      ),
    })).any;
    fc.assert(
      fc.property(
        fc.constantFrom<Endpoint>(...ENDPOINTS, ...OBSERVED_CALLS),
        fc.constantFrom(200, 201, 400, 500),
        value,
        value,
        fc.array(fc.tuple(fc.oneof(fc.constantFrom('page', 'walletId'), place), place)),
        place,
        (endpoint, status, sent, received, query, text) => {
          const path = endpoint.path.replace(
            /\{\w+\}/g,
            encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/g, '')),
          );
          const exchange = exchangeOf(endpoint.method, path, {
            query,
            request: { headers: { 'content-type': text, authorization: text }, body: json(sent) },
            response: { status, headers: { 'content-type': text }, body: json(received) },
            route: findRecorded(endpoint.method, path, json(sent), true),
          });
          const redaction = newRedaction();
          const fixture = JSON.stringify(fixtureOf(exchange, redaction));
          const differences = JSON.stringify(differencesOf(exchange, redaction));
          expect(fixture + differences).not.toContain(marker);
        },
      ),
    );
  });
});

describe('the values that a fixture keeps', () => {
  it.each([
    ['status', 'ACTIVE', true],
    ['status', 'SECRETWORD', false],
    ['network', 'linea', true],
    ['amount', '25.50', true],
    ['amount', '100', true],
    ['amount', '482913', false],
    ['amount', '1234', false],
    ['balance', '4929177100836510', false],
    ['createdAt', '2026-01-31T09:00:00Z', true],
    ['createdAt', 'yesterday', false],
    ['dateOfBirth', '1990-01-31', false],
    ['backgroundColor', '#1A2B3C', true],
    ['token', 'ACTIVE', false],
    ['holderName', 'ACTIVE', false],
    ['panLast4', '00', false],
    ['chainId', '59144', true],
    ['chainId', '48291', false],
    ['field', 'txHash', true],
    ['field', 'hunter', false],
    ['amount', '5', true],
    ['amount', '99', true],
    ['amount', '123', false],
    ['amount', '5.5', true],
    ['amount', `5.${'0'.repeat(17)}1`, true],
    ['amount', '123456789012.1', true],
    ['amount', '1234567890123.1', false],
    ['amount', `12${'0'.repeat(16)}`, true],
    ['amount', `12${'0'.repeat(17)}`, false],
    ['chainId', '8453', true],
    ['chainId', '8454', false],
    ['chainId', 'eip155:101', true],
    ['chainId', '102', false],
    ['fontColor', '#ab', false],
    ['fontColor', '#abc', true],
    ['fontColor', '#abcd', true],
    ['fontColor', '#abcde', false],
    ['fontColor', '#abcdef', true],
    ['fontColor', '#abcdef0', false],
    ['fontColor', '#abcdef01', true],
    ['fontColor', '#abcdef012', false],
    [`fontColour${'X'.repeat(40)}`, '#abc', true],
    [`fontColour${'X'.repeat(41)}`, '#abc', false],
    ['expires_in', '60', true],
    ['expires_in', '120', true],
    ['expires_in', '3600', true],
    ['expires_in', '3601', false],
    ['expires_in', '0060', false],
    ['expires_in', '999999960', true],
    ['expires_in', '1000000020', false],
  ])('%s %s: %s', (name, text, isKept) => {
    expect(isKeptText(name, text)).toBe(isKept);
  });

  it.each([
    ['4111111111111111', true],
    ['4111 1111 1111 1111', true],
    ['4.111111111111111', true],
    ['4111111111111112', false],
    ['59185918592', false],
    ['591859185918', true],
    ['5918591859185918598', true],
    ['5918591859185918599', false],
    ['12345678901234567890', true],
  ])('%s may be a card number: %s', (text, mayBe) => {
    expect(mayBeCardNumber(text)).toBe(mayBe);
  });
});

describe('a replacement keeps the form', () => {
  const hexOf = (length: number) => `0x${'a'.repeat(length)}`;
  const zeros = (length: number) => `0x${'1'.padStart(length, '0')}`;
  const nothing = 'redacted-1';

  it.each<[text: string, replacement: string]>([
    ['3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e', '00000000-0000-4000-8000-000000000001'],
    ['3f0e9a521-6f3c-4d59-9d3e-0f6a5c1b2d3e', nothing],
    ['3f0e9a52-6f3c1-4d59-9d3e-0f6a5c1b2d3e', nothing],
    ['3f0e9a52-6f3c-4d591-9d3e-0f6a5c1b2d3e', nothing],
    ['3f0e9a52-6f3c-4d59-9d3e1-0f6a5c1b2d3e', nothing],
    ['3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e1', nothing],
    [hexOf(40), zeros(40)],
    [hexOf(41), nothing],
    [hexOf(64), zeros(64)],
    [hexOf(65), nothing],
    [hexOf(130), zeros(130)],
    [hexOf(131), nothing],
    ['ada@example.org', 'person-1@example.com'],
    ['http://ada.example', 'https://redacted.example/1'],
    ['2031/04', '2030/01'],
    ['20311/04', nothing],
    ['2031/041', nothing],
    ['1815-12-10', '1990-01-01'],
    ['18151-12-10', nothing],
    ['1815-121-10', nothing],
    ['1815-12-101', nothing],
    ['+123456', '+15550000001'],
    ['+12345', nothing],
    [`+1${'2'.repeat(24)}`, '+15550000001'],
    [`+1${'2'.repeat(25)}`, nothing],
    ['7', '1'],
    ['7'.repeat(18), '1'.padStart(18, '0')],
    ['7'.repeat(19), nothing],
    ['Bearer abc', 'Bearer redacted-1'],
  ])('of %s: %s', (text, replacement) => {
    expect(newRedaction().placeholders.replace(text)).toBe(replacement);
  });

  it('but is never the text itself', () => {
    expect(newRedaction().placeholders.replace('1')).toBe(nothing);
    expect(newRedaction().placeholders.replace('1990-01-01')).toBe(nothing);
  });
});

describe('the names that a report shows', () => {
  it.each([
    'rewardTier',
    'reward_tier',
    'event_types',
    'addressLine1',
    'request-id',
    'v2',
  ])('include words of an API: %s', (name) => {
    expect(isHarmlessName(name)).toBe(true);
  });

  it.each([
    'hunter',
    'swordfish',
    'Ada',
    'status-482913',
    'a b',
    '4111111111111111',
    'x@y.z',
    'tokenabc',
  ])('include nothing else: %j', (name) => {
    expect(isHarmlessName(name)).toBe(false);
  });
});

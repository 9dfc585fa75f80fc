import { describe, expect, it } from 'vitest';
import { login } from '../../src/contract/auth.js';
import { cardTransactions } from '../../src/contract/card.js';
import { brokenRules, check } from '../../src/contract/check.js';
import { getDelegationToken } from '../../src/contract/delegation.js';
import {
  anyAddress,
  calendarDay,
  code,
  codeVerifier,
  delegationToken,
  email,
  identifier,
  lowerCaseCode,
  pathId,
  pathIdentifier,
  prefixedUuid,
  solanaAddress,
} from '../../src/contract/fields.js';
import { isDecimal } from '../../src/contract/formats/decimal.js';
import { dropTrailing } from '../../src/contract/formats/trailing.js';
import { isHttpsUrl, isLoopbackHost, isReturnUrl } from '../../src/contract/formats/url.js';
import { getReferral } from '../../src/contract/referral.js';

const pathsOf = (rules: readonly { path: string }[]) => rules.map(({ path }) => path);

describe('the list of broken rules', () => {
  const issue = (path: PropertyKey[]) => ({ message: 'is wrong', path });

  it('has at most fifty entries', () => {
    const issues = Array.from({ length: 60 }, (_, index) => issue([`field${index}`]));
    expect(brokenRules(issues)).toHaveLength(50);
  });

  it('names fields of any length and with any character in printable form', () => {
    const [long] = brokenRules([issue(['x'.repeat(1_000)])]);
    expect(long?.path).toBe('x'.repeat(60));
    const [deep] = brokenRules([issue(Array.from({ length: 100 }, () => 'x'.repeat(1_000)))]);
    expect(deep?.path).toHaveLength(240);
    const [odd] = brokenRules([issue(['ä\n', 0, 'b'])]);
    expect(odd?.path).toBe('??.0.b');
  });

  it('names each unknown key, shortened', () => {
    const rules = check(login.input, {
      email: 'ada@example.com',
      password: 'p',
      ['k'.repeat(100)]: 1,
      other: 2,
    });
    expect(pathsOf(rules)).toEqual(['k'.repeat(60), 'other']);
    expect(rules[0]?.message).toBe('is not a known field');
  });

  it('says that an input must be an object', () => {
    expect(check(login.input, 'text')).toEqual([{ path: '', message: 'must be an object' }]);
    const { 200: answer } = cardTransactions.responses;
    expect(check(answer?.promise ?? login.input, [1])).toEqual([
      { path: '0', message: 'must be an object' },
    ]);
  });
});

describe('rules over several fields', () => {
  it.each([
    [{}, []],
    [{ dateFrom: '2026-01-01', dateTo: '2026-01-02' }, []],
    [{ dateFrom: '2026-01-01' }, ['dateTo']],
    [{ dateTo: '2026-01-01' }, ['dateFrom']],
    [{ dateFrom: '2026-02-28', dateTo: '2026-02-29' }, ['dateTo']],
    [{ dateFrom: '2028-02-29', dateTo: '2028-02-30' }, ['dateTo']],
    [{ dateFrom: '2026-04-31', dateTo: '2026-05-31' }, ['dateFrom']],
  ])('both days or none are required, and the error names the missing one: %j', (input, paths) => {
    expect(pathsOf(check(cardTransactions.input, input))).toEqual(paths);
  });

  it.each([
    [{ address: '0x52908400098527886E0F7030069857D2E4169EE7', network: 'solana' }, []],
    [{ faucet: true, address: 'neither', network: 'linea' }, ['address']],
    [
      { faucet: true, address: '0x52908400098527886E0F7030069857D2E4169EE7', network: 'solana' },
      ['address'],
    ],
    [
      { faucet: true, address: 'So11111111111111111111111111111111111111112', network: 'linea' },
      ['address'],
    ],
    [
      { faucet: true, address: 'So11111111111111111111111111111111111111112', network: 'solana' },
      [],
    ],
  ])('the address must fit the network of the faucet: %j', (input, paths) => {
    expect([...new Set(pathsOf(check(getDelegationToken.input, input)))]).toEqual(paths);
  });
});

describe('limits of formats', () => {
  it('a decimal string has at most 100 characters', () => {
    expect(isDecimal('1'.repeat(100))).toBe(true);
    expect(isDecimal('1'.repeat(101))).toBe(false);
  });

  it.each([
    ['an identifier', 1, 200, identifier],
    ['an identifier in a path', 1, 200, pathIdentifier],
    ['an id in a path', 1, 200, pathId],
    ['an address of any network', 1, 200, anyAddress],
    ['a code', 1, 200, code],
    ['a code in lower case', 1, 200, lowerCaseCode],
    ['a delegation token', 1, 200, delegationToken],
    ['a code verifier', 43, 128, codeVerifier],
  ])('%s has %i to %i characters', (_, least, most, field) => {
    const lengths = [least - 1, least, most, most + 1];
    expect(lengths.map((length) => check(field, 'a'.repeat(length)).length === 0)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('an e-mail address has 254 characters, and 64 before its @', () => {
    const at = (local: number, domain: number) =>
      check(email, `${'a'.repeat(local)}@${'b'.repeat(domain)}.com`);
    expect(at(64, 185)).toEqual([]);
    expect(at(64, 186)).toEqual([{ path: '', message: 'must have at most 254 characters' }]);
    expect(at(65, 10)).toEqual([{ path: '', message: 'must be a valid e-mail address' }]);
  });

  it.each([
    ['', true],
    ['a_', true],
    [`${'a'.repeat(16)}_`, true],
    [`${'a'.repeat(17)}_`, false],
    ['_', false],
  ])('a UUID may have a prefix of 1 to 16 characters: %j', (prefix, isAccepted) => {
    const value = `${prefix}3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e`;
    expect(check(prefixedUuid, value).length === 0).toBe(isAccepted);
  });

  it.each([
    ['2026-01-01', true],
    ['2026-12-31', true],
    ['2026-00-10', false],
    ['2026-13-01', false],
    ['2026-01-00', false],
    ['2026-01-32', false],
  ])('the calendar has the day %s: %s', (day, isDay) => {
    expect(check(calendarDay, day).length === 0).toBe(isDay);
  });

  it('a Solana address has 32 to 44 characters', () => {
    expect(check(solanaAddress, '1'.repeat(32))).toEqual([]);
    expect(check(solanaAddress, '1'.repeat(31))).toHaveLength(1);
    expect(check(solanaAddress, 'So11111111111111111111111111111111111111112')).toEqual([]);
  });

  it('a URL contains neither a user name nor a password', () => {
    expect(isHttpsUrl('https://example.com/')).toBe(true);
    expect(isHttpsUrl('https://ada@example.com/')).toBe(false);
    expect(isHttpsUrl('https://:secret@example.com/')).toBe(false);
    expect(isReturnUrl('https://ada:secret@example.com/')).toBe(false);
    expect(isHttpsUrl(`https://example.com/${'a'.repeat(4096 - 20)}`)).toBe(true);
    expect(isHttpsUrl(`https://example.com/${'a'.repeat(4097 - 20)}`)).toBe(false);
  });

  it('only addresses of this machine are loopback', () => {
    for (const host of ['localhost', '[::1]', '127.0.0.1', '127.1.2.3', '127.255.255.254']) {
      expect(isLoopbackHost(host)).toBe(true);
    }
    const others = ['evil127.0.0.1', '127.0.0.1.evil.example', '128.0.0.1', '127.1000.0.1', ''];
    for (const host of others) expect(isLoopbackHost(host)).toBe(false);
  });

  it('all trailing characters are dropped', () => {
    expect(dropTrailing('a//', '/')).toBe('a');
    expect(dropTrailing('///', '/')).toBe('');
    expect(dropTrailing('', '/')).toBe('');
  });
});

describe('the meaning of a response', () => {
  it.each([
    [{ phase: 'KYC' }, { means: 'result', result: { phase: 'KYC' } }],
    [{ phase: '', isOtpRequired: true, userId: '' }, { means: 'otp-required' }],
    [
      { isOtpRequired: true, userId: 'u', phoneNumber: '***1' },
      { means: 'otp-required', userId: 'u', phoneNumber: '***1' },
    ],
    [{ accessToken: '' }, { means: 'invalid', path: 'accessToken', rule: 'is missing' }],
    [{ accessToken: 't' }, { means: 'result', result: { accessToken: 't' } }],
  ])('a login: %j', (data, reading) => {
    expect(login.interpret?.(data, 200, {})).toEqual(reading);
  });

  it.each([
    [{}, { means: 'result', result: null }],
    [{ code: 'FRIEND' }, { means: 'result', result: { code: 'FRIEND' } }],
    [
      { code: '', cap: 1 },
      { means: 'invalid', path: 'code', rule: 'is missing' },
    ],
  ])('a referral: %j', (data, reading) => {
    expect(getReferral.interpret?.(data, 200, {})).toEqual(reading);
  });
});

import { describe, expect, it } from 'vitest';
import { RequestValidationError } from '../../src/errors/index.js';
import { buildSolanaMessage, type SolanaMessageInput } from '../../src/solana/index.js';
import { changingOnSecondRead } from '../support/signed-message.js';

const INPUT: SolanaMessageInput = {
  domain: 'app.example.com',
  address: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  nonce: '5f1d7a3e9b2c4d6f8a0b1c2d',
  issuedAt: new Date('2026-01-31T09:00:00.000Z'),
};

it('buildSolanaMessage returns readable text with every field that the service checks', () => {
  expect(
    buildSolanaMessage({ ...INPUT, expirationTime: new Date('2026-01-31T09:10:00.000Z') }),
  ).toBe(
    [
      'app.example.com wants you to sign in with your Solana account:',
      '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
      '',
      'Prove address ownership',
      '',
      'URI: https://app.example.com',
      'Version: 1',
      'Nonce: 5f1d7a3e9b2c4d6f8a0b1c2d',
      'Issued At: 2026-01-31T09:00:00.000Z',
      'Expiration Time: 2026-01-31T09:10:00.000Z',
    ].join('\n'),
  );
});

it.each([
  ['localhost:3000', undefined],
  ['localhost:3000', 'http://localhost:3000'],
  ['[::1]:3000', 'http://[::1]:3000/card'],
  ['app.example.com', 'https://APP.example.com:443/card?a=b#c'],
  ['app.example.com:443', 'https://app.example.com'],
])('buildSolanaMessage accepts the host %s with the URI %s', (domain, uri) => {
  expect(buildSolanaMessage({ ...INPUT, domain, uri })).toContain(
    `URI: ${uri ?? `https://${domain}`}\n`,
  );
});

it.each([
  'statement',
  'nonce',
] as const)('buildSolanaMessage accepts a %s of 500 characters, and none of 501', (field) => {
  const build = (length: number) => buildSolanaMessage({ ...INPUT, [field]: 'x'.repeat(length) });
  expect(build(500)).toContain('x'.repeat(500));
  expect(() => build(501)).toThrow(
    expect.objectContaining({ issues: [expect.objectContaining({ path: field })] }),
  );
});

describe('invalid input of buildSolanaMessage', () => {
  const invalid: [string, Partial<SolanaMessageInput>][] = [
    ['domain', { domain: '' }],
    ['domain', { domain: 'https://app.example.com' }],
    ['domain', { domain: 'app.example.com wants more' }],
    ['domain', { domain: 'app.example.com\nevil.example' }],
    ['domain', { domain: 'a'.repeat(501) }],
    ['address', { address: '' }],
    ['address', { address: '0x9D85ca56217D2bb651b00f15e694EB7E713637D4' }],
    ['address', { address: '1'.repeat(33) }],
    ['address', { address: 'z'.repeat(44) }],
    ['nonce', { nonce: '' }],
    ['nonce', { nonce: 'two words' }],
    ['nonce', { nonce: 'one\nIssued At: never' }],
    ['statement', { statement: '' }],
    ['statement', { statement: ' ' }],
    ['statement', { statement: 'one\ntwo' }],
    ['statement', { statement: 'right to \u202E left' }],
    ['statement', { statement: 'half a \ud83d face' }],
    ['uri', { uri: 'app.example.com' }],
    ['uri', { uri: 'https://app.example.com/a b' }],
    ['domain', { domain: 'user@app.example.com' }],
    ['domain', { domain: 'app.example.com:' }],
    ['domain', { domain: 'app.example.com:0' }],
    ['domain', { domain: 'app.example.com:65536' }],
    ['domain', { domain: 'app.example.com/card' }],
    ['domain', { domain: null as unknown as string }],
    ['uri', { uri: 'javascript:alert(1)' }],
    ['uri', { uri: 'app://app.example.com' }],
    ['uri', { uri: 'http://app.example.com' }],
    ['uri', { uri: 'https://evil.example' }],
    ['uri', { uri: 'https://app.example.com:8443' }],
    ['uri', { uri: 'https://app.example.com@evil.example' }],
    ['uri', { uri: 'https://app.example.com\\@evil.example' }],
    ['statement', { statement: 'a\u0007b' }],
    ['expirationTime', { expirationTime: INPUT.issuedAt }],
    ['issuedAt', { issuedAt: new Date(Number.NaN) }],
    ['expirationTime', { expirationTime: new Date('soon') }],
  ];

  it.each(invalid)('is refused with the name of the field %s: %j', (path, changes) => {
    const build = () => buildSolanaMessage({ ...INPUT, ...changes });
    expect(build).toThrow(RequestValidationError);
    expect(build).toThrow(expect.objectContaining({ issues: [expect.objectContaining({ path })] }));
  });

  it.each([null, undefined])('is refused by an error with a type: %s', (input) => {
    expect(() => buildSolanaMessage(input as never)).toThrow(RequestValidationError);
    expect(() => buildSolanaMessage(INPUT, input as never)).not.toThrow();
  });

  it('is read once, so the checked value is the one in the text', () => {
    const changing = changingOnSecondRead(INPUT, { domain: 'evil.example', nonce: 'x\nURI: y' });
    expect(buildSolanaMessage(changing)).toBe(buildSolanaMessage(INPUT));
  });

  it("is accepted with rules: 'siws' where only the strict rules refuse it", () => {
    const app = { ...INPUT, uri: 'app://card', expirationTime: INPUT.issuedAt };
    expect(buildSolanaMessage(app, { rules: 'siws' })).toContain('URI: app://card\n');
    for (const wrong of [{ uri: 'app' }, { domain: 'a b' }, { nonce: '' }]) {
      expect(() => buildSolanaMessage({ ...app, ...wrong }, { rules: 'siws' })).toThrow(
        /not valid/,
      );
    }
  });

  it('never appears in the error', () => {
    const build = () => buildSolanaMessage({ ...INPUT, nonce: 'se cret' });
    expect(build).not.toThrow(/se cret/);
  });
});

import { describe, expect, it } from 'vitest';
import { RequestValidationError } from '../../src/errors/index.js';
import { buildSolanaMessage, type SolanaMessageInput } from '../../src/solana/index.js';

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
  ['[::1]:3000', 'http://[::1]:3000/card'],
  ['app.example.com', 'app://card'],
])('buildSolanaMessage accepts the host %s', (domain, uri) => {
  expect(buildSolanaMessage({ ...INPUT, domain, uri })).toContain(
    `URI: ${uri ?? `https://${domain}`}\n`,
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
    ['issuedAt', { issuedAt: new Date(Number.NaN) }],
    ['expirationTime', { expirationTime: new Date('soon') }],
  ];

  it.each(invalid)('is refused with the name of the field %s: %j', (path, changes) => {
    const build = () => buildSolanaMessage({ ...INPUT, ...changes });
    expect(build).toThrow(RequestValidationError);
    expect(build).toThrow(expect.objectContaining({ issues: [expect.objectContaining({ path })] }));
  });

  it('never appears in the error', () => {
    const build = () => buildSolanaMessage({ ...INPUT, nonce: 'se cret' });
    expect(build).not.toThrow(/se cret/);
  });
});

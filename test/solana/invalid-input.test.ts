import { describe, expect, it } from 'vitest';
import { RequestValidationError } from '../../src/errors/index.js';
import {
  associatedTokenAccount,
  buildSolanaApproval,
  buildSolanaRevoke,
  readDelegation,
  SOLANA_CURRENCIES,
  type SolanaSpendingLimit,
} from '../../src/solana/index.js';
import { walletFromKeypair } from '../../src/solana/wallets/keypair.js';
import { walletFromStandard } from '../../src/solana/wallets/standard.js';

const OWNER = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const INPUT: SolanaSpendingLimit = {
  ...SOLANA_CURRENCIES.usdc,
  owner: OWNER,
  spender: '7C4jsPZpht42Tw6MjXWF56Q5RQUocjBBmciEjDa8HRtp',
  amount: 1n,
};

/** Texts that match the contract's pattern for addresses, or nearly, and are not addresses. */
const NOT_ADDRESSES = [
  '',
  ' ',
  '1'.repeat(31),
  '1'.repeat(33),
  '1'.repeat(44),
  'z'.repeat(44),
  'z'.repeat(32),
  '2'.repeat(43),
  `${OWNER} `,
  OWNER.slice(2),
  `${OWNER}1`,
  OWNER.replace('9', '0'),
  OWNER.replace('W', 'I'),
  OWNER.replace('W', 'O'),
  OWNER.replace('W', 'l'),
  '0x9D85ca56217D2bb651b00f15e694EB7E713637D4',
];

const errorNaming = (path: string) =>
  expect.objectContaining({ code: 'request_invalid', issues: [expect.objectContaining({ path })] });

describe.each([
  'owner',
  'mint',
  'spender',
  'tokenAccount',
] as const)('the %s of a Solana approval', (name) => {
  it.each(NOT_ADDRESSES)('is refused when it is "%s", which is not base58 of 32 bytes', (text) => {
    const build = () => buildSolanaApproval({ ...INPUT, [name]: text });
    expect(build).toThrow(RequestValidationError);
    expect(build).toThrow(errorNaming(name));
  });
});

it.each([
  ['the zero address', '1'.repeat(32)],
  ['the owner', OWNER],
])('%s is refused as the spender of a Solana approval', (_, delegate) => {
  expect(() => buildSolanaApproval({ ...INPUT, spender: delegate })).toThrow(
    errorNaming('spender'),
  );
});

it.each([
  0n,
  -1n,
  2n ** 63n + 1n,
  2n ** 64n - 1n,
  1,
  '1',
  1.5,
  undefined,
  null,
])('the amount %o is refused for a Solana approval', (amount) => {
  const build = () => buildSolanaApproval({ ...INPUT, amount: amount as bigint });
  expect(build).toThrow(errorNaming('amount'));
});

it.each([
  -1,
  256,
  1.5,
  Number.NaN,
  '6',
])('decimals of %o are refused for a Solana approval', (decimals) => {
  const build = () => buildSolanaApproval({ ...INPUT, decimals: decimals as number });
  expect(build).toThrow(errorNaming('decimals'));
});

it.each([0, 255])('decimals of %i are the last byte of a Solana approval', (decimals) => {
  expect(buildSolanaApproval({ ...INPUT, decimals }).data.at(-1)).toBe(decimals);
});

it('a program other than the two token programs is refused', () => {
  const programAddress = '11111111111111111111111111111111';
  for (const build of [
    () => buildSolanaApproval({ ...INPUT, programAddress }),
    () => buildSolanaRevoke({ ...INPUT, programAddress }),
    () => associatedTokenAccount({ ...INPUT, programAddress }),
  ]) {
    expect(build).toThrow(errorNaming('programAddress'));
  }
});

it('a commitment that does not exist is refused before the node is asked', async () => {
  const connection = { getAccountInfo: () => Promise.reject(new Error('the node was asked')) };
  const reading = readDelegation({ ...INPUT, node: connection, commitment: 'certain' as never });
  await expect(reading).rejects.toThrow(errorNaming('commitment'));
});

describe('a Solana wallet', () => {
  it('from a secret key is refused when the key does not have 64 bytes', () => {
    const secretKey = new Uint8Array(32);
    expect(() => walletFromKeypair({ secretKey })).toThrow(errorNaming('secretKey'));
  });

  it.each([
    [
      'accounts',
      { accounts: [], features: { 'solana:signMessage': {}, 'solana:signTransaction': {} } },
    ],
    [
      'the feature to sign messages',
      { accounts: [{ address: OWNER }], features: { 'solana:signTransaction': {} } },
    ],
    [
      'a feature to sign transactions',
      { accounts: [{ address: OWNER }], features: { 'solana:signMessage': {} } },
    ],
  ])('of the wallet standard is refused without %s', (_, wallet) => {
    expect(() => walletFromStandard(wallet)).toThrow(errorNaming('wallet'));
  });
});

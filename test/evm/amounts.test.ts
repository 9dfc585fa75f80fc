import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  amountToBaseUnits,
  baseUnitsToAmount,
  buildApprovalCalls,
  evmNetworksFromChainConfig,
  findEvmToken,
} from '../../src/evm/index.js';
import { baseUnitsToDecimal, decimalToBaseUnits } from '../../src/index.js';
import { buildSolanaApproval, SOLANA_CURRENCIES } from '../../src/solana/index.js';

describe('a token amount', () => {
  it('is unchanged after a conversion to base units and back', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, (1n << 128n) - 1n), fc.nat(36), (units, decimals) => {
        expect(amountToBaseUnits(baseUnitsToAmount(units, decimals), decimals)).toBe(units);
      }),
    );
  });

  it('has the same base units with leading and trailing zeros', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 20n), fc.nat(5), (units, zeros) => {
        const text = baseUnitsToAmount(units, 6);
        const padded = text.includes('.') ? `${text}${'0'.repeat(zeros)}` : text;
        expect(amountToBaseUnits(`${'0'.repeat(zeros)}${padded}`, 6)).toBe(units);
      }),
    );
  });

  it.each([
    ['100.5', 6, 100_500_000n],
    ['5000', 6, 5_000_000_000n],
    ['0.000001', 6, 1n],
    ['1.50', 1, 15n],
    ['1', 0, 1n],
    [baseUnitsToAmount((1n << 128n) - 1n, 6), 6, (1n << 128n) - 1n],
  ] as const)('of %s with %d decimals is %d base units', (amount, decimals, units) => {
    expect(amountToBaseUnits(amount, decimals)).toBe(units);
  });

  it.each([
    ['too many decimals', '1.2345678'],
    ['a value below one base unit', '0.0000005'],
    ['a minus sign', '-1'],
    ['a plus sign', '+1'],
    ['an exponent', '1e3'],
    ['hexadecimal digits', '0x10'],
    ['no digits before the point', '.5'],
    ['no digits after the point', '1.'],
    ['two points', '1.2.3'],
    ['a comma', '1,5'],
    ['a space', ' 1'],
    ['digits other than 0 to 9', '١'],
    ['an empty text', ''],
    ['a value of zero', '0'],
    ['a value of zero with decimals', '0.000000'],
    ['the text NaN', 'NaN'],
    ['the text Infinity', 'Infinity'],
    ['a value of 2^128 base units', baseUnitsToAmount(1n << 128n, 6)],
    ['more than 100 digits', '1'.repeat(101)],
  ])('is refused with %s', (_, amount) => {
    expect(() => amountToBaseUnits(amount, 6)).toThrow(/amount: must be/);
  });

  it.each([
    1,
    1n,
    null,
    undefined,
    {},
  ])('is refused when it is %s, which is not a string', (amount) => {
    expect(() => amountToBaseUnits(amount as unknown as string, 6)).toThrow(/decimal string/);
  });

  it('cannot be made from negative base units', () => {
    expect(() => baseUnitsToAmount(-1n, 6)).toThrow(/negative/);
    expect(() => baseUnitsToAmount(1n << 256n, 6)).toThrow(/below 2\^256/);
    expect(baseUnitsToAmount((1n << 256n) - 1n, 0)).toBe(String((1n << 256n) - 1n));
  });
});

const TOKEN = '0x52908400098527886E0F7030069857D2E4169EE7';
const SPENDER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';
const asset = (decimals: number) => ({
  network: 'base',
  currency: 'usdc',
  networks: { base: { chainId: 8453, tokens: { usdc: { address: TOKEN, decimals } } } },
});

/** Every helper that moves the digits of an amount, or keeps decimals for one that does. */
const HELPERS: [string, (decimals: number) => unknown][] = [
  ['amountToBaseUnits', (decimals) => amountToBaseUnits('1', decimals)],
  ['baseUnitsToAmount', (decimals) => baseUnitsToAmount(1n, decimals)],
  ['decimalToBaseUnits', (decimals) => decimalToBaseUnits('1', decimals)],
  ['baseUnitsToDecimal', (decimals) => baseUnitsToDecimal(1n, decimals)],
  ['findEvmToken', (decimals) => findEvmToken(asset(decimals))],
  [
    'buildApprovalCalls',
    (decimals) => buildApprovalCalls({ ...asset(decimals), spender: SPENDER, amount: '1' }),
  ],
  [
    'buildSolanaApproval',
    (decimals) =>
      buildSolanaApproval({
        ...SOLANA_CURRENCIES.usdc,
        owner: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
        spender: '7C4jsPZpht42Tw6MjXWF56Q5RQUocjBBmciEjDa8HRtp',
        amount: 1n,
        decimals,
      }),
  ],
];
const NOT_DECIMALS = [undefined, null, Number.NaN, Infinity, -1, 6.5, '6', '', 6n, 256];

describe.each(HELPERS)('%s', (_, convert) => {
  it.each(NOT_DECIMALS)('refuses %o as the decimals of a token', (decimals) => {
    expect(() => convert(decimals as number)).toThrow(
      expect.objectContaining({ code: 'request_invalid', outcome: 'not_sent' }),
    );
  });

  it('accepts 6 as the decimals of a token', () => {
    expect(() => convert(6)).not.toThrow();
  });
});

it.each(
  NOT_DECIMALS.filter((decimals) => decimals !== '6'),
)('a token of the chain configuration with %o as its decimals is not used', async (decimals) => {
  const tokens = { usdc: { address: TOKEN, decimals: decimals as number } };
  const entry = { network: 'base', chainId: 8453, delegationContract: TOKEN, tokens };
  const { networks, skipped } = await evmNetworksFromChainConfig({ networks: [entry] });
  expect(networks).toEqual({});
  expect(skipped.map(({ reason }) => reason)).toContain('has no valid value for decimals');
});

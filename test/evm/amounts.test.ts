import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountToBaseUnits, baseUnitsToAmount } from '../../src/evm/index.js';

describe('an amount', () => {
  it('and its base units are each other’s inverse', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, (1n << 128n) - 1n), fc.nat(36), (units, decimals) => {
        expect(amountToBaseUnits(baseUnitsToAmount(units, decimals), decimals)).toBe(units);
      }),
    );
  });

  it('is the same with leading and trailing zeros', () => {
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
  ] as const)('%s with %d decimals is %d base units', (amount, decimals, units) => {
    expect(amountToBaseUnits(amount, decimals)).toBe(units);
  });

  it.each([
    ['too many decimals', '1.2345678'],
    ['too small', '0.0000005'],
    ['a sign', '-1'],
    ['a plus', '+1'],
    ['an exponent', '1e3'],
    ['hex', '0x10'],
    ['no digits before the point', '.5'],
    ['no digits after the point', '1.'],
    ['two points', '1.2.3'],
    ['a comma', '1,5'],
    ['a blank', ' 1'],
    ['other digits', '١'],
    ['nothing', ''],
    ['zero', '0'],
    ['zero with decimals', '0.000000'],
    ['not a number', 'NaN'],
    ['infinity', 'Infinity'],
    ['2^128', baseUnitsToAmount(1n << 128n, 6)],
    ['endless digits', '1'.repeat(101)],
  ])('is refused: %s', (_, amount) => {
    expect(() => amountToBaseUnits(amount, 6)).toThrow(/amount: must be/);
  });

  it.each([1, 1n, null, undefined, {}])('is refused when it is not a string: %s', (amount) => {
    expect(() => amountToBaseUnits(amount as unknown as string, 6)).toThrow(/decimal text/);
  });

  it('is never converted from negative units', () => {
    expect(() => baseUnitsToAmount(-1n, 6)).toThrow(/negative/);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTime, timesOf } from '../../src/journal/entry-times.js';
import { compareAmounts, isSameAmount } from '../../src/journal/same-amount.js';
import { holds } from '../properties/runs.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const AT = 100 * DAY;
const SETTLE_TIME = 5 * MINUTE;

describe('the times of an effect', () => {
  const times = ({ now = AT, clockOffset = undefined as number | undefined, lasts = 0 } = {}) =>
    timesOf({ at: AT, lasts }, { now: () => now, clockOffset }, SETTLE_TIME);

  it('are likely from five minutes before the request to ten minutes after it', () => {
    const { isLikely } = times();
    expect([AT - 5 * MINUTE, AT, AT + 10 * MINUTE].map(isLikely)).toEqual([true, true, true]);
    const others = [AT - 5 * MINUTE - 1, AT + 10 * MINUTE + 1, Number.NaN];
    expect(others.map(isLikely)).toEqual([false, false, false]);
  });

  it('are likely for longer after a call that could take longer', () => {
    const { isLikely } = times({ lasts: 60 * MINUTE });
    expect(isLikely(AT + 70 * MINUTE)).toBe(true);
    expect(isLikely(AT + 70 * MINUTE + 1)).toBe(false);
    expect(isLikely(AT - 5 * MINUTE - 1)).toBe(false);
  });

  it('are possible since a day before the request, and where they cannot be read', () => {
    const { isPossible, earliest } = times();
    expect(earliest).toBe(AT - DAY);
    expect([AT - DAY, AT + 9 * DAY, Number.NaN].map(isPossible)).toEqual([true, true, true]);
    expect(isPossible(AT - DAY - 1)).toBe(false);
  });

  it("are those of the service's clock, but never exclude what ours does not", () => {
    const ahead = times({ clockOffset: 60 * MINUTE });
    expect(ahead.isLikely(AT + 60 * MINUTE)).toBe(true);
    expect(ahead.isLikely(AT)).toBe(false);
    expect(ahead.earliest).toBe(AT - DAY);
    const behind = times({ clockOffset: -60 * MINUTE });
    expect(behind.isLikely(AT - 60 * MINUTE)).toBe(true);
    expect(behind.earliest).toBe(AT - 60 * MINUTE - DAY);
  });

  it.each([
    [SETTLE_TIME - 1, 0, false],
    [SETTLE_TIME, 0, true],
    [SETTLE_TIME, 60 * MINUTE, false],
    [SETTLE_TIME + 60 * MINUTE, 60 * MINUTE, true],
  ])('are over %i ms after a call of %i ms: %s', (age, lasts, isSettled) => {
    expect(times({ now: AT + age, lasts }).isSettled).toBe(isSettled);
  });

  it('are read from texts only', () => {
    expect(readTime('2026-03-01T12:00:00Z')).toBe(Date.UTC(2026, 2, 1, 12));
    for (const value of [undefined, null, 5, new Date(), 'soon', {}, ['2026']]) {
      expect(readTime(value)).toBeNaN();
    }
  });
});

/** The amount in units of 10^-20. */
const unitsOf = (decimal: string) => {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(20, '0'));
};
const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`));
const decimal = fc.oneof(
  digits(12),
  fc.tuple(digits(12), digits(18)).map(([whole, fraction]) => `${whole}.${fraction}`),
);
/** The same amount, written in another way. */
const rewritten = (amount: string) =>
  `000${amount}${amount.includes('.') ? '' : '.'}${'0'.repeat(3)}`;

describe('two amounts', () => {
  it('are the same when their values are, however they are written', () => {
    holds([decimal, decimal], (one, two) => {
      expect(isSameAmount(one, two)).toBe(unitsOf(one) === unitsOf(two));
      expect(isSameAmount(one, rewritten(one))).toBe(true);
      expect(isSameAmount(rewritten(one), one)).toBe(true);
    });
  });

  it.each([
    ['10', '10.0', true],
    ['10', '010', true],
    ['0', '000.000', true],
    ['100', '10', false],
    ['1.01', '1.1', false],
    ['101', '11', false],
    ['0.5', '5', false],
  ])('%s and %s: %s', (one, two, isSame) => {
    expect(isSameAmount(one, two)).toBe(isSame);
    expect(isSameAmount(two, one)).toBe(isSame);
  });

  it.each([undefined, null, 10, '', 'ten', '1e1', '-10', '10,0'])('%s is no amount', (value) => {
    expect(isSameAmount(value, value)).toBe(false);
    expect(isSameAmount(value, '10')).toBe(false);
    expect(compareAmounts(value, '10')).toBe('maybe');
    expect(compareAmounts('10', value)).toBe('maybe');
  });

  // A fee of up to 10 units, or half of the amount, may explain a difference.
  it.each([
    ['10.00', '10', true],
    ['11', '10', 'maybe'],
    ['20', '10', 'maybe'],
    ['20.01', '10', false],
    ['0', '10', 'maybe'],
    ['150', '100', 'maybe'],
    ['50', '100', 'maybe'],
    ['150.01', '100', false],
    ['49.99', '100', false],
  ])('a debit of %s for a request of %s: %s', (debited, requested, result) => {
    expect(compareAmounts(debited, requested)).toBe(result);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameAmount } from '../../src/contract/formats/same-values.js';
import { mayBeIn, readTime, windowOf } from '../../src/journal/entry-window.js';
import type { StoredEntry } from '../../src/journal/stored-entry.js';
import { holds } from '../properties/runs.js';

const MINUTE = 60_000;
const AT = 1_000 * 60 * MINUTE;
const SETTLE_TIME = 5 * MINUTE;
const ENTRY = { id: '1', operation: 'x', at: 0, region: 'us', details: {} } as const;

describe('the window of a request', () => {
  const window = (times: Partial<StoredEntry>) =>
    windowOf({ ...ENTRY, ...times } as StoredEntry, SETTLE_TIME);

  it.each([
    ['no time', {}, [-Infinity, Infinity, Infinity]],
    ['the time before', { since: AT }, [AT - MINUTE, Infinity, Infinity]],
    // A call of a minute, and then the settle time.
    ['the time after', { since: AT, until: AT }, [AT - MINUTE, AT + 7 * MINUTE, AT + 6 * MINUTE]],
    [
      'a long call',
      { until: AT, lasts: 60 * MINUTE },
      [-Infinity, AT + 66 * MINUTE, AT + 65 * MINUTE],
    ],
    [
      'its response',
      { since: AT, doneBy: AT + 1 },
      [AT - MINUTE, AT + 1 + MINUTE, AT + 1 + SETTLE_TIME],
    ],
  ])('with %s', (_, times, [start, end, settledAt]) => {
    expect(window(times)).toEqual({ start, end, settledAt });
  });

  it('includes its ends, and every time that cannot be read', () => {
    const { start, end } = window({ since: AT, until: AT });
    const inside = (time: number) => mayBeIn({ start, end, settledAt: 0 }, time);
    expect([start, end, Number.NaN].map(inside)).toEqual([true, true, true]);
    expect([start - 1, end + 1].map(inside)).toEqual([false, false]);
  });

  it('is compared with times that are texts', () => {
    expect(readTime('2026-03-01T12:00:00Z')).toBe(Date.UTC(2026, 2, 1, 12));
    for (const value of [undefined, null, 5, new Date(), 'soon', {}, ['2026']]) {
      expect(readTime(value)).toBeNaN();
    }
  });

  it.each([
    ['.5', 500],
    ['.123456789', 123],
    ['.1234567890', Number.NaN],
  ])('is compared with times whose seconds have the fraction %j', (fraction, ms) => {
    expect(readTime(`2026-03-01T12:00:00${fraction}Z`)).toBe(Date.UTC(2026, 2, 1, 12, 0, 0, ms));
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
  });
});

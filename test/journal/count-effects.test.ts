import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../src/index.js';
import { decideByCount, type Effect } from '../../src/journal/count-effects.js';
import { timesOf } from '../../src/journal/entry-times.js';
import type { Rivals } from '../../src/journal/rivals.js';
import { compareAmounts } from '../../src/journal/same-amount.js';
import { holds, RUNS } from '../properties/runs.js';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 2, 1);
const SETTLE_TIME = 5 * MINUTE;
const NONE: Rivals = { executed: [], possible: [], open: [], missingUntil: 0, isDone: false };

/** A request as it really went, which the journal does not know. */
type Truth = {
  readonly amount: number;
  /** Minutes before now. */
  readonly age: number;
  /** Minutes until the service acts on it; `undefined` if it never does. */
  readonly actsAfter: number | undefined;
  readonly remembered: 'executed' | 'possible' | 'open';
};

const truth: fc.Arbitrary<Truth> = fc
  .record({
    amount: fc.integer({ min: 9, max: 12 }),
    age: fc.integer({ min: 0, max: 20 }),
    actsAfter: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
    remembered: fc.constantFrom('executed', 'possible', 'open'),
  })
  // A response that was read shows that the service has acted.
  .filter(({ remembered, actsAfter, age }) =>
    remembered === 'executed' ? actsAfter !== undefined && actsAfter <= age : true,
  );

const debitOf = (amount: number, time: number): Effect => ({
  time,
  isOf: (details) => compareAmounts(`${amount}`, details['amount']) === true,
  mayBeOf: (details) => compareAmounts(`${amount}`, details['amount']) !== false,
});

const entryOf = ({ amount, age }: Truth, index: number): JournalEntry => ({
  id: `${index}`,
  operation: 'wallets.credit.withdraw',
  at: NOW - age * MINUTE,
  region: 'global',
  details: { amount: `${amount}` },
});

function decide(entry: JournalEntry, rivals: Partial<Rivals>, shown: readonly Effect[]) {
  const reads = { now: () => NOW, clockOffset: undefined };
  return decideByCount(
    {
      entry,
      rivals: { ...NONE, ...rivals },
      timesOf: (request) => timesOf(request, reads, SETTLE_TIME),
    },
    shown,
  );
}

type Verdict = ReturnType<typeof decide>['verdict'];

/**
 * What `decide` says about the first request of a world, and whether that is true.
 *
 * @param fee - what the service adds to each debit
 * @param foreign - debits that no request of the journal explains
 */
function judge(
  requests: readonly [Truth, ...Truth[]],
  { fee, foreign, isLate }: { fee: number; foreign: readonly Effect[]; isLate: () => boolean },
): { verdict: Verdict; isTrue: boolean } {
  const shown = requests.flatMap(({ amount, age, actsAfter }) => {
    if (actsAfter === undefined || actsAfter > age) return [];
    // Until it is settled, an effect may be missing from the list.
    if (age * MINUTE < SETTLE_TIME && isLate()) return [];
    return [debitOf(amount + fee, NOW - (age - actsAfter) * MINUTE)];
  });
  const [own, ...others] = requests;
  const those = (state: Truth['remembered']) =>
    others
      .map((one, index) => ({ ...entryOf(one, index + 1), ...one }))
      .filter(({ remembered }) => remembered === state);
  const done = (state: 'executed' | 'possible') => those(state).map((one) => ({ ...one, state }));
  const rivals = { executed: done('executed'), possible: done('possible'), open: those('open') };
  const { verdict } = decide(entryOf(own, 0), rivals, [...shown, ...foreign]);
  const lie = own.actsAfter === undefined ? 'executed' : 'not_executed';
  return { verdict, isTrue: verdict !== lie };
}

describe('the verdict is true', () => {
  const worlds = fc.tuple(truth, truth, truth, truth, truth, fc.integer({ min: 0, max: 4 }));
  const late = fc.infiniteStream(fc.boolean());
  const requestsOf = ([own, ...rest]: readonly [Truth, ...unknown[]], count: number) =>
    [own, ...rest.slice(0, count)] as [Truth, ...Truth[]];

  it('whatever the service shows late, and whichever fee it takes', () => {
    const seen = new Set<Verdict>();
    holds(
      [worlds, fc.integer({ min: 0, max: 2 }), late],
      (world, fee, stream) => {
        const isLate = () => stream.next().value === true;
        const found = judge(requestsOf(world, world[5]), { fee, foreign: [], isLate });
        seen.add(found.verdict);
        expect(found.isTrue, found.verdict).toBe(true);
      },
      RUNS * 10,
    );
    // Each verdict was put to the test.
    if (RUNS >= 200) expect(seen.size).toBe(3);
  });

  it('beside debits of other amounts from elsewhere', () => {
    const debit = fc.record({
      amount: fc.integer({ min: 1, max: 30 }),
      age: fc.integer({ min: 0, max: 20 }),
    });
    holds(
      [worlds, fc.array(debit, { maxLength: 3 }), late],
      (world, debits, stream) => {
        const foreign = debits
          .filter(({ amount }) => amount !== world[0].amount)
          .map(({ amount, age }) => debitOf(amount, NOW - age * MINUTE));
        const isLate = () => stream.next().value === true;
        const found = judge(requestsOf(world, world[5]), { fee: 0, foreign, isLate });
        expect(found.isTrue, found.verdict).toBe(true);
      },
      RUNS * 10,
    );
  });
});

describe('requests of one amount', () => {
  const at = (age: number, index = 0) =>
    entryOf({ amount: 10, age, actsAfter: undefined, remembered: 'open' }, index);
  const effect = (age: number, amount = 10) => debitOf(amount, NOW - age * MINUTE);

  it.each([
    ['executed', 'the one effect', {}, [effect(10)]],
    ['not_executed', 'no effect', {}, []],
    ['undecided', 'an effect that a fee may explain', {}, [effect(10, 11)]],
    [
      'not_executed',
      'only the effect of a known request',
      { executed: [{ ...at(10, 1), state: 'executed' }] },
      [effect(10)],
    ],
    [
      'executed',
      'an effect for each request',
      { executed: [{ ...at(10, 1), state: 'executed' }], open: [at(10, 2)] },
      [effect(10), effect(10), effect(10)],
    ],
    ['undecided', 'one effect for two open requests', { open: [at(10, 1)] }, [effect(10)]],
    [
      'undecided',
      'fewer effects than known requests',
      { executed: [{ ...at(10, 1), state: 'executed' }] },
      [],
    ],
    [
      'undecided',
      'an effect that a request without a verdict may have had',
      { possible: [{ ...at(10, 1), state: 'possible' }] },
      [effect(10)],
    ],
    [
      'executed',
      'an effect, and a request without a verdict that is too old for it',
      { possible: [{ ...at(2 * 24 * 60, 1), state: 'possible' }] },
      [effect(10)],
    ],
    [
      'executed',
      'an effect, and a known request that is too old for it',
      { executed: [{ ...at(2 * 24 * 60, 1), state: 'executed' }] },
      [effect(10)],
    ],
    [
      'executed',
      'its own effect, beside the one of a known request of a similar amount',
      { executed: [{ ...at(10, 1), details: { amount: '11' }, state: 'executed' }] },
      [effect(10), effect(10, 11)],
    ],
    [
      'undecided',
      'an effect that a fee may make the one of a known request of a similar amount',
      { executed: [{ ...at(10, 1), details: { amount: '9' }, state: 'executed' }] },
      [effect(10), effect(10, 11)],
    ],
    [
      'undecided',
      'an effect that a known request cannot have had, because it is hours later',
      { executed: [{ ...at(6 * 60, 1), state: 'executed' }] },
      [effect(10)],
    ],
    [
      'executed',
      'an effect, and an open request of two days later',
      { open: [at(-2 * 24 * 60, 1)] },
      [effect(10)],
    ],
    [
      'undecided',
      'an effect, while a damaged entry may be of any request',
      { open: [{ ...at(10, 1), operation: 'unreadable', at: 0, details: {} }] },
      [effect(10)],
    ],
    [
      'undecided',
      'an effect, while requests of the day are missing',
      { missingUntil: NOW - 24 * 60 * MINUTE },
      [effect(10)],
    ],
    [
      'executed',
      'an effect, while older requests are missing',
      { missingUntil: NOW - 3 * 24 * 60 * MINUTE },
      [effect(10)],
    ],
  ] as const)('%s: %s', (verdict, _, rivals: Partial<Rivals>, shown) => {
    expect(decide(at(10), rivals, shown).verdict).toBe(verdict);
  });

  it('are undecided without an effect until they are settled', () => {
    expect(decide(at(4), {}, []).verdict).toBe('undecided');
    expect(decide(at(5), {}, []).verdict).toBe('not_executed');
  });
});

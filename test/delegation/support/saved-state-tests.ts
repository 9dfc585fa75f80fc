import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DelegationResult } from '../../../src/delegation/options.js';
import type { DelegationState } from '../../../src/delegation/state.js';
import { RUNS } from '../../properties/runs.js';
import { type Books, judge, type Verdict } from './judge.js';
import { changed, hostile, impossible } from './mutations.js';

/** A delegation that was done once on a real chain, and a way to resume it from any state. */
export type DelegatedOnce = {
  books: Books;
  /** Every state that the flow saved, oldest first. */
  states: DelegationState[];
  result: DelegationResult;
  /** Sets the platform back: it knows the wallet, or does not know it yet. */
  back(isRegistered: boolean): void;
  resume(state: unknown): Promise<DelegationResult>;
};

/** What holds for saved states on every kind of chain. */
export function describeSavedStates(
  setUp: () => Promise<DelegatedOnce>,
  otherChain: () => Promise<readonly DelegationState[]>,
): void {
  let once: DelegatedOnce;

  beforeAll(async () => {
    once = await setUp();
  });

  const end = (state: unknown, isRegistered: boolean) => {
    once.back(isRegistered);
    return judge(once.books, () => once.resume(state));
  };
  const refusal = async (state: unknown): Promise<readonly string[]> => {
    once.back(false);
    const error = await once.resume(state).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'StateMismatchError', outcome: 'not_sent' });
    return (error as { fields: string[] }).fields;
  };

  describe('a saved state that was not changed', () => {
    it('ends with a proof where the service does not have the wallet', async () => {
      for (const state of once.states) expect(await end(state, false)).toBe('proven');
    });

    it('never counts as changed where the service has the wallet meanwhile', async () => {
      for (const state of once.states) {
        const verdict = await end(state, true);
        // An early state holds a token that is spent by now: the service says so.
        expect(state.proof === undefined ? ['failed', 'proven'] : ['proven']).toContain(verdict);
      }
    });

    it('is read once, field by field', async () => {
      const reads = new Map<string, number>();
      once.back(false);
      const state = once.states.find(({ message, approval }) => message && approval);
      await once.resume(watched(state, '', reads));
      expect(reads.get('.message.text')).toBe(1);
      expect([...reads.values()].every((count) => count === 1)).toBe(true);
    });
  });

  describe('a saved state that was changed', () => {
    it('is refused unused, fails with a typed error, or ends with a proof', async () => {
      const ends: Record<Verdict, number> = { refused: 0, failed: 0, proven: 0 };
      await fc.assert(
        fc.asyncProperty(
          hostile(once.states, await otherChain()),
          fc.boolean(),
          async ({ state }, isRegistered) => {
            ends[await end(state, isRegistered)]++;
          },
        ),
        { numRuns: Math.ceil(RUNS / 2) },
      );
      // Each of the three ways was taken.
      expect(Math.min(...Object.values(ends))).toBeGreaterThan(0);
    }, 1_200_000);

    it('is refused with the name of an impossible field', async () => {
      for (const state of once.states) {
        for (const [path, value, wrong] of impossible(state)) {
          const [field = ''] = await refusal(wrong);
          const isNamed =
            path.startsWith(field) || field.startsWith(path) || path.startsWith('request');
          expect(isNamed, `${path} = ${String(value).slice(0, 9)}: ${field}`).toBe(true);
        }
      }
    });

    it('is refused for an unknown field, wherever it is', async () => {
      const state = once.states.find(({ message, approval }) => message && approval);
      for (const path of ['', 'request', 'token', 'message', 'approval', 'notes']) {
        const holder = path === '' ? [] : [path];
        const wrong = changed(state, [...holder, 'extra'], (inside) => {
          inside['extra'] = '1';
        });
        expect(await refusal(wrong)).toEqual([[...holder, 'extra'].join('.')]);
      }
    });

    it('does not show unusual field names in the error', async () => {
      const state = { ...once.states.at(-1), 'token\nsecret value': 1 };
      expect(await refusal(state)).toEqual(['resume']);
    });

    it('is refused when it is of another wallet', async () => {
      const [other] = await otherChain();
      expect(await refusal(other)).not.toEqual([]);
    });
  });

  describe('a saved state that says "done"', () => {
    const done = () => once.states.at(-1);

    it.each([
      'accepted',
      'already-approved',
      'found-in-wallets',
    ])('with %s is only a claim: the service is asked', async (proof) => {
      expect(done()?.proof).toBe('accepted');
      for (const isRegistered of [true, false]) {
        const before = once.books.mock.requests.length;
        expect(await end({ ...done(), proof }, isRegistered)).toBe('proven');
        expect(once.books.mock.requests[before]).toMatchObject({
          operation: 'wallets.external.list',
          status: 200,
        });
      }
    });

    it('fails where the approval is not on the chain, whatever the service knows', async () => {
      const approval = { status: 'verified', transactionId: unknownId(done()) };
      const forged = { ...done(), approval, notes: {} };
      expect(await end(forged, true)).toBe('failed');
      expect(await end(forged, false)).toBe('failed');
    });

    it.each([
      ['no approval', undefined],
      ['an approval that was not verified', 'sent'],
    ])('is refused with %s', async (_, status) => {
      const state = done();
      const approval = status && { ...state?.approval, status };
      expect(await refusal({ ...state, approval })).toEqual(['approval']);
    });
  });
}

/** An id of the right form that no chain knows. */
function unknownId(state: DelegationState | undefined): string {
  const id = state?.approval?.transactionId ?? '';
  return id.startsWith('0x')
    ? `0x${'12'.repeat(32)}`
    : `${id.slice(0, -8)}${[...id.slice(-8)].reverse().join('')}`;
}

/** The same value, with a count of how often each of its fields was read. */
function watched<T>(value: T, path: string, reads: Map<string, number>): T {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(holder, name) {
      const inner = `${path}.${String(name)}`;
      reads.set(inner, (reads.get(inner) ?? 0) + 1);
      return watched(Reflect.get(holder, name), inner, reads);
    },
  });
}

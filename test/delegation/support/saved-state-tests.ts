import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DelegationResult } from '../../../src/delegation/options.js';
import type { DelegationState } from '../../../src/delegation/state.js';
import { RUNS } from '../../properties/runs.js';
import { copyWithChange, mutatedState, resealed, statesWithImpossibleValues } from './mutations.js';
import { type FlowEnvironment, type ResumeResult, resumeAndCheck } from './resume-and-check.js';

/** A delegation that was completed on a real chain, and a way to resume it from any state. */
export type CompletedDelegation = {
  environment: FlowEnvironment;
  /** Every state that the flow saved, oldest first. */
  states: DelegationState[];
  result: DelegationResult;
  /** Resets the platform to just before or just after it registered the wallet. */
  resetPlatform(isRegistered: boolean): void;
  resume(state: unknown): Promise<DelegationResult>;
};

/** Declares the tests of saved states, which are the same for every kind of chain. */
export function describeSavedStates(
  setUp: () => Promise<CompletedDelegation>,
  statesOfOtherWallet: () => Promise<readonly DelegationState[]>,
): void {
  let completed: CompletedDelegation;

  beforeAll(async () => {
    completed = await setUp();
  });

  const resumeFrom = (state: unknown, isRegistered: boolean) => {
    completed.resetPlatform(isRegistered);
    return resumeAndCheck(completed.environment, () => completed.resume(state));
  };
  const refusedFields = async (state: unknown): Promise<readonly string[]> => {
    completed.resetPlatform(false);
    const error = await completed.resume(state).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'StateMismatchError', outcome: 'not_sent' });
    return (error as { fields: string[] }).fields;
  };

  describe('resuming from an unchanged saved state', () => {
    it('registers the wallet when the service does not have it yet', async () => {
      for (const state of completed.states) expect(await resumeFrom(state, false)).toBe('proven');
    });

    it('is never refused when the service already has the wallet', async () => {
      for (const state of completed.states) {
        const result = await resumeFrom(state, true);
        // An early state holds a token that has been used since then, so the service refuses it.
        expect(state.proof === undefined ? ['failed', 'proven'] : ['proven']).toContain(result);
      }
    });

    it('reads each field of the state exactly once', async () => {
      const reads = new Map<string, number>();
      completed.resetPlatform(false);
      const state = completed.states.find(({ message, approval }) => message && approval);
      await completed.resume(countReads(state, '', reads));
      expect(reads.get('.message.text')).toBe(1);
      expect([...reads.values()].every((count) => count === 1)).toBe(true);
    });
  });

  describe('resuming from a modified saved state', () => {
    it('is refused without side effects, fails with a typed error, or ends with a real proof', async () => {
      const counts: Record<ResumeResult, number> = { refused: 0, failed: 0, proven: 0 };
      await fc.assert(
        fc.asyncProperty(
          mutatedState(completed.states, await statesOfOtherWallet()),
          fc.boolean(),
          async ({ state }, isRegistered) => {
            counts[await resumeFrom(state, isRegistered)]++;
          },
        ),
        // About 7 of 100 states end in the rarest of the three results.
        { numRuns: Math.max(200, Math.ceil(RUNS / 2)) },
      );
      expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
    }, 1_200_000);

    it('is refused with the name of the field that has an impossible value', async () => {
      for (const state of completed.states) {
        for (const [path, value, wrong] of statesWithImpossibleValues(state)) {
          const [field = ''] = await refusedFields(wrong);
          const isNamed =
            path.startsWith(field) || field.startsWith(path) || path.startsWith('request');
          expect(isNamed, `${path} = ${String(value).slice(0, 9)}: ${field}`).toBe(true);
        }
      }
    });

    it('is refused with the path of an unknown field at any depth', async () => {
      const state = completed.states.find(({ message, approval }) => message && approval);
      for (const path of ['', 'request', 'token', 'message', 'approval', 'notes']) {
        const holder = path === '' ? [] : [path];
        const wrong = copyWithChange(state, [...holder, 'extra'], (inside) => {
          inside['extra'] = '1';
        });
        expect(await refusedFields(resealed(wrong))).toEqual([[...holder, 'extra'].join('.')]);
      }
    });

    it('fails with an error that does not contain unusual field names', async () => {
      const state = { ...completed.states.at(-1), 'token\nsecret value': 1 };
      expect(await refusedFields(state)).toEqual(['resume']);
    });

    it('is refused when the state belongs to another wallet', async () => {
      const [other] = await statesOfOtherWallet();
      expect(await refusedFields(other)).not.toEqual([]);
    });
  });

  describe('resuming from a saved state that claims to be complete', () => {
    const completedState = () => completed.states.at(-1);

    it.each([
      'accepted',
      'already-approved',
      'found-in-wallets',
    ])('checks the list of wallets of the service when the claim is %s', async (proof) => {
      expect(completedState()?.proof).toBe('accepted');
      for (const isRegistered of [true, false]) {
        const before = completed.environment.mock.requests.length;
        expect(await resumeFrom(resealed({ ...completedState(), proof }), isRegistered)).toBe(
          'proven',
        );
        expect(completed.environment.mock.requests[before]).toMatchObject({
          operation: 'wallets.external.list',
          status: 200,
        });
      }
    });

    it('fails when the approval is not on the chain, even if the service has the wallet', async () => {
      const approval = { status: 'verified', transactionId: unknownId(completedState()) };
      const forged = resealed({ ...completedState(), approval, notes: {} });
      expect(await resumeFrom(forged, true)).toBe('failed');
      expect(await resumeFrom(forged, false)).toBe('failed');
    });

    it.each([
      ['no approval', undefined],
      ['an approval that was not verified', 'sent'],
    ])('is refused when the state has %s', async (_, status) => {
      const state = completedState();
      const approval = status && { ...state?.approval, status };
      expect(await refusedFields({ ...state, approval })).toEqual(['approval']);
    });
  });
}

/** Returns a well-formed transaction id that is on no chain. */
function unknownId(state: DelegationState | undefined): string {
  const id = state?.approval?.transactionId ?? '';
  return id.startsWith('0x')
    ? `0x${'12'.repeat(32)}`
    : `${id.slice(0, -8)}${[...id.slice(-8)].reverse().join('')}`;
}

/** Wraps a value so that `reads` counts how often each field is read. */
function countReads<T>(value: T, path: string, reads: Map<string, number>): T {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(holder, name) {
      const inner = `${path}.${String(name)}`;
      reads.set(inner, (reads.get(inner) ?? 0) + 1);
      return countReads(Reflect.get(holder, name), inner, reads);
    },
  });
}

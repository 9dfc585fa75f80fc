import {
  type DelegationProgress,
  type DelegationState,
  delegationStateOf,
} from '../../src/evm/index.js';

export const STARTS_AT = Date.UTC(2026, 0, 1, 12);

/** What the scripted scenes of both chains share: a service, and a clock that only waits move. */
export function openWorld() {
  const clock = { now: STARTS_AT, waits: [] as number[] };
  const due: { at: number; work: () => void }[] = [];
  const prompts: string[] = [];
  const progress: DelegationProgress[] = [];
  const proofs: Record<string, unknown>[] = [];
  const tokens = { issued: 0 };
  return {
    clock,
    /** What the user was asked for, in order. */
    prompts,
    progress,
    /** What the service received. */
    proofs,
    tokens,
    async getToken() {
      tokens.issued++;
      return { token: `token-${tokens.issued}`, nonce: `nonce0000${tokens.issued}` };
    },
    runtime: {
      now: () => clock.now,
      async sleep(milliseconds: number, signal?: AbortSignal) {
        if (signal?.aborted) return;
        clock.waits.push(milliseconds);
        clock.now += milliseconds;
        for (const one of [...due]) {
          if (one.at > clock.now) continue;
          due.splice(due.indexOf(one), 1);
          one.work();
        }
      },
    },
    /** Does something once this much time has passed. */
    after: (milliseconds: number, work: () => void) =>
      due.push({ at: clock.now + milliseconds, work }),
    countOf: (prompt: string) => prompts.filter((one) => one === prompt).length,
  };
}

/** A state as a page reads it from storage. */
export function afterReload(state: DelegationState | undefined): DelegationState | undefined {
  return state && (JSON.parse(JSON.stringify(state)) as DelegationState);
}

/** The error of a flow that must fail, and the state that a page would save. */
export async function failureOf(flow: Promise<unknown>) {
  const error: unknown = await flow.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, state: afterReload(delegationStateOf(error)) };
}

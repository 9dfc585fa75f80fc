import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { updateState } from '../../src/delegation/state.js';
import {
  type DelegationState,
  delegateEvm,
  type EvmDelegationOptions,
} from '../../src/evm/index.js';
import { delegateSolana, type SolanaDelegationOptions } from '../../src/solana/index.js';
import { RUNS } from '../properties/runs.js';
import { setUpWallet } from '../testing/wallets/support.js';
import { copyWithChange, pathsOf, valueAt } from './support/mutations.js';

type Kind = 'evm' | 'solana';
type Changes = {
  onProgress?: (event: { state: DelegationState }) => void;
  resume?: DelegationState;
};

/** One user with a wallet, and every state that one delegation of it saved. */
async function delegated(kind: Kind, amount: string, isFirst = true) {
  const scene = await setUpWallet();
  if (!isFirst) {
    // The same platform would issue the same token for the same wallet at the same time.
    await scene.client.delegation.getToken();
    scene.mock.advance('1 minute');
  }
  const states = new Map<string, DelegationState>();
  const run = (changes: Changes) =>
    kind === 'evm'
      ? delegateEvm({ ...scene.evmOptions, amount, ...changes } as EvmDelegationOptions)
      : delegateSolana({ ...scene.solanaOptions, amount, ...changes } as SolanaDelegationOptions);
  const start = scene.mock.snapshot();
  await run({
    onProgress: ({ state }) => {
      const text = JSON.stringify(state);
      states.set(text, JSON.parse(text) as DelegationState);
    },
  });
  const { mock, wallet } = scene;
  return {
    states: [...states.values()],
    /** Resumes, and returns the error and what the service, the chain and the wallet noticed. */
    async resume(state: unknown) {
      mock.restore(start);
      const before = [mock.requests.length, wallet.prompts.length];
      const error = await run({ resume: state as DelegationState }).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      const noticed = [mock.requests.length, wallet.prompts.length];
      const posts = mock.requests.slice(before[0]).filter(({ method }) => method === 'POST');
      return {
        error,
        noticed: noticed.map((count, index) => count - (before[index] ?? 0)),
        submitted: posts.flatMap(({ body }) => Object.values(Object(body))),
      };
    },
  };
}

/** A field, and the value that it has in another state. */
type Swap = { path: string[]; state: DelegationState; other: DelegationState };

function swapsOf(states: readonly DelegationState[], others: readonly DelegationState[]) {
  const ownStates = fc.constantFrom(...states);
  return fc
    .tuple(ownStates, fc.constantFrom(...states, ...others))
    .map(([state, other]): Swap[] =>
      [...new Set([...pathsOf(state), ...pathsOf(other)].map((path) => path.join(' ')))]
        .map((path) => ({ path: path.split(' '), state, other }))
        .filter(
          ({ path }) =>
            // The order of the fields of an object has no meaning.
            JSON.stringify(valueAt(state, path)) !== JSON.stringify(valueAt(other, path)),
        ),
    )
    .filter((swaps) => swaps.length > 0)
    .chain((swaps) => fc.constantFrom(...swaps));
}

function swapped({ path, state, other }: Swap): unknown {
  const value = valueAt(other, path);
  return copyWithChange(state, path, (holder) => {
    if (value === undefined) delete holder[path.at(-1) ?? ''];
    else holder[path.at(-1) ?? ''] = structuredClone(value);
  });
}

const GROUPS = ['request', 'faucetAsked', 'faucetExpected', 'token', 'message', 'approval'];
const NAMES = [...GROUPS, 'notes', 'proof', 'seal'];

describe.each<Kind>(['evm', 'solana'])('a saved %s state', (kind) => {
  it('in which one field was swapped reaches neither the service nor the wallet', async () => {
    const own = await delegated(kind, '100.5');
    const other = await delegated(kind, '7', false);
    const tried = new Set<string>();
    await fc.assert(
      fc.asyncProperty(swapsOf(own.states, other.states), async (swap) => {
        const state = swapped(swap);
        // A field of an object that the state does not have changes nothing.
        if (JSON.stringify(state) === JSON.stringify(swap.state)) return;
        const { error, noticed } = await own.resume(state);
        expect(noticed).toEqual([0, 0]);
        expect(error).toMatchObject({ code: 'state_mismatch', outcome: 'not_sent' });
        const { fields } = error as { fields: string[] };
        const [group = ''] = swap.path;
        tried.add(group);
        // Fields that contradict each other may be named by the one or by the other.
        const isNamed = fields.some((field) => field.split('.')[0] === group);
        const isOfRequest =
          group === 'request' || fields.some((one) => NAMES.includes(one.split('.')[0] ?? ''));
        expect(isNamed || isOfRequest, `${swap.path.join('.')}: ${fields}`).toBe(true);
      }),
      { numRuns: Math.max(400, RUNS) },
    );
    const expected = ['token', 'message', 'approval', 'proof', 'seal', 'request'];
    expect([...tried]).toEqual(expect.arrayContaining(expected));
  }, 120_000);

  it('names the group of the field that was swapped', async () => {
    const own = await delegated(kind, '100.5');
    const other = await delegated(kind, '7', false);
    const whole = (states: readonly DelegationState[]) =>
      states.find(({ token, message, approval }) => token && message && approval?.transactionId);
    const [state, foreign] = [whole(own.states), whole(other.states)];
    if (state === undefined || foreign === undefined) throw new Error('no state is whole');
    for (const path of [
      ['token', 'token'],
      ['token', 'nonce'],
      ['token', 'requestedAt'],
      ['message', 'text'],
      ['message', 'signature'],
      ['approval', 'transactionId'],
    ]) {
      const change = swapped({ path, state, other: foreign });
      if (JSON.stringify(change) === JSON.stringify(state)) continue;
      const { error, noticed } = await own.resume(change);
      expect(noticed).toEqual([0, 0]);
      const { fields } = error as { fields: string[] };
      // The notes of a Solana state hold the transaction too.
      const names = [path[0], ...(path[0] === 'approval' ? ['notes.signature'] : [])];
      expect(names).toContain(fields[0]);
    }
    // A whole group of another state, with its own digest.
    const { error } = await own.resume({ ...state, token: foreign.token });
    expect(error).toMatchObject({ fields: ['token'] });
    const { error: unsealed } = await own.resume({ ...state, seal: undefined });
    expect(unsealed).toMatchObject({ fields: ['seal'] });
  });

  // The seal has no key. What can be checked without it is checked all the same.
  it('that was sealed again after a swap never submits what it swapped', async () => {
    const own = await delegated(kind, '100.5');
    const other = await delegated(kind, '7', false);
    const whole = (states: readonly DelegationState[]) =>
      states.filter(({ token, message, approval }) => token && message && approval?.transactionId);
    const [foreign] = whole(other.states);
    if (foreign === undefined) throw new Error('no state is whole');
    for (const state of whole(own.states)) {
      for (const group of ['message', 'approval'] as const) {
        const forged = updateState({ ...state, [group]: foreign[group], notes: {} }, {});
        const { submitted } = await own.resume(JSON.parse(JSON.stringify(forged)));
        expect(submitted).not.toContain(foreign.message?.text);
        expect(submitted).not.toContain(foreign.message?.signature);
        expect(submitted).not.toContain(foreign.approval?.transactionId);
      }
    }
  });
});

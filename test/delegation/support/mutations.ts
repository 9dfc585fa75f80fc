import fc from 'fast-check';
import type { DelegationState } from '../../../src/delegation/state.js';
import { anyText, nearly } from '../../properties/runs.js';

type Tree = { [name: string]: unknown };

/** A state that somebody else may have written, and how it came about. */
export type Mutation = { what: string; state: unknown };

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** The paths of all fields, `approval.status` for example. */
export function pathsOf(value: unknown, above: string[] = []): string[][] {
  if (!isTree(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = [...above, name];
    return [path, ...pathsOf(inner, path)];
  });
}

/** A copy in which the object that holds the last name of a path was changed. */
export function changed(state: unknown, path: string[], change: (holder: Tree) => void): unknown {
  const copy: unknown = structuredClone(state);
  let holder: unknown = copy;
  for (const name of path.slice(0, -1)) holder = isTree(holder) ? holder[name] : undefined;
  if (isTree(holder)) change(holder);
  return copy;
}

export function valueAt(state: unknown, path: string[]): unknown {
  return path.reduce((value: unknown, name) => (isTree(value) ? value[name] : undefined), state);
}

const wrongValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** 53,
    8.64e15,
    '',
    '0',
    'null',
    'undefined',
    'accepted',
    'verified',
    'submitting',
    'flow',
    '__proto__',
    [],
    {},
    [{}],
    { toString: null },
    'A'.repeat(50_000),
    '1'.repeat(78),
    `0x${'1'.repeat(64)}`,
  ),
  anyText,
  fc.double(),
  fc.anything({ maxDepth: 2 }),
);

/** One field replaced: by a wrong value, by almost the same text, or by that of another state. */
function replaced(state: DelegationState, others: readonly DelegationState[]) {
  return fc.constantFrom(...pathsOf(state)).chain((path) => {
    const before = valueAt(state, path);
    const foreign = others.map((other) => valueAt(other, path)).filter((v) => v !== undefined);
    const value = fc.oneof(
      wrongValue,
      ...(typeof before === 'string' ? [nearly(fc.constant(before))] : []),
      ...(typeof before === 'number' ? [fc.integer().map((by) => before + by)] : []),
      ...(foreign.length > 0 ? [fc.constantFrom(...foreign)] : []),
    );
    return value.map((next) => ({
      what: `${path.join('.')} replaced`,
      state: changed(state, path, (holder) => {
        holder[path.at(-1) ?? ''] = next;
      }),
    }));
  });
}

function deleted(state: DelegationState): fc.Arbitrary<Mutation> {
  return fc.constantFrom(...pathsOf(state)).map((path) => ({
    what: `${path.join('.')} deleted`,
    state: changed(state, path, (holder) => {
      delete holder[path.at(-1) ?? ''];
    }),
  }));
}

const ADDED = [
  'token',
  'message',
  'approval',
  'proof',
  'transactionId',
  'expiresAt',
  'extra',
  'constructor',
  '__proto__',
  'toString',
  'reset',
  'nonce',
  'sentAfter',
  'signature',
  'sentBy',
  ' ',
  '\n',
];

function extended(state: DelegationState): fc.Arbitrary<Mutation> {
  const holders = [[], ...pathsOf(state).filter((path) => isTree(valueAt(state, path)))];
  return fc
    .tuple(fc.constantFrom(...holders), fc.constantFrom(...ADDED), wrongValue)
    .map(([path, name, value]) => ({
      what: `${[...path, name].join('.')} added`,
      state: changed(state, [...path, name], (holder) => {
        Object.defineProperty(holder, name, {
          value,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }),
    }));
}

/** One field that is a getter: it throws, or shows the right value once and a wrong one after. */
function shifting(state: DelegationState): fc.Arbitrary<Mutation> {
  return fc
    .tuple(fc.constantFrom(...pathsOf(state)), fc.boolean(), wrongValue)
    .map(([path, throws, value]) => ({
      what: `${path.join('.')} as a getter`,
      state: changed(state, path, (holder) => {
        const right = holder[path.at(-1) ?? ''];
        let reads = 0;
        const get = () => {
          if (throws) throw new Error('a getter that throws');
          return reads++ === 0 ? right : value;
        };
        Object.defineProperty(holder, path.at(-1) ?? '', { get, enumerable: true });
      }),
    }));
}

function misshapen(state: DelegationState): fc.Arbitrary<Mutation> {
  return fc.constantFrom<Mutation>(
    { what: 'all fields inherited', state: Object.create(state) },
    { what: 'a JSON text', state: JSON.stringify(state) },
    { what: 'an array', state: Object.entries(state) },
    { what: 'a Map', state: new Map(Object.entries(state)) },
    { what: 'a function', state: Object.assign(() => undefined, state) },
  );
}

/** States like a real one, with one to three changes that a hostile storage could make. */
export function hostile(
  states: readonly DelegationState[],
  others: readonly DelegationState[],
): fc.Arbitrary<Mutation> {
  const once = (state: DelegationState): fc.Arbitrary<Mutation> =>
    fc.oneof(
      { weight: 6, arbitrary: replaced(state, [...states, ...others]) },
      { weight: 2, arbitrary: deleted(state) },
      { weight: 2, arbitrary: extended(state) },
      { weight: 1, arbitrary: shifting(state) },
      { weight: 1, arbitrary: misshapen(state) },
    );
  return fc.constantFrom(...states).chain(once);
}

/** Values that no field of a state can have, whatever its type. */
const NEVER: readonly unknown[] = [null, [], {}, Number.NaN, -1, 'x\0', 'A'.repeat(50_000)];

/** Every field of a state with values that it cannot have, and the field's path. */
export function impossible(
  state: DelegationState,
): [path: string, value: unknown, state: unknown][] {
  return pathsOf(state).flatMap((path) =>
    NEVER.filter((value) => !isPossible(path.join('.'), value)).map(
      (value): [string, unknown, unknown] => [
        path.join('.'),
        value,
        changed(state, path, (holder) => {
          holder[path.at(-1) ?? ''] = value;
        }),
      ],
    ),
  );
}

/** A text of a message is compared later: one that differs is signed again. No note at all is fine. */
function isPossible(path: string, value: unknown): boolean {
  if (path === 'message.text') return value === 'x\0';
  return path === 'notes' && typeof value === 'object' && value !== null && !Array.isArray(value);
}

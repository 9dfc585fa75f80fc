import fc from 'fast-check';
import { type DelegationState, updateState } from '../../../src/delegation/state.js';
import { anyText, nearly } from '../../properties/runs.js';

type Fields = { [name: string]: unknown };

/** A state that somebody else may have written, and how it differs from a real one. */
export type Mutation = { description: string; state: unknown };

const hasFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Returns the paths of all fields, for example `approval.status`. */
export function pathsOf(value: unknown, above: string[] = []): string[][] {
  if (!hasFields(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = [...above, name];
    return [path, ...pathsOf(inner, path)];
  });
}

/** Returns a copy of a state, after `change` edited the object that holds the last name of the path. */
export function copyWithChange(
  state: unknown,
  path: string[],
  change: (holder: Fields) => void,
): unknown {
  const copy: unknown = structuredClone(state);
  let holder: unknown = copy;
  for (const name of path.slice(0, -1)) holder = hasFields(holder) ? holder[name] : undefined;
  if (hasFields(holder)) change(holder);
  return copy;
}

export function valueAt(state: unknown, path: string[]): unknown {
  return path.reduce((value: unknown, name) => (hasFields(value) ? value[name] : undefined), state);
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

/** Seals a changed state again, as somebody who knows how can do. Only what the flow checks is left. */
export function resealed(state: unknown): DelegationState {
  return updateState(structuredClone(state) as DelegationState, {});
}

/** Half of the changes come from somebody who seals the state again. */
function perhapsResealed(mutation: fc.Arbitrary<Mutation>): fc.Arbitrary<Mutation> {
  return fc.tuple(mutation, fc.boolean()).map(([{ description, state }, isResealed]) => {
    if (!isResealed) return { description, state };
    try {
      return { description: `${description}, sealed again`, state: resealed(state) };
    } catch {
      // A value that cannot be copied or written as JSON cannot be sealed either.
      return { description, state };
    }
  });
}

/** Replaces one field: with a wrong value, a similar text, or the value of another state. */
function withReplacedField(state: DelegationState, others: readonly DelegationState[]) {
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
      description: `${path.join('.')} replaced`,
      state: copyWithChange(state, path, (holder) => {
        holder[path.at(-1) ?? ''] = next;
      }),
    }));
  });
}

function withDeletedField(state: DelegationState): fc.Arbitrary<Mutation> {
  return fc.constantFrom(...pathsOf(state)).map((path) => ({
    description: `${path.join('.')} deleted`,
    state: copyWithChange(state, path, (holder) => {
      delete holder[path.at(-1) ?? ''];
    }),
  }));
}

const ADDED_NAMES = [
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

function withAddedField(state: DelegationState): fc.Arbitrary<Mutation> {
  const holders = [[], ...pathsOf(state).filter((path) => hasFields(valueAt(state, path)))];
  return fc
    .tuple(fc.constantFrom(...holders), fc.constantFrom(...ADDED_NAMES), wrongValue)
    .map(([path, name, value]) => ({
      description: `${[...path, name].join('.')} added`,
      state: copyWithChange(state, [...path, name], (holder) => {
        Object.defineProperty(holder, name, {
          value,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }),
    }));
}

/** Turns one field into a getter that throws, or that returns a wrong value from the second read on. */
function withGetter(state: DelegationState): fc.Arbitrary<Mutation> {
  return fc
    .tuple(fc.constantFrom(...pathsOf(state)), fc.boolean(), wrongValue)
    .map(([path, throws, value]) => ({
      description: `${path.join('.')} as a getter`,
      state: copyWithChange(state, path, (holder) => {
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

function withWrongShape(state: DelegationState): fc.Arbitrary<Mutation> {
  return fc.constantFrom<Mutation>(
    { description: 'all fields inherited', state: Object.create(state) },
    { description: 'a JSON text', state: JSON.stringify(state) },
    { description: 'an array', state: Object.entries(state) },
    { description: 'a Map', state: new Map(Object.entries(state)) },
    { description: 'a function', state: Object.assign(() => undefined, state) },
  );
}

/** States like a real one, with a change that a hostile storage could make. */
export function mutatedState(
  states: readonly DelegationState[],
  others: readonly DelegationState[],
): fc.Arbitrary<Mutation> {
  const mutate = (state: DelegationState): fc.Arbitrary<Mutation> =>
    fc.oneof(
      { weight: 6, arbitrary: perhapsResealed(withReplacedField(state, [...states, ...others])) },
      { weight: 2, arbitrary: perhapsResealed(withDeletedField(state)) },
      { weight: 2, arbitrary: perhapsResealed(withAddedField(state)) },
      { weight: 1, arbitrary: withGetter(state) },
      { weight: 1, arbitrary: withWrongShape(state) },
    );
  return fc.constantFrom(...states).chain(mutate);
}

/** Values that no field of a state can have, whatever its type. */
const IMPOSSIBLE_VALUES: readonly unknown[] = [
  null,
  [],
  {},
  Number.NaN,
  -1,
  'x\0',
  'A'.repeat(50_000),
];

/** Returns each field's path, a value that the field cannot have, and the state with that value. */
export function statesWithImpossibleValues(
  state: DelegationState,
): [path: string, value: unknown, state: unknown][] {
  return pathsOf(state).flatMap((path) =>
    IMPOSSIBLE_VALUES.filter((value) => !isPossible(path.join('.'), value)).map(
      (value): [string, unknown, unknown] => [
        path.join('.'),
        value,
        copyWithChange(state, path, (holder) => {
          holder[path.at(-1) ?? ''] = value;
        }),
      ],
    ),
  );
}

/** Any message text is valid here: one that differs is signed again later. Empty notes are valid too. */
function isPossible(path: string, value: unknown): boolean {
  if (path === 'message.text') return value === 'x\0';
  return path === 'notes' && typeof value === 'object' && value !== null && !Array.isArray(value);
}

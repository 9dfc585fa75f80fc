import type { KeyValueStore } from '../../src/stores/key-value-store.js';

type Method = keyof KeyValueStore;
type Change = (text: string | undefined) => string | undefined;
/** One method of a store that does something wrong. It may use the store that works. */
type Fault = (store: KeyValueStore, key: string, given: string | Change) => unknown;

const fail = (): never => {
  throw new Error('the disk failed near token-1');
};
const bytes = () => new Uint8Array([123, 125]);
const change = (given: string | Change) => given as Change;

const METHODS = ['get', 'set', 'delete', 'update'] as const;

/** What a store may do wrong that its reader can notice. */
export const STORE_FAULTS: readonly (readonly [what: string, method: Method, fault: Fault])[] = [
  ...METHODS.flatMap((method) => [
    [`${method} throws`, method, fail] as const,
    [`${method} rejects`, method, async () => fail()] as const,
    [`${method} never ends`, method, () => new Promise<never>(() => {})] as const,
  ]),
  ['get returns bytes', 'get', bytes],
  ['get resolves with bytes', 'get', async () => bytes()],
  ['get returns an object', 'get', () => ({ accessToken: 'token-1' })],
  ['get returns a number', 'get', () => 1],
  ['update runs no change', 'update', async () => undefined],
  [
    'update runs the change too late',
    'update',
    (_, __, given) => void setTimeout(() => change(given)(undefined), 1),
  ],
  [
    'update passes on bytes',
    'update',
    async (_, __, given) => void change(given)(bytes() as never),
  ],
  ['update passes on an object', 'update', async (_, __, given) => void change(given)({} as never)],
];

/** A store that does this wrong once `isFaulty`, and counts how often it is used. */
export function faultyStore(
  store: KeyValueStore,
  [, method, fault]: readonly [unknown, Method, Fault],
) {
  const uses = { count: 0, isFaulty: false };
  const through =
    <Given extends string | Change>(name: Method, works: (key: string, given: Given) => unknown) =>
    (key: string, given?: Given): never => {
      uses.count++;
      const isBroken = uses.isFaulty && name === method;
      return (isBroken ? fault(store, key, given ?? '') : works(key, given as Given)) as never;
    };
  const faulty: KeyValueStore = {
    get: through('get', (key) => store.get(key)),
    set: through<string>('set', (key, value) => store.set(key, value)),
    delete: through('delete', (key) => store.delete(key)),
    update: through<Change>('update', (key, given) => store.update(key, given)),
  };
  return { store: faulty, uses };
}

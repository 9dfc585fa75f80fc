import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { KeyValueStore } from '../../src/index.js';
import {
  folderStore,
  indexedDbStore,
  memoryStore,
  singleProcessStore,
} from '../../src/stores/index.js';
import { checkStore } from '../../src/stores/key-value-store.js';
import { rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';

const folders: string[] = [];
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  folders.push(folder);
  return folder;
}
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Two stores over the same values, as two programs have them. */
const STORES: readonly [string, () => readonly [KeyValueStore, KeyValueStore]][] = [
  [
    'folderStore',
    () => {
      const folder = join(newFolder(), 'not', 'there', 'yet');
      return [folderStore(folder), folderStore(folder)];
    },
  ],
  [
    'memoryStore',
    () => {
      const values = new Map<string, string>();
      return [memoryStore(values), memoryStore(values)];
    },
  ],
  [
    'singleProcessStore',
    () => {
      const values = new Map<string, string>();
      const later = () => new Promise((resolve) => setImmediate(resolve));
      const store = singleProcessStore({
        get: (key) => later().then(() => values.get(key) ?? null),
        set: (key, value) => later().then(() => values.set(key, value)),
        delete: (key) => later().then(() => values.delete(key)),
      });
      return [store, store];
    },
  ],
];

const plusOne = (text: string | undefined) => String(Number(text ?? 0) + 1);

describe.each(STORES)('%s', (_, open) => {
  it('keeps the contract of a store', async () => {
    const [one, other] = open();
    await checkStore(one, new FakeClock({ auto: false }));
    expect((await one.get('a.b-c_1')) ?? undefined).toBeUndefined();
    await one.delete('a.b-c_1');
    await one.set('a.b-c_1', 'line one\nline two \u{1f4b8}');
    expect(await other.get('a.b-c_1')).toBe('line one\nline two \u{1f4b8}');
    await other.set('a.b-c_1', '');
    expect(await one.get('a.b-c_1')).toBe('');
    await other.delete('a.b-c_1');
    expect((await one.get('a.b-c_1')) ?? undefined).toBeUndefined();
    await one.update('a.b-c_1', () => 'again');
    await one.update('a.b-c_1', () => undefined);
    expect((await other.get('a.b-c_1')) ?? undefined).toBeUndefined();
  });

  it('loses no change of two writers', async () => {
    const [one, other] = open();
    const changes = Array.from({ length: 30 }, (__, index) =>
      (index % 2 === 0 ? one : other).update('count', plusOne),
    );
    await Promise.all(changes);
    expect(await one.get('count')).toBe('30');
  });

  it('passes the error of a change on, and keeps the text', async () => {
    const [one] = open();
    await one.set('key', 'text');
    const failing = async () =>
      one.update('key', () => {
        throw new Error('no');
      });
    expect(await rejection(failing())).toMatchObject({ message: 'no' });
    await one.update('key', (text) => `${text}!`);
    expect(await one.get('key')).toBe('text!');
  });
});

describe('folderStore', () => {
  it('keeps files that only the user can read, and one for each value', async () => {
    const folder = join(newFolder(), 'store');
    const store = folderStore(folder);
    for (let count = 0; count < 5; count++) await store.update('key', plusOne);
    const names = readdirSync(join(folder, 'key'));
    expect(names).toHaveLength(2);
    expect(readdirSync(folder)).toEqual(['key']);
    for (const file of [
      folder,
      join(folder, 'key'),
      ...names.map((name) => join(folder, 'key', name)),
    ]) {
      expect(statSync(file).mode & 0o077).toBe(0);
    }
  });

  it('removes what a killed program has left a day ago, and nothing else', async () => {
    const folder = newFolder();
    await folderStore(folder).set('key', 'text');
    const [old, fresh] = ['old', 'fresh'].map((name) => join(folder, 'key', name));
    for (const file of [old, fresh]) writeFileSync(file ?? '', 'left behind');
    const yesterday = Date.now() / 1_000 - 25 * 60 * 60;
    for (const name of readdirSync(join(folder, 'key'))) {
      if (name !== 'fresh') utimesSync(join(folder, 'key', name), yesterday, yesterday);
    }
    const store = folderStore(folder);
    await store.update('key', (text) => `${text} 2`);
    expect(readdirSync(join(folder, 'key'))).not.toContain('old');
    expect(readdirSync(join(folder, 'key'))).toContain('fresh');
    expect(await store.get('key')).toBe('text 2');
  });

  it.each([
    '..',
    '.',
    '',
    'a/b',
    'a\\b',
    'A',
    'a b',
    'x'.repeat(201),
  ])('refuses the key %j', async (key) => {
    const folder = join(newFolder(), 'store');
    const store = folderStore(folder);
    const set = async () => store.set(key, 'text');
    expect(await rejection(set())).toMatchObject({ name: 'ConfigurationError', option: 'key' });
    expect(await rejection((async () => store.get(key))())).toMatchObject({ option: 'key' });
  });

  it('accepts a key of 200 characters', async () => {
    const store = folderStore(newFolder());
    await store.set('x'.repeat(200), 'text');
    expect(await store.get('x'.repeat(200))).toBe('text');
  });

  it('reports a folder that it cannot write', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    expect(
      await rejection((async () => folderStore(join(file, 'store')).set('a', 'b'))()),
    ).toMatchObject({
      code: 'ENOTDIR',
    });
  });

  it('is refused where there are no files', () => {
    vi.stubGlobal('process', {});
    expect(() => folderStore('folder')).toThrow(/Node 20.16 or newer/);
    vi.unstubAllGlobals();
    expect(() => folderStore('')).toThrow(/path of a folder/);
  });

  it('is not confused by other files in its folder', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'DRAFT-1'));
    writeFileSync(join(folder, 'README'), 'mine');
    const store = folderStore(folder);
    await store.set('key', 'text');
    expect(await store.get('key')).toBe('text');
    expect(readdirSync(folder).sort()).toEqual(['DRAFT-1', 'README', 'key']);
  });
});

it('indexedDbStore is refused at first use where there is no IndexedDB', async () => {
  const get = async () => indexedDbStore().get('key');
  expect(await rejection(get())).toMatchObject({ name: 'ConfigurationError', option: 'store' });
});

it.each([
  ['name', () => indexedDbStore({ name: 'cards' } as never)],
  ['name', () => indexedDbStore('')],
  ['values', () => memoryStore({ store: new Map() } as never)],
  ['folder', () => folderStore({ path: './cards' } as never)],
  ['storage', () => singleProcessStore(undefined as never)],
  ['storage', () => singleProcessStore({ getItem: () => null, setItem: () => {} } as never)],
])('a store refuses a wrong %s', (option, create) => {
  expect(create).toThrow(expect.objectContaining({ name: 'ConfigurationError', option }));
});

it('singleProcessStore names the functions that a storage of another kind lacks', () => {
  expect(() => singleProcessStore({ get: () => null, delete: () => {} } as never)).toThrow(
    'storage lacks set: pass functions that call your storage',
  );
});

it('singleProcessStore finishes one change before it begins the next, whatever changes', async () => {
  const calls: string[] = [];
  const during = async (name: string) => {
    calls.push(`start ${name}`);
    await new Promise((resolve) => setImmediate(resolve));
    calls.push(`end ${name}`);
  };
  const store = singleProcessStore({
    get: () => null,
    set: (_, value) => during(value),
    delete: () => during('delete'),
  });
  await Promise.all([
    store.update('key', () => 'update'),
    store.set('key', 'set'),
    store.delete('key'),
    store.update('key', () => 'again'),
  ]);
  const order = ['update', 'set', 'delete', 'again'];
  expect(calls).toEqual(order.flatMap((name) => [`start ${name}`, `end ${name}`]));
});

it('a store that failed its check is checked again, and one that passed is not', async () => {
  const clock = new FakeClock({ auto: false });
  const store = memoryStore();
  const set = vi.spyOn(store, 'set').mockRejectedValueOnce(new Error('offline'));
  await expect(checkStore(store, clock)).rejects.toThrow('offline');
  await checkStore(store, clock);
  expect(set).toHaveBeenCalledTimes(2);
  await checkStore(store, clock);
  expect(set).toHaveBeenCalledTimes(2);
  expect(clock.pending).toBe(0);
});

it('a store is checked with one of 256 keys, because programs that start together check it at once', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.999_999);
  const store = memoryStore();
  const set = vi.spyOn(store, 'set');
  await checkStore(store, new FakeClock({ auto: false }));
  expect(set).toHaveBeenCalledExactlyOnceWith('card-platform.check.255', 'check 0.999999');
});

it.each([
  ['passes', 7],
  ['fails', 8],
])('the check of a store %s if other programs have disturbed its first %i tries', async (result, disturbed) => {
  const inner = memoryStore();
  let tries = 0;
  const store = {
    ...inner,
    set: (key: string, value: string) => {
      tries++;
      return inner.set(key, value);
    },
    get: (key: string) => (tries <= disturbed ? 'of another program' : inner.get(key)),
  };
  const check = checkStore(store, new FakeClock({ auto: false }));
  if (result === 'passes') await check;
  else await expect(check).rejects.toThrow('get did not return the text that set had written');
  expect(tries).toBe(8);
});

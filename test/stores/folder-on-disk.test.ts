import type { FileHandle } from 'node:fs/promises';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { folderStore } from '../../src/stores/index.js';

const folders: string[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(folders.splice(0).map((one) => fs.rm(one, { recursive: true, force: true })));
});

async function newFolder(): Promise<string> {
  const folder = await fs.mkdtemp(path.join(tmpdir(), 'folder-store-'));
  folders.push(folder);
  return folder;
}

/** The kind of a name: the pointer of a key, a value, or a folder. */
function kindOf(name: string): string {
  const base = path.basename(name);
  if (/^(?:none|value)-/.test(base)) return 'pointer';
  return /^[0-9a-f]{24}$/.test(base) ? 'value' : 'folder';
}

/** A store over the real files, of which these functions are replaced. */
async function storeOver(replaced: object) {
  const builtin = process.getBuiltinModule.bind(process);
  vi.spyOn(process, 'getBuiltinModule').mockImplementation(((name: string) =>
    name === 'node:fs/promises'
      ? { ...fs, ...replaced }
      : builtin(name)) as typeof process.getBuiltinModule);
  return folderStore(await newFolder());
}

/** A store over the real files that notes what must be on disk, in order. */
async function observedStore() {
  const events: string[] = [];
  const store = await storeOver({
    async open(name: string, ...more: [string, number?]) {
      const handle = await fs.open(name, ...more);
      return new Proxy(handle, {
        get(target, key) {
          const value: unknown = Reflect.get(target, key);
          if (typeof value !== 'function') return value;
          return (...args: unknown[]) => {
            if (key === 'sync') events.push(`sync ${kindOf(name)}`);
            if (key === 'writeFile') events.push(`write ${kindOf(name)}`);
            return Reflect.apply(value, target, args);
          };
        },
      }) satisfies FileHandle;
    },
    rename(from: string, to: string) {
      events.push(`rename ${kindOf(from)}`);
      return fs.rename(from, to);
    },
    unlink(name: string) {
      events.push(`remove ${kindOf(name)}`);
      return fs.unlink(name);
    },
  });
  return { store, events };
}

it('a value is on disk before its name leads to it, and the name before the write resolves', async () => {
  const { store, events } = await observedStore();
  await store.set('a', '1');
  events.length = 0;
  await store.set('a', '2');
  events.push('resolved');
  expect(events).toEqual([
    'write value',
    'sync value',
    'rename pointer',
    'sync folder',
    'remove value',
    'resolved',
  ]);
});

it('the folder of a new key is on disk before its first value', async () => {
  const { store, events } = await observedStore();
  await store.set('a', '1');
  expect(events).toEqual([
    'write pointer',
    'sync pointer',
    'sync folder',
    'rename folder',
    'sync folder',
    'write value',
    'sync value',
    'rename pointer',
    'sync folder',
  ]);
});

it('a removal is on disk before it resolves', async () => {
  const { store, events } = await observedStore();
  await store.set('a', '1');
  events.length = 0;
  await store.delete('a');
  expect(events).toEqual(['rename pointer', 'sync folder', 'remove value']);
});

it.each([
  [86_400_000, true],
  [86_400_001, false],
])('a file that nobody uses and that is %i ms old stays: %s', async (age, stays) => {
  const folder = await newFolder();
  const store = folderStore(folder);
  await store.set('a', '1');
  const left = path.join(folder, 'a', 'f'.repeat(24));
  await fs.writeFile(left, 'of a program that was killed');
  await fs.utimes(left, 1_700_000_000, 1_700_000_000);
  vi.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000 + age);
  // Each program looks once for each key.
  await folderStore(folder).set('a', '2');
  expect((await fs.readdir(path.join(folder, 'a'))).includes('f'.repeat(24))).toBe(stays);
});

it('the value of a key stays, however old its file is by the clock', async () => {
  const folder = await newFolder();
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + 25 * 60 * 60_000);
  const store = folderStore(folder);
  await store.set('a', '1');
  expect(await store.get('a')).toBe('1');
  await store.set('a', '2');
  expect(await store.get('a')).toBe('2');
});

it('a folder stays the same when the program changes its working directory', async () => {
  const before = process.cwd();
  process.chdir(await newFolder());
  try {
    const store = folderStore('./card-platform');
    await store.set('a', '1');
    process.chdir(await newFolder());
    expect(await store.get('a')).toBe('1');
  } finally {
    process.chdir(before);
  }
});

it('a value whose file somebody removed is reported at once, without blaming other programs', async () => {
  const folder = await newFolder();
  const store = folderStore(folder);
  await store.set('a', '1');
  const names = await fs.readdir(path.join(folder, 'a'));
  const [value = ''] = names.filter((name) => kindOf(name) === 'value');
  await fs.rm(path.join(folder, 'a', value));
  for (const work of [store.get('a'), store.set('a', '2'), store.delete('a')]) {
    await expect(work).rejects.toThrow(/a file of the store is missing.*remove the folder/);
  }
});

const TOO_BUSY = 'too many programs write to this folder at once';

it.each([
  [999, '1'],
  [1_000, TOO_BUSY],
])('a read that comes %i times while another program renames the pointer ends with: %s', async (times, result) => {
  let hidden = 0;
  const store = await storeOver({
    readdir: async (name: string) => (hidden-- > 0 ? [] : fs.readdir(name)),
  });
  await store.set('a', '1');
  hidden = times;
  const read = (async () => store.get('a'))();
  expect(await read.catch((error: Error) => error.message)).toBe(result);
});

it.each([
  [999, undefined],
  [1_000, TOO_BUSY],
])('a removal before which another program is faster %i times ends with: %s', async (times, result) => {
  let lost = 0;
  const store = await storeOver({
    rename: async (from: string, to: string) => {
      if (lost-- > 0) throw Object.assign(new Error('renamed'), { code: 'ENOENT' });
      return fs.rename(from, to);
    },
  });
  await store.set('a', '1');
  lost = times;
  const removal = (async () => store.delete('a'))();
  expect(await removal.catch((error: Error) => error.message)).toBe(result);
});

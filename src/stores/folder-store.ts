import type * as FileSystem from 'node:fs/promises';
import type * as Path from 'node:path';
import { ConfigurationError } from '../errors/index.js';
import type { KeyValueStore } from './key-value-store.js';

/** Longer than any write takes, so an unused file that is older was left by a program that was killed. */
const ABANDONED_AFTER_MS = 24 * 60 * 60_000;
const MOST_ATTEMPTS = 1_000;
/** Starts the name of a folder that is not ready. Keys have no capitals. */
const DRAFT = 'DRAFT-';
const TOO_BUSY = 'too many programs write to this folder at once';

const MISSING =
  'a file of the store is missing: restore it, or give the value up and remove the folder';

type Modules = { readonly fs: typeof FileSystem; readonly path: typeof Path };

/** Taken from the process rather than imported, so that bundlers for browsers do not see them. */
function modules(): Modules {
  type Globals = { process?: { getBuiltinModule?: (name: string) => unknown } };
  const { process } = globalThis as Globals;
  const fs = process?.getBuiltinModule?.('node:fs/promises') as typeof FileSystem | undefined;
  const path = process?.getBuiltinModule?.('node:path') as typeof Path | undefined;
  if (fs !== undefined && path !== undefined) return { fs, path };
  throw new ConfigurationError(
    'store',
    'folderStore needs Node 20.16 or newer, Bun or Deno. Use indexedDbStore in a browser.',
  );
}

const codeOf = (error: unknown): unknown => Object(error).code;

/** Resolves to `undefined` if the file does not exist, which means that somebody else was faster. */
async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function randomId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The state of a key: the name of its pointer file, and the file with its value, if it has one. */
type Pointer = { readonly name: string; readonly file: string | undefined };

const NEW = 'none-';
const IS = 'value-';

/**
 * A store of files in a folder: for servers and workers on Node 20.16 or newer, Bun and Deno.
 * Processes on one machine may share the folder. A write resolves when it is on disk, and a program that is killed at
 * any moment leaves either the old or the new value.
 *
 * Each key is a folder with a pointer: an empty file whose name leads to the file of the value. A
 * change writes the new value to a new file and then renames the pointer. Only one of two programs
 * that saw the same pointer can rename it, so there is no lock that a killed program would leave
 * behind.
 *
 * @param folder - the path, from the working directory at this moment. A folder that does not exist is
 *   created. Only the current user may read the files, where the file system has permissions
 * @throws ConfigurationError for a path that is empty or not text, and where the runtime has no
 *   `process.getBuiltinModule`, as in a browser and on Node before 20.16
 * @example
 * ```ts
 * import { createSessions } from 'card-platform-sdk/sessions';
 * import { folderStore } from 'card-platform-sdk/stores';
 *
 * const sessions = createSessions({ store: folderStore('./card-platform') });
 * ```
 */
export function folderStore(folder: string): KeyValueStore {
  if (typeof folder !== 'string' || folder === '') {
    throw new ConfigurationError('folder', 'folder must be the path of a folder.');
  }
  const { fs, path } = modules();
  // Once: the program may change its working directory.
  const root = path.resolve(folder);
  const queues = new Map<string, Promise<unknown>>();
  const swept = new Set<string>();

  function folderOf(key: string): string {
    if (/^[a-z0-9._-]{1,200}$/.test(key) && !/^\.+$/.test(key)) return path.join(root, key);
    throw new ConfigurationError(
      'key',
      'a key must be 1 to 200 characters of a-z, 0-9, ., - and _.',
    );
  }

  /** Writes a new file, and resolves when it is on disk. */
  async function create(file: string, text: string): Promise<void> {
    const handle = await fs.open(file, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Puts the names in a folder on disk. Some systems cannot, and need not. */
  async function syncFolder(name: string): Promise<void> {
    const handle = await fs.open(name, 'r').catch(() => undefined);
    await handle?.sync().catch(() => undefined);
    await handle?.close();
  }

  async function readPointer(own: string): Promise<Pointer | undefined> {
    const names = (await unlessMissing(fs.readdir(own))) ?? [];
    const name = names.find((each) => each.startsWith(IS) || each.startsWith(NEW));
    if (name === undefined) return undefined;
    return { name, file: name.startsWith(IS) ? name.slice(IS.length) : undefined };
  }

  /** Makes the folder of a key, which appears together with its pointer. */
  async function prepare(own: string): Promise<void> {
    await fs.mkdir(root, { recursive: true, mode: 0o700 });
    const draft = path.join(root, DRAFT + randomId());
    await fs.mkdir(draft, { mode: 0o700 });
    await create(path.join(draft, NEW + randomId()), '');
    await syncFolder(draft);
    try {
      await fs.rename(draft, own);
      await syncFolder(root);
    } catch (error) {
      await fs.rm(draft, { recursive: true, force: true });
      // Another program was faster.
      if ((await unlessMissing(fs.stat(own))) === undefined) throw error;
    }
  }

  /** Reads the pointer and the value. A change that happens meanwhile replaces both. */
  async function read(own: string): Promise<{ pointer?: Pointer; value: string | undefined }> {
    let missing: string | undefined;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const pointer = await readPointer(own);
      if (pointer === undefined) {
        if ((await unlessMissing(fs.stat(own))) === undefined) return { value: undefined };
        // The pointer was being renamed while the names were read.
        continue;
      }
      if (pointer.file === undefined) return { pointer, value: undefined };
      const value = await unlessMissing(fs.readFile(path.join(own, pointer.file), 'utf8'));
      if (value !== undefined) return { pointer, value };
      // A change removes the file after it has replaced the pointer.
      if (pointer.file === missing) throw new Error(`${MISSING} ${own}`);
      missing = pointer.file;
    }
    throw new Error(TOO_BUSY);
  }

  /** Replaces the state that the pointer shows; false if somebody else was faster. */
  async function replace(own: string, pointer: Pointer, value: string | undefined) {
    const id = randomId();
    if (value !== undefined) await create(path.join(own, id), value);
    const next = (value === undefined ? NEW : IS) + id;
    const renamed = fs.rename(path.join(own, pointer.name), path.join(own, next));
    const isDone = (await unlessMissing(renamed.then(() => true))) === true;
    const unused = isDone ? pointer.file : value === undefined ? undefined : id;
    if (isDone) await syncFolder(own);
    if (unused !== undefined) await unlessMissing(fs.unlink(path.join(own, unused)));
    return isDone;
  }

  /** Removes files that a killed program has left. */
  async function sweep(own: string): Promise<void> {
    const before = Date.now() - ABANDONED_AFTER_MS;
    for (const name of await fs.readdir(own)) {
      if (name.startsWith(IS) || name.startsWith(NEW)) continue;
      const stat = await unlessMissing(fs.stat(path.join(own, name)));
      const isUsed = (await readPointer(own))?.file === name;
      if (stat !== undefined && stat.mtimeMs < before && !isUsed) {
        await unlessMissing(fs.unlink(path.join(own, name)));
      }
    }
  }

  async function change(
    key: string,
    next: (current: string | undefined) => string | undefined,
  ): Promise<void> {
    const own = folderOf(key);
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const { pointer, value: current } = await read(own);
      const value = next(current);
      if (value === current) return;
      if (pointer === undefined) await prepare(own);
      else if (await replace(own, pointer, value)) {
        if (!swept.has(key)) await sweep(own).catch(() => undefined);
        swept.add(key);
        return;
      }
    }
    throw new Error(TOO_BUSY);
  }

  /** Within one process writers take turns. */
  function queued(key: string, work: () => Promise<void>): Promise<void> {
    const done = (queues.get(key) ?? Promise.resolve()).then(work);
    const settled: Promise<void> = done
      .catch(() => undefined)
      .then(() => {
        if (queues.get(key) === settled) queues.delete(key);
      });
    queues.set(key, settled);
    return done;
  }

  return {
    get: async (key) => (await read(folderOf(key))).value,
    set: (key, value) => queued(key, () => change(key, () => value)),
    delete: (key) => queued(key, () => change(key, () => undefined)),
    update: (key, next) => queued(key, () => change(key, next)),
  };
}

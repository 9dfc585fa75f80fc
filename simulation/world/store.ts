import type { KeyValueStore } from '../../src/index.js';
import { WORLD } from '../engine/scheduler.js';
import type { Call } from './ledger.js';
import type { Process } from './process.js';
import type { World } from './world.js';

const PAGE = /^card-platform\.journal\.\d+$/;

type StoredEntry = { id: string; operation: string; lasts?: number; state?: string };

const entriesOf = (text: string): StoredEntry[] => JSON.parse(text).entries;

/**
 * Called with each text that a store has written, so that the ledger know which entry belongs to
 * which call.
 */
function note(world: World, process: Process, key: string, value: string): void {
  if (key.startsWith('card-platform.journal.')) world.show('journal', value);
  if (!PAGE.test(key)) return;
  const { entries, calls } = world.ledger;
  for (const entry of entriesOf(value)) entries.note(entry, process, calls);
}

/** The entry of a call on its disk: its state, or `open`; `undefined` where there is none. */
export function stateOfEntry({ entryId, process }: Pick<Call, 'entryId' | 'process'>) {
  for (const [key, text] of process.machine.disk) {
    const entry = PAGE.test(key) ? entriesOf(text).find(({ id }) => id === entryId) : undefined;
    if (entry !== undefined) return entry.state ?? 'open';
  }
  return undefined;
}

/** Whether the entry of a call is on the disk, and open. */
export const hasEntry = (call: Pick<Call, 'entryId' | 'process'>): boolean =>
  stateOfEntry(call) === 'open';

function failing({ machine }: Process, key: string, value: string): Error {
  machine.storeFaults++;
  // Like a real store, it quotes in its message the text that it could not write.
  return new Error(`QuotaExceededError: ${key}=${value}`);
}

/** Writes to the disk of a process, which may die at that moment. `undefined` removes a key. */
function writerOf(world: World, process: Process) {
  const { disk } = process.machine;
  return (key: string, value: string | undefined): void =>
    process.write(() => {
      if (value === undefined) disk.delete(key);
      else disk.set(key, value);
      if (value !== undefined) note(world, process, key, value);
    });
}

/** How often an operation takes time. A wait is one more step, in which another process can run. */
const WAITS = { get: 0.1, set: 0.3, delete: 0.3, update: 0.3 };

/** The store of a process on the disk of its machine. Operations take time, and may fail. */
export function openStore(world: World, process: Process): KeyValueStore {
  const { scheduler, faults } = world;
  const { disk } = process.machine;
  const random = world.random.fork(`store ${process.name} ${scheduler.now}`);
  const operate = <T>(kind: keyof typeof WAITS, key: string, value: string, run: () => T) =>
    new Promise<T>((resolve, reject) => {
      if (!process.isAlive) return;
      const finish = () => {
        const result = run();
        if (process.isAlive) resolve(result);
      };
      if (!random.chance(WAITS[kind])) return finish();
      // Data that was passed to the disk may be written although the process dies.
      const owner = random.chance(0.5) ? WORLD : process;
      const isBroken = random.chance(world.intensity * 0.02) && faults.take('store');
      scheduler.after(random.between(0, 3), owner, () => {
        if (isBroken) {
          if (process.isAlive) reject(failing(process, key, value));
          return;
        }
        finish();
      });
    });
  const write = writerOf(world, process);
  return {
    get: (key) => operate('get', key, '', () => disk.get(key)),
    set: (key, value) => operate('set', key, value, () => write(key, value)),
    delete: (key) => operate('delete', key, '', () => write(key, undefined)),
    update: (key, change) =>
      operate('update', key, disk.get(key) ?? '', () => write(key, change(disk.get(key)))),
  };
}

/** A store without waits, such as web storage under a lock. */
export function openWebStorage(world: World, process: Process): KeyValueStore {
  const { disk } = process.machine;
  const write = writerOf(world, process);
  const random = world.random.fork(`storage ${process.name} ${world.scheduler.now}`);
  return {
    get: (key) => disk.get(key),
    set: (key, value) => {
      if (!process.isAlive) return;
      if (random.chance(world.intensity * 0.015) && world.faults.take('store')) {
        throw failing(process, key, value);
      }
      write(key, value);
    },
    delete: (key) => {
      if (process.isAlive) write(key, undefined);
    },
    update(key, change) {
      const next = change(disk.get(key));
      if (next === undefined) this.delete(key);
      else this.set(key, next);
    },
  };
}

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyValueStore } from '../../../src/index.js';

/**
 * A store of files. Each write is atomic, and each step waits for a turn, so that a kill can happen
 * in between.
 */
export function fileStore(folder: string): KeyValueStore {
  mkdirSync(folder, { recursive: true });
  const fileOf = (key: string) => join(folder, key);
  return {
    get: async (key) => {
      await undefined;
      try {
        return readFileSync(fileOf(key), 'utf8');
      } catch {
        return undefined;
      }
    },
    set: async (key, value) => {
      await undefined;
      writeFileSync(`${fileOf(key)}.tmp`, value);
      renameSync(`${fileOf(key)}.tmp`, fileOf(key));
      await undefined;
    },
    delete: async (key) => {
      await undefined;
      rmSync(fileOf(key), { force: true });
      await undefined;
    },
  };
}

import { indexedDbStore } from '../../../src/stores/index.js';
import { plusOne } from './plus-one.js';

/** What a page tells this worker. */
export type Count = {
  readonly key: string;
  readonly changes: number;
  /** Two shared numbers: how many changes were begun, and how many are done. */
  readonly progress?: Int32Array | undefined;
};

type Message = {
  readonly data: Count;
  readonly source?: { postMessage(message: unknown): void } | null;
  waitUntil?(done: Promise<void>): void;
};

// Counts in the store, as the worker of a page or as its service worker.
const scope = globalThis as unknown as {
  onmessage: (message: Message) => void;
  postMessage(message: unknown): void;
};
const store = indexedDbStore();

async function count({ key, changes, progress }: Count): Promise<void> {
  for (let change = 0; change < changes; change++) {
    if (progress) Atomics.add(progress, 0, 1);
    await store.update(key, plusOne);
    if (progress) Atomics.add(progress, 1, 1);
  }
}

scope.onmessage = (message) => {
  const done = count(message.data).then(() => (message.source ?? scope).postMessage('done'));
  message.waitUntil?.(done);
};

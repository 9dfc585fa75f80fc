export { folderStore } from './folder-store.js';
export { indexedDbStore } from './indexed-db-store.js';
export type { KeyValueStore } from './key-value-store.js';
export { memoryStore } from './memory-store.js';
export { type Storage, singleProcessStore } from './single-process-store.js';

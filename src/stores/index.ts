export type { KeyValueStore } from '../transport/settings/key-value-store.js';
export { folderStore } from './folder-store.js';
export { indexedDbStore } from './indexed-db-store.js';
export { memoryStore } from './memory-store.js';

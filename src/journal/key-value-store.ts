export type { KeyValueStore } from '../transport/settings/journal-options.js';

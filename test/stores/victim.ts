import { createHook } from 'node:async_hooks';
import { writeSync } from 'node:fs';
import { folderStore } from '../../src/stores/index.js';

// Counts in a store, and kills itself before the continuation that its arguments name.
const [folder = '', killAt = ''] = process.argv.slice(2);
const CHANGES = 8;

const store = folderStore(folder);
let continuations = 0;
createHook({
  before() {
    if (++continuations >= Number(killAt)) process.kill(process.pid, 'SIGKILL');
  },
}).enable();

for (let change = 0; change < CHANGES; change++) {
  await store.update('count', (text) => String(Number(text ?? 0) + 1));
  writeSync(1, '.');
}
process.exit(0);

import { createHook } from 'node:async_hooks';
import { isMainThread } from 'node:worker_threads';
import { CardPlatformClient } from '../../../src/client.js';
import { createJournal } from '../../../src/journal/journal.js';
import { folderStore } from '../../../src/stores/index.js';

/** The work of a victim, and the point at which it dies. */
export type Orders = {
  baseUrl: string;
  folder: string;
  accessToken: string;
  credentials: Record<string, string>;
  /** Start of its clock: operation `i` begins at `startsAt + 1,000 * i`. */
  startsAt: number;
  operations: { operation: string; input: Record<string, unknown> }[];
  /** The continuation, counted from the first operation, before which it kills itself. */
  killAt: number;
};

/** Exit code of a thread that killed itself. */
const KILLED = 9;

const orders: Orders = JSON.parse(process.argv[2] ?? '');
let index = 0;

const client = new CardPlatformClient({
  baseUrl: orders.baseUrl,
  ...orders.credentials,
  accessToken: orders.accessToken,
  journal: createJournal({ store: folderStore(orders.folder) }),
  clock: {
    now: () => orders.startsAt + 1_000 * index,
    elapsed: () => performance.now(),
    schedule: (callback, ms) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  },
});

let continuations = 0;
createHook({
  before() {
    if (++continuations < orders.killAt) return;
    if (isMainThread) process.kill(process.pid, 'SIGKILL');
    else process.exit(KILLED);
  },
}).enable();

for (const { operation, input } of orders.operations) {
  const path = operation.split('.');
  const name = path.pop() ?? '';
  let resource: unknown = client;
  for (const part of path) resource = Reflect.get(Object(resource), part);
  const options = { headers: { 'x-operation': String(index) }, retry: false };
  const method = Reflect.get(Object(resource), name);
  const hasInput = Object.keys(input).length > 0;
  await Promise.resolve(
    Reflect.apply(method, resource, hasInput ? [input, options] : [options]),
  ).catch(() => undefined);
  index++;
}
process.exit(0);

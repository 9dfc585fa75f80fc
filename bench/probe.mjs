// One contestant in a process of its own: measures the memory held after its first call and the
// bytes that each call allocates. Needs `--expose-gc`, and a young generation so large that it is
// not collected within a batch. Arguments: the contestant's module, the server, batches, calls in a
// batch.
import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';

const [module, baseUrl, batches, calls] = process.argv.slice(2);
const gc = () => {
  globalThis.gc();
  globalThis.gc();
};
/** Bytes on the heap, and the external bytes that the heap holds. */
const inUse = () => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const observer = new PerformanceObserver(() => {});
observer.observe({ entryTypes: ['gc'] });
/** Whether the collector has run since the last time. */
async function wasCollected() {
  // Reported in a later turn of the event loop.
  await setImmediate();
  await setImmediate();
  return observer.takeRecords().length > 0;
}

async function allocatedByBatch(call) {
  gc();
  await wasCollected();
  const before = inUse();
  for (let i = 0; i < calls; i++) await call();
  const after = inUse();
  // A batch in which the collector ran cannot be counted.
  return (await wasCollected()) ? undefined : (after - before) / calls;
}

async function allocated(call) {
  for (let i = 0; i < 200; i++) await call();
  const figures = [];
  for (let batch = 0; batch < batches; batch++) {
    const bytes = await allocatedByBatch(call);
    if (bytes !== undefined) figures.push(bytes);
  }
  return figures.sort((one, other) => one - other);
}

gc();
const before = { held: inUse(), resident: process.memoryUsage().rss };
const { connect } = await import(module);
const { get, post } = connect(baseUrl);
await get();
const resident = process.memoryUsage().rss - before.resident;
gc();
const held = inUse() - before.held;
process.send({ held, resident, get: await allocated(get), post: await allocated(post) });
process.disconnect();

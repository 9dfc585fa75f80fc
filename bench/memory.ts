import { inProcess } from './child.js';
import type { Section } from './report.js';
import { atMost, cell, LIMITS } from './targets.js';

const MEBIBYTE = 1024 * 1024;

type Grown = { calls: number; bytes: number };

/** Measures the memory that is held after many calls that share one signal. */
export async function measureMemory(isQuick: boolean): Promise<Section> {
  const counts = isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000];
  const grown = await inProcess<Grown[]>('held.mjs', counts, ['--expose-gc']);
  const rows = grown.map(({ calls, bytes }) => {
    const mebibytes = bytes / MEBIBYTE;
    const target = cell(atMost(mebibytes, LIMITS.heapHeld, 'MiB'));
    return [calls.toLocaleString('en'), `${mebibytes.toFixed(2)} MiB`, target];
  });
  return { title: 'Heap held after many calls', heads: ['calls', 'growth', 'target'], rows };
}

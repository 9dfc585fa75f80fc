import { setImmediate } from 'node:timers/promises';
import { CardPlatformClient } from '../dist/index.js';
import type { Section } from './report.js';

const ANSWER = JSON.stringify({ id: 'c', status: 'ACTIVE' });
const MEBIBYTE = 1024 * 1024;

/** Bytes in use after collection. Needs `--expose-gc`. */
function heapUsed(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** Memory that is held after many calls, with one signal that all of them share. */
export async function measureMemory(isQuick: boolean): Promise<Section> {
  const { signal } = new AbortController();
  const client = new CardPlatformClient({
    baseUrl: 'https://api.example.com',
    clientKey: 'key',
    accessToken: 'token',
    fetch: async () => {
      // A real answer takes a turn of the event loop; without one nothing weak is ever let go.
      await setImmediate();
      return new Response(ANSWER, { headers: { 'content-type': 'application/json' } });
    },
  });
  const rows: string[][] = [];
  for (let i = 0; i < 2_000; i++) await client.card.status({ signal });
  const before = heapUsed();
  let done = 0;
  for (const calls of isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000]) {
    for (; done < calls; done++) await client.card.status({ signal });
    const grown = (heapUsed() - before) / MEBIBYTE;
    rows.push([calls.toLocaleString('en'), `${grown.toFixed(2)} MiB`]);
  }
  return { title: 'Heap held after so many calls', heads: ['calls', 'growth'], rows };
}

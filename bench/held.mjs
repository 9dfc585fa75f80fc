// Measures the memory that is held after many calls that share one signal, in a process of its own.
// Needs `--expose-gc`. Arguments: numbers of calls.
import { setImmediate } from 'node:timers/promises';
import { CardPlatformClient } from 'card-platform-sdk';

const RESPONSE = JSON.stringify({ id: 'c', status: 'ACTIVE' });
const WARM_UP = 2_000;

function heapUsed() {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

const { signal } = new AbortController();
const client = new CardPlatformClient({
  baseUrl: 'https://api.example.com',
  clientKey: 'key',
  accessToken: 'token',
  fetch: async () => {
    // A real response takes a turn of the event loop. Without one, nothing weak is ever collected.
    await setImmediate();
    return new Response(RESPONSE, { headers: { 'content-type': 'application/json' } });
  },
});
for (let i = 0; i < WARM_UP; i++) await client.card.status({ signal });
const before = heapUsed();
const grown = [];
let done = 0;
for (const calls of process.argv.slice(2).map(Number)) {
  for (; done < calls; done++) await client.card.status({ signal });
  grown.push({ calls, bytes: heapUsed() - before });
}
process.send(grown);
process.disconnect();

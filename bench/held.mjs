// What is held after many calls with one signal that all of them share, in a process of its own.
// Needs `--expose-gc`. Arguments: counts of calls.
import { setImmediate } from 'node:timers/promises';
import { CardPlatformClient } from 'card-platform-sdk';

const ANSWER = JSON.stringify({ id: 'c', status: 'ACTIVE' });
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
    // A real answer takes a turn of the event loop; without one nothing weak is ever let go.
    await setImmediate();
    return new Response(ANSWER, { headers: { 'content-type': 'application/json' } });
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

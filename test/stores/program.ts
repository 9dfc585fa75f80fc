import type { KeyValueStore } from '../../src/index.js';
import { createSessions } from '../../src/sessions/index.js';
import { systemClock } from '../../src/transport/attempts/clock.js';
import { CONNECT, type RecipeName } from './databases.js';

// One of two programs that share a database. The test says what it does, one message at a time.
const [name = '', address = '', recipe = ''] = process.argv.slice(2);
const { database, close } = await CONNECT[name as RecipeName](address);

const exported: Record<string, (database: unknown) => KeyValueStore> = {};
new Function('exports', recipe)(exported);
const store = exported[name]?.(database);
if (store === undefined) throw new Error(`the recipe exports no ${name}`);

let ahead = 0;
const sessions = createSessions({
  store,
  locks: false,
  clock: { ...systemClock, now: () => Date.now() + ahead },
  renew: async ({ takeRefreshToken }) => {
    const sent = await takeRefreshToken();
    process.send?.({ sent });
    const next = Number(sent?.replace('refresh-', '')) + 1;
    return { accessToken: `token-${next}`, refreshToken: `refresh-${next}` };
  },
});

const ACTIONS = {
  async count(times: number) {
    for (let time = 0; time < times; time++) {
      await store?.update('count', (text) => String(Number(text ?? 0) + 1));
    }
  },
  async token(hoursAhead: number) {
    ahead = hoursAhead * 3_600_000;
    return (await sessions.load()).session?.accessToken({ reason: 'request' });
  },
  async close() {
    await close();
    process.disconnect();
  },
};

process.on('message', async ([action, value]: [keyof typeof ACTIONS, number]) => {
  const result = await ACTIONS[action](value);
  if (process.connected) process.send?.({ result });
});
process.send?.({ result: 'ready' });

import { CardPlatformClient } from '../src/client.js';
import { createQueries } from '../src/query/index.js';
import type { Orders } from './run/run-seeds.js';
import { runWorld } from './run/run-world.js';

const { scenario, count, step } = JSON.parse(process.argv[2] ?? '') as Orders;

// Work that this process does only once must not be part of its first run: the same seed must
// produce the same run, whatever ran before it.
const client = new CardPlatformClient({ baseUrl: 'https://warm-up.example' });
createQueries({ client, user: null, region: 'global' }).card.order();
await runWorld({ seed: 0, days: 0.1, without: [] });

for (let index = 0; index < count; index++) {
  const result = await runWorld({ ...scenario, seed: scenario.seed + index * step });
  process.stdout.write(`${JSON.stringify(result)}\n`);
  if (result.violation !== undefined) break;
}

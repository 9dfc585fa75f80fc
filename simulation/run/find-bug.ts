import type { PlantedBug } from '../planted/planted-bug.js';
import { WORLD_DAYS } from '../world/world.js';
import type { Bundler } from './bundle.js';
import { runInChild } from './run-seeds.js';
import type { RunResult } from './run-world.js';

/** Ten worlds are enough for each bug. They were not used to write the bugs, nor the worlds. */
const BUG_SEEDS = { first: 500_001, count: 10 };

/** Plants a bug, and runs the seeds until one finds it. */
export async function findBug(
  bundler: Bundler,
  bug: PlantedBug,
  { first: seed, count } = BUG_SEEDS,
): Promise<RunResult | undefined> {
  const scenario = { seed, days: WORLD_DAYS, without: [], actors: bug.actors };
  const results = await runInChild(await bundler.build(bug), { scenario, count, step: 1 });
  return results.find(({ violation }) => violation !== undefined);
}

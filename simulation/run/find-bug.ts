import type { PlantedBug } from '../planted/planted-bug.js';
import { WORLD_DAYS } from '../world/world.js';
import type { Bundler } from './bundle.js';
import { runInChild } from './run-seeds.js';
import type { RunResult } from './run-world.js';

/** The seeds that CI runs. */
export const CI_SEEDS = { first: 1, count: 40 };

/** Plants a bug, and runs the seeds until one finds it. Default: its own, or those of CI. */
export async function findBug(
  bundler: Bundler,
  bug: PlantedBug,
  { first: seed, count } = bug.seeds ?? CI_SEEDS,
): Promise<RunResult | undefined> {
  const scenario = { seed, days: WORLD_DAYS, without: [], actors: bug.actors };
  const results = await runInChild(await bundler.build(bug), { scenario, count, step: 1 });
  return results.find(({ violation }) => violation !== undefined);
}

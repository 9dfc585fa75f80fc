import type { PlantedBug } from '../planted/planted-bug.js';
import { WORLD_DAYS } from '../world/world.js';
import type { Bundler } from './bundle.js';
import { runInChild } from './run-seeds.js';
import type { RunResult } from './run-world.js';

/** The seeds that CI runs. */
export const CI_SEEDS = { first: 1, count: 40 };

/** Plants a bug, and runs the seeds of CI, or its own, until one finds it. */
export async function findBug(bundler: Bundler, bug: PlantedBug): Promise<RunResult | undefined> {
  const { first: seed, count } = bug.seeds ?? CI_SEEDS;
  const scenario = { seed, days: WORLD_DAYS, without: [], actors: bug.actors };
  const results = await runInChild(await bundler.build(bug), { scenario, count, step: 1 });
  return results.find(({ violation }) => violation !== undefined);
}

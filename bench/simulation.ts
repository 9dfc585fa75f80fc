import { availableParallelism } from 'node:os';
import { openBundler } from '../simulation/run/bundle.js';
import { runSeeds } from '../simulation/run/run-seeds.js';
import { WORLD_DAYS } from '../simulation/world/world.js';
import type { Section } from './report.js';
import { atLeast, cell, LIMITS } from './targets.js';

/** Measures how many days per second the simulation covers, with all processors. */
export async function measureSimulation(isQuick: boolean): Promise<Section> {
  const count = isQuick ? 10 : 80;
  const jobs = availableParallelism();
  const bundler = await openBundler();
  const file = await bundler.build();
  try {
    const startedAt = performance.now();
    const scenario = { seed: 1, days: WORLD_DAYS, without: [] };
    const results = await runSeeds(file, scenario, { count, jobs });
    const seconds = (performance.now() - startedAt) / 1_000;
    const days = results.length * WORLD_DAYS;
    const rate = days / seconds;
    const calls = results.reduce((sum, result) => sum + result.calls, 0);
    const target = cell(atLeast(rate, LIMITS.simulatedDays, 'days per second'));
    return {
      title: 'The simulation',
      heads: ['what', 'measured', 'target'],
      rows: [
        [
          `simulated days, ${jobs} processes`,
          `${rate.toFixed(1)} per second, of ${(calls / days).toFixed(0)} calls each (${(calls / seconds).toFixed(0)} calls per second)`,
          target,
        ],
      ],
    };
  } finally {
    await bundler.close();
  }
}

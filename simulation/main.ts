import { availableParallelism } from 'node:os';
import { openBundler } from './run/bundle.js';
import { readOptions } from './run/options.js';
import { runInChild, runSeeds } from './run/run-seeds.js';
import { replayLine, shrink } from './run/shrink.js';
import { summaryOf } from './run/summary.js';
import { WORLD_DAYS } from './world/world.js';

const { seed, days, jobs, without, actors, isVerbose } = readOptions(
  process.argv.slice(2),
  availableParallelism(),
);
const scenario = { seed, days: Math.min(days, WORLD_DAYS), without, actors };
const count = Math.max(1, Math.ceil(days / WORLD_DAYS));
const bundler = await openBundler();
const file = await bundler.build();
const startedAt = performance.now();
console.log(`first seed ${seed}, ${count} seeds of ${scenario.days} days, ${jobs} processes`);
try {
  const results = await runSeeds(file, scenario, { count, jobs }, (result) => {
    if (isVerbose) console.log(`seed ${result.scenario.seed}: ${result.hash}`);
  });
  console.log(summaryOf(results, (performance.now() - startedAt) / 1_000));
  const failed = results
    .filter(({ violation }) => violation !== undefined)
    .sort((one, other) => one.scenario.seed - other.scenario.seed)[0];
  if (failed?.violation !== undefined) {
    process.exitCode = 1;
    const { invariant, problem } = failed.violation;
    console.log(failed.lastLines.join('\n'));
    console.log(`${invariant}: ${problem}`);
    const smaller = await shrink(failed, async (one) => {
      const [result] = await runInChild(file, { scenario: one, count: 1, step: 1 });
      return result;
    });
    console.log(`replay: ${replayLine(failed.scenario)}`);
    if (smaller !== failed) console.log(`smaller: ${replayLine(smaller.scenario)}`);
  }
} finally {
  await bundler.close();
}

import { parseArgs } from 'node:util';
import { PLANTED_BUGS } from './planted/index.js';
import { openBundler } from './run/bundle.js';
import { findBug } from './run/find-bug.js';
import { replayLine } from './run/shrink.js';

// Finds every planted bug, or those whose name contains the argument. With `--seed`, in the ten worlds
// from that seed, instead of those of CI.
const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' } },
  allowPositionals: true,
});
const [part = ''] = positionals;
const fresh = values.seed === undefined ? undefined : { first: Number(values.seed), count: 10 };

const waiting = PLANTED_BUGS.filter(({ name }) => name.includes(part));
const counts: Record<string, number> = {};

async function work(): Promise<void> {
  const bundler = await openBundler(PLANTED_BUGS);
  for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
    const found = await findBug(bundler, bug, fresh);
    const { invariant = '', problem = '' } = found?.violation ?? {};
    const result =
      found === undefined ? 'MISSED' : bug.foundBy.includes(invariant) ? 'found' : 'OTHER';
    counts[result] = (counts[result] ?? 0) + 1;
    const line = found && `${invariant} (${problem.slice(0, 90)}) ${replayLine(found.scenario)}`;
    console.log(`${result.padEnd(6)} ${bug.name}${line ? `: ${line}` : ''}`);
  }
  await bundler.close();
}

await Promise.all([work(), work()]);
console.log(counts);

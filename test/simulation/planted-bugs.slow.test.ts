import { afterAll, describe, expect, it, vi } from 'vitest';
import { PLANTED_BUGS } from '../../simulation/planted/index.js';
import { openBundler } from '../../simulation/run/bundle.js';
import { findBug } from '../../simulation/run/find-bug.js';
import { readOptions } from '../../simulation/run/options.js';
import { runInChild } from '../../simulation/run/run-seeds.js';
import { replayLine, shrink } from '../../simulation/run/shrink.js';
import { FAULT_KINDS } from '../../simulation/world/faults.js';
import type { Scenario } from '../../simulation/world/world.js';

// So long that only a test that hangs reaches it.
vi.setConfig({ testTimeout: 3_600_000 });

/** With 5, as in `.ci/run`, every fifth bug is planted, others every day. The night plants them all. */
const STEP = Number(process.env['PLANTED_STEP'] ?? 1);
const DAY_MS = 86_400_000;
const first = Math.floor(Date.now() / DAY_MS) % STEP;
const planted = PLANTED_BUGS.filter((_, index) => index % STEP === first);

/** As many in parallel as CI has processors. */
const bundlers = [await openBundler(PLANTED_BUGS), await openBundler(PLANTED_BUGS)] as const;
afterAll(() => Promise.all(bundlers.map((bundler) => bundler.close())));

describe('a bug planted in the sources', () => {
  it('is found within ten worlds, whichever it is', async () => {
    const waiting = [...planted];
    const missed: string[] = [];
    const lines: string[] = [];
    const work = async (bundler: (typeof bundlers)[number]) => {
      for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
        const found = await findBug(bundler, bug);
        const { invariant = 'none' } = found?.violation ?? {};
        if (!bug.foundBy.includes(invariant)) missed.push(`${bug.name}: ${invariant}`);
        if (found !== undefined) {
          lines.push(`${bug.name}: ${invariant}, ${replayLine(found.scenario)}`);
        }
      }
    };
    await Promise.all(bundlers.map(work));
    console.log(lines.sort().join('\n'));
    expect(missed).toEqual([]);
  });
});

describe('a failing run of a planted bug', () => {
  it('is made smaller, and the line of the smaller one breaks the same invariant', async () => {
    const [bundler] = bundlers;
    const bug = PLANTED_BUGS.find(({ name }) => name === 'a missing response counts as not sent');
    if (bug === undefined) throw new Error('there must be this bug');
    const found = await findBug(bundler, bug);
    if (found === undefined) throw new Error('it must be found');
    const file = await bundler.build(bug);
    const run = async (scenario: Scenario) => {
      const [result] = await runInChild(file, { scenario, count: 1, step: 1 });
      return result;
    };

    const smaller = await shrink(found, run);
    const { actors, days, without } = smaller.scenario;
    expect(actors).toHaveLength(1);
    expect(days).toBeLessThan(found.scenario.days);
    expect(without.length).toBeGreaterThan(FAULT_KINDS.length / 2);

    const line = replayLine(smaller.scenario);
    const { jobs, isVerbose, ...replayed } = readOptions(line.split(' ').slice(4), 1);
    expect({ jobs, isVerbose }).toEqual({ jobs: 1, isVerbose: false });
    const again = await run(replayed);
    expect(again?.violation).toEqual(smaller.violation);
    expect(again?.violation?.invariant).toBe(found.violation?.invariant);
    expect(again?.hash).toBe(smaller.hash);
  });
});

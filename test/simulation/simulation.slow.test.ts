import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bundleSimulation } from '../../simulation/run/bundle.js';
import { CI_SEEDS } from '../../simulation/run/find-bug.js';
import { runInChild, runSeeds } from '../../simulation/run/run-seeds.js';
import { replayLine, shrink } from '../../simulation/run/shrink.js';
import { hashOf, summaryOf } from '../../simulation/run/summary.js';
import { WORLD_DAYS } from '../../simulation/world/world.js';

// Only ends a test that hangs.
vi.setConfig({ testTimeout: 3_600_000 });

const SCENARIO = { seed: CI_SEEDS.first, days: WORLD_DAYS, without: [] };

let bundle: Awaited<ReturnType<typeof bundleSimulation>>;
beforeAll(async () => {
  bundle = await bundleSimulation();
});
afterAll(() => bundle.remove());

describe('the simulation', () => {
  it('breaks no invariant with the seeds of CI', async () => {
    const startedAt = performance.now();
    const results = await runSeeds(bundle.file, SCENARIO, {
      count: CI_SEEDS.count,
      jobs: availableParallelism(),
    });
    console.log(summaryOf(results, (performance.now() - startedAt) / 1_000));
    const broken = results.filter(({ violation }) => violation !== undefined);
    const lines = broken.map(({ scenario, violation }) => [violation, replayLine(scenario)]);
    expect(lines).toEqual([]);
    expect(results).toHaveLength(CI_SEEDS.count);
  });

  it('is the same for the same seed in another process, alone and after other seeds', async () => {
    const third = { ...SCENARIO, seed: SCENARIO.seed + 2 };
    const [alone, afterOthers] = await Promise.all([
      runInChild(bundle.file, { scenario: third, count: 1, step: 1 }),
      runInChild(bundle.file, { scenario: SCENARIO, count: 3, step: 1 }),
    ]);
    expect(afterOthers[2]?.hash).toBe(alone[0]?.hash);
    expect(hashOf(afterOthers)).not.toBe(hashOf(alone));
  });

  it('meets every kind of fault, and can be told to leave one out', async () => {
    const [usual] = await runInChild(bundle.file, { scenario: SCENARIO, count: 1, step: 1 });
    expect(usual?.faults['crash']).toBeGreaterThan(0);
    const calm = { ...SCENARIO, days: 0.5, without: ['crash', 'reset'] as const };
    const [result] = await runInChild(bundle.file, { scenario: calm, count: 1, step: 1 });
    expect(result?.faults).not.toHaveProperty('crash');
    expect(result?.faults).not.toHaveProperty('reset');
    expect(result?.violation).toBeUndefined();
  });
});

describe('a smaller scenario', () => {
  it('keeps only what the violation needs', async () => {
    const [result] = await runInChild(bundle.file, {
      scenario: { ...SCENARIO, days: 0.1 },
      count: 1,
      step: 1,
    });
    if (result === undefined) throw new Error('there must be a result');
    const violation = { invariant: 'moves-at-most-once', problem: 'twice', time: 3_600_000 };
    // It needs the server, and requests that get lost.
    const smaller = await shrink({ ...result, violation }, async (scenario) => {
      const isBroken =
        scenario.actors?.includes('server') !== false && !scenario.without.includes('lost');
      return { ...result, scenario, violation: isBroken ? violation : undefined };
    });
    const { actors, without, days } = smaller.scenario;
    expect({ actors, days }).toEqual({ actors: ['server'], days: 0.05 });
    expect(without).toContain('reset');
    expect(without).not.toContain('lost');
    expect(replayLine(smaller.scenario)).toMatch(
      /^npm run simulate -- --seed 1 --days 0.05 --actors server --without refused,reset,late,/,
    );
  });
});

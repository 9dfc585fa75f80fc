import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Bundler, openBundler } from '../../simulation/run/bundle.js';
import { runInChild, runSeeds } from '../../simulation/run/run-seeds.js';
import type { RunResult } from '../../simulation/run/run-world.js';
import { replayLine, shrink } from '../../simulation/run/shrink.js';
import { hashOf, summaryOf, totalOf } from '../../simulation/run/summary.js';
import { FAULT_KINDS } from '../../simulation/world/faults.js';
import { type Scenario, WORLD_DAYS } from '../../simulation/world/world.js';

// So long that only a test that hangs reaches it.
vi.setConfig({ testTimeout: 3_600_000 });

/** How many worlds CI runs. */
const WORLDS = 40;
const SCENARIO = { seed: 1, days: WORLD_DAYS, without: [] };

let bundler: Bundler;
let file: string;
/** Those worlds, which several tests look at. */
let results: RunResult[];

beforeAll(async () => {
  bundler = await openBundler();
  file = await bundler.build();
  const startedAt = performance.now();
  results = await runSeeds(file, SCENARIO, { count: WORLDS, jobs: availableParallelism() });
  console.log(summaryOf(results, (performance.now() - startedAt) / 1_000));
}, 3_600_000);
afterAll(() => bundler.close());

async function runOne(scenario: Scenario): Promise<RunResult> {
  const [result] = await runInChild(file, { scenario, count: 1, step: 1 });
  if (result === undefined) throw new Error('there must be a result');
  return result;
}

describe('the simulation', () => {
  it('breaks no invariant with the seeds of CI', () => {
    const broken = results.filter(({ violation }) => violation !== undefined);
    const lines = broken.map(({ scenario, violation }) => [violation, replayLine(scenario)]);
    expect(lines).toEqual([]);
    expect(results).toHaveLength(WORLDS);
  });

  it('breaks no invariant in ten worlds whose users do the same within a short time', async () => {
    const scenario = { ...SCENARIO, actors: ['offices'] };
    const jobs = availableParallelism();
    const ended = await runSeeds(file, scenario, { count: 10, jobs });
    const broken = ended.filter(({ violation }) => violation !== undefined);
    expect(broken.map(({ scenario: one, violation }) => [violation, replayLine(one)])).toEqual([]);
    expect(ended).toHaveLength(10);
  });

  it('is the same for the same seed in another process, alone and after other seeds', async () => {
    // The last one, because its process has run others before.
    const seed = SCENARIO.seed + WORLDS - 1;
    const afterOthers = results.find(({ scenario }) => scenario.seed === seed);
    const alone = await runOne({ ...SCENARIO, seed });
    expect(alone).toEqual(afterOthers);
    expect(hashOf([alone])).not.toBe(hashOf(results));
    expect(new Set(results.map(({ hash }) => hash)).size).toBe(WORLDS);
  });

  it('causes every kind of fault, except those that an option excludes', async () => {
    const met = new Set(results.flatMap(({ faults }) => Object.keys(faults)));
    expect([...met].sort()).toEqual([...FAULT_KINDS].sort());
    const calm = await runOne({ ...SCENARIO, days: 0.5, without: ['crash', 'reset'] });
    expect(calm.faults).not.toHaveProperty('crash');
    expect(calm.faults).not.toHaveProperty('reset');
    expect(calm.faults).toHaveProperty('late');
    expect(calm.violation).toBeUndefined();
  });
});

describe('the lies of a success status', () => {
  const MONEY = [
    'wallets.credit.withdraw',
    'wallets.internal.withdraw',
    'card.order',
    'orders.create',
    'POST /v1/delegation/evm/post-approval',
    'POST /v1/delegation/solana/post-approval',
    'POST /v1/auth/oauth/token',
  ];
  const OTHERS = [
    'auth.login',
    'card.createDetailsToken',
    'card.freeze',
    'card.unfreeze',
    'delegation.getToken',
    'wallets.internal.create',
    'wallets.internal.linkToCard',
    'wallets.internal.unlinkFromCard',
    'webhooks.create',
    'webhooks.rotateKey',
  ];
  const LIES = ['portal', 'words', 'bad-body', 'cut-body', 'slow-body'];
  const every = [...MONEY, ...OTHERS].flatMap((id) => LIES.map((lie) => `${lie} ${id}`));
  const expected = [...every, ...MONEY.map((id) => `empty-money ${id}`)].sort();

  it('meet every command', () => {
    expect([...totalOf(results.map(({ lies }) => lies)).keys()].sort()).toEqual(expected);
  });
});

describe('a smaller scenario', () => {
  it('keeps only what the violation needs', async () => {
    const result = await runOne({ ...SCENARIO, days: 0.1 });
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

import { beforeAll, describe, expect, it } from 'vitest';
import { RUNS } from '../../properties/runs.js';
import { openTab, type Tab } from './pages.js';
import { describeFailure, explore, replay } from './run-model.js';
import { SEEDS } from './seeds.js';

/** One run plays up to 30 moves, and a page that resumes until its wallet is registered. */
const MODEL_RUNS = Math.ceil(RUNS / 2);
const MODEL_SEED = process.env['MODEL_SEED'];

let tabs: Tab[];

beforeAll(async () => {
  // Loading a file takes real time, for which the model does not wait.
  tabs = [await openTab(), await openTab()];
});

describe('a delegation on a toy chain', () => {
  it('asks for one approval and loses no proof, whatever happens at any step', async () => {
    const seed = MODEL_SEED === undefined ? {} : { seed: Number(MODEL_SEED) };
    const report = await explore(tabs, { numRuns: MODEL_RUNS, ...seed });
    expect(report.failed, describeFailure(report)).toBe(false);
  }, 7_200_000);

  it.each(SEEDS)('survives a case that once failed: $found', async (seed) => {
    await expect(replay(tabs, seed)).resolves.toBeUndefined();
  });
});

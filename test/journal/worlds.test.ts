import { expect, it } from 'vitest';
import { runWorld, type Verdict } from './worlds.js';

/** The number of worlds. `JOURNAL_WORLDS=200000` takes some minutes. */
const WORLDS = Number(process.env['JOURNAL_WORLDS'] ?? 400);
const FIRST = Number(process.env['JOURNAL_FIRST_WORLD'] ?? 1);

it(`no verdict is false in ${WORLDS} random worlds`, { timeout: 3_600_000 }, async () => {
  const counts: Record<Verdict, number> = { executed: 0, not_executed: 0, undecided: 0 };
  for (let seed = FIRST; seed < FIRST + WORLDS; seed++) {
    const { verdicts, lies } = await runWorld(seed);
    expect(lies, `world ${seed}`).toEqual([]);
    for (const verdict of verdicts) counts[verdict]++;
  }
  if (WORLDS > 10_000) console.log(counts);
  // Each verdict was put to the test.
  expect(counts.executed).toBeGreaterThan(WORLDS / 100);
  expect(counts.not_executed).toBeGreaterThan(WORLDS / 20);
});

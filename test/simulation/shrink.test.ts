import { expect, it } from 'vitest';
import { USUAL_ACTORS } from '../../simulation/actors/index.js';
import type { RunResult } from '../../simulation/run/run-world.js';
import { shrink } from '../../simulation/run/shrink.js';

/** It only pays with the cards of the others, so nothing breaks in a world with it alone. */
const DEPENDENT = ['shopper'];
const alone = Object.keys(USUAL_ACTORS).filter((name) => !DEPENDENT.includes(name));

it.each(alone)('a violation that needs only the actor %s keeps only that one', async (actor) => {
  const failed = {
    scenario: { seed: 1, days: 1, without: [] },
    violation: { invariant: 'settled-entry-is-decided', problem: 'open', time: 3_600_000 },
  } as unknown as RunResult;
  const smaller = await shrink(failed, async (scenario) =>
    scenario.actors?.includes(actor) === false ? undefined : { ...failed, scenario },
  );
  expect(smaller.scenario.actors).toEqual([actor]);
});

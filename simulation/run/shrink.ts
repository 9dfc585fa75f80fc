import { FAULT_KINDS, type FaultKind } from '../world/faults.js';
import type { Scenario } from '../world/world.js';
import type { RunResult } from './run-world.js';

const DAY_MS = 24 * 60 * 60_000;
/** Those that can do something alone. */
const ACTORS = [
  'server',
  'phone',
  'page',
  'query',
  'receiver',
  'evm',
  'solana',
  'tablet',
  'hurried',
  'witness',
];

/** Returns the command that runs a scenario again. */
export function replayLine({ seed, days, without, actors }: Scenario): string {
  const options = [
    `--seed ${seed}`,
    `--days ${days}`,
    ...(actors === undefined ? [] : [`--actors ${actors.join(',')}`]),
    ...(without.length === 0 ? [] : [`--without ${without.join(',')}`]),
  ];
  return `npm run simulate -- ${options.join(' ')}`;
}

/**
 * Looks for a smaller scenario that breaks the same invariant: a shorter one, with fewer actors, with
 * fewer kinds of faults.
 *
 * @param run - runs one scenario
 */
export async function shrink(
  failed: RunResult,
  run: (scenario: Scenario) => Promise<RunResult | undefined>,
): Promise<RunResult> {
  let smallest = failed;
  const attempt = async (change: Partial<Scenario>) => {
    const result = await run({ ...smallest.scenario, ...change });
    const isSame = result?.violation?.invariant === failed.violation?.invariant;
    if (isSame && result !== undefined) smallest = result;
    return isSame;
  };
  const shorten = async () => {
    const time = smallest.violation?.time ?? 0;
    const days = Math.ceil((time / DAY_MS) * 100) / 100;
    if (days < smallest.scenario.days) await attempt({ days });
  };
  // Most kinds of faults are not needed, so this removes many at once, and fewer if one of them is
  // needed.
  const leaveOut = async (kinds: readonly FaultKind[]): Promise<void> => {
    const isDone = await attempt({ without: [...smallest.scenario.without, ...kinds] });
    if (isDone || kinds.length === 1) return;
    const half = Math.ceil(kinds.length / 2);
    await leaveOut(kinds.slice(0, half));
    await leaveOut(kinds.slice(half));
  };
  await shorten();
  for (const actor of failed.scenario.actors ?? ACTORS)
    if (await attempt({ actors: [actor] })) break;
  await shorten();
  await leaveOut(FAULT_KINDS.filter((kind) => !smallest.scenario.without.includes(kind)));
  await shorten();
  return smallest;
}

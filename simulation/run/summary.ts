import { createHash } from 'node:crypto';
import type { RunResult } from './run-world.js';

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** The hash of a whole run, which does not depend on the number of processes. */
export function hashOf(results: readonly RunResult[]): string {
  const sorted = [...results].sort((one, other) => one.scenario.seed - other.scenario.seed);
  const text = sorted.map(({ hash }) => hash).join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** The counts of all runs together. */
export function totalOf(counts: readonly Readonly<Record<string, number>>[]): Map<string, number> {
  const total = new Map<string, number>();
  for (const [kind, count] of counts.flatMap((one) => Object.entries(one))) {
    total.set(kind, (total.get(kind) ?? 0) + count);
  }
  return total;
}

/** How often the lies met commands, and where least often. */
function lineOfLies(results: readonly RunResult[]): string {
  const lies = [...totalOf(results.map(({ lies }) => lies))].sort(
    ([, one], [, other]) => one - other,
  );
  const [rarest = 'none', fewest = 0] = lies[0] ?? [];
  return `${sum(lies.map(([, count]) => count))} lies in ${lies.length} pairs of lie and command, least often ${rarest}: ${fewest}`;
}

/** The figures of a run, as text. */
export function summaryOf(results: readonly RunResult[], seconds: number): string {
  const days = sum(results.map((result) => result.days));
  const faults = totalOf(results.map((result) => result.faults));
  const kinds = [...faults].sort(([one], [other]) => one.localeCompare(other));
  const violations = results.filter(({ violation }) => violation !== undefined).length;
  return [
    `${days} simulated days in ${seconds.toFixed(1)} s (${(days / seconds).toFixed(1)} days per second)`,
    `${sum(results.map(({ calls }) => calls))} calls, ${sum(results.map(({ requests }) => requests))} requests, ${sum(results.map(({ steps }) => steps))} steps`,
    `${sum([...faults.values()])} faults: ${kinds.map(([kind, count]) => `${kind} ${count}`).join(', ')}`,
    lineOfLies(results),
    `${violations} violations`,
    `trace ${hashOf(results)}`,
  ].join('\n');
}

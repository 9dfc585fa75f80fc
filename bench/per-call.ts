import {
  type Contestant,
  KY_1,
  OTHERS,
  OURS,
  OURS_OVER_FETCH,
  OURS_OVER_KY,
  RAW_FETCH,
  STRIPE,
  WITHDRAWAL,
} from './contestants.js';
import { compare, type Figure, openRunners } from './measure.js';
import type { Section } from './report.js';
import { atMost, cell, LIMITS } from './targets.js';

/** The CPU time of each contestant of one comparison, relative to raw `fetch`. */
type Ratios = ReadonlyMap<string, number>;

/**
 * Returns the target of a contestant as a cell: a fixed limit, or one that others set in the same
 * run.
 */
function targetOf({ name }: Contestant, ratios: Ratios): string {
  const ratio = ratios.get(name) ?? Number.NaN;
  if (name === OURS_OVER_FETCH.name) return cell(atMost(ratio, LIMITS.cpu.overFetch));
  if (name === OURS_OVER_KY.name) {
    const limit = (ratios.get(KY_1.name) ?? Number.NaN) + LIMITS.cpu.overKy;
    const text = `at most ${KY_1.name} plus ${LIMITS.cpu.overKy}`;
    return cell({ text, isMet: ratio <= limit });
  }
  if (name !== OURS.name) return '';
  const isMet = ratio <= (ratios.get(STRIPE.name) ?? Number.NaN);
  return cell({ text: `at most ${STRIPE.name}`, isMet });
}

const AGAIN: Contestant = { ...RAW_FETCH, name: 'raw fetch again' };

function rowsOf(
  method: 'get' | 'post',
  atOnce: number,
  figures: readonly Figure[],
  contestants: readonly Contestant[],
): string[][] {
  const raw = figures[0]?.cpu ?? 1;
  const ratios = new Map(figures.map(({ name, cpu }) => [name, cpu / raw]));
  return figures.map(({ name, cpu, wall, least, most }) => {
    const contestant = contestants.find((one) => one.name === name);
    return [
      (cpu / raw).toFixed(2),
      `${method.toUpperCase()}, ${atOnce} at once`,
      name,
      `${cpu.toFixed(0)} µs (${least.toFixed(0)} to ${most.toFixed(0)})`,
      `${wall.toFixed(0)} µs`,
      contestant === undefined ? '' : targetOf(contestant, ratios),
    ];
  });
}

/** Measures the client's CPU time per call against raw fetch and JSON.parse. */
export async function measureCalls(baseUrl: string, isQuick: boolean): Promise<Section> {
  const ours = [OURS, OURS_OVER_FETCH, OURS_OVER_KY, WITHDRAWAL];
  const contestants = [RAW_FETCH, ...ours, ...OTHERS, KY_1, AGAIN];
  const { runners, close } = await openRunners(contestants, baseUrl, isQuick ? 640 : 3_200);
  const rows: string[][] = [];
  for (const method of ['get', 'post'] as const) {
    const chosen = runners.filter(({ name }) => method === 'post' || name !== WITHDRAWAL.name);
    for (const atOnce of [1, 32]) {
      const round = { method, atOnce, calls: isQuick ? 160 : 800 };
      const figures = await compare(chosen, isQuick ? 3 : 15, round);
      rows.push(...rowsOf(method, atOnce, figures, contestants));
    }
  }
  close();
  return {
    title: 'CPU of one call against raw `fetch` + `JSON.parse`',
    note: 'User and system time of all threads of the client process; each contestant has a process of its own. A withdrawal deliberately opens a connection of its own for each call, which no other contestant does.',
    heads: ['ratio', 'what', 'who', 'CPU per call (spread of rounds)', 'wall', 'target'],
    rows,
  };
}

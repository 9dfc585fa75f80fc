import {
  type Contestant,
  KY_1,
  OURS,
  OURS_OVER_FETCH,
  OURS_OVER_KY,
  STRIPE,
} from './contestants.js';
import { atMost, cell, LIMITS } from './targets.js';

/** The CPU time of each contestant of one comparison, relative to raw `fetch`. */
export type Ratios = ReadonlyMap<string, number>;

/**
 * Returns the target of a contestant as a cell: a fixed limit, or one that others set in the same
 * run.
 */
export function targetOf({ name }: Contestant, method: 'get' | 'post', ratios: Ratios): string {
  const ratio = ratios.get(name) ?? Number.NaN;
  if (name === OURS_OVER_FETCH.name) return cell(atMost(ratio, LIMITS.cpu.overFetch));
  if (name === OURS_OVER_KY.name) {
    const limit = (ratios.get(KY_1.name) ?? Number.NaN) + LIMITS.cpu.overKy;
    const text = `at most ${KY_1.name} plus ${LIMITS.cpu.overKy}`;
    return cell({ text, isMet: ratio <= limit });
  }
  if (name !== OURS.name) return '';
  const fixed = cell(atMost(ratio, LIMITS.cpu[method]));
  if (method === 'post') return fixed;
  const isMet = ratio <= (ratios.get(STRIPE.name) ?? Number.NaN);
  return `${fixed}; ${cell({ text: `at most ${STRIPE.name}`, isMet })}`;
}

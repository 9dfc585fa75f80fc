import type { BrokenRule } from './check.js';
import type { Additions } from './lists.js';

/**
 * A check beyond the contract: what this package refuses although the service may take it, because
 * it is nearly always a mistake. A client applies it before anything is sent. The mock platform does
 * not, because the service has no such rule.
 */
export type Safeguard = {
  /** The field that is at fault. */
  readonly path: string;
  /** The rule in a sentence, for OpenAPI documents. */
  readonly rule?: string | undefined;
  /** Returns the broken rule, or `undefined`. Other checks refuse an input of a wrong form. */
  readonly problem: (
    input: Readonly<Record<string, unknown>>,
    additions: Additions,
  ) => string | undefined;
};

/** Returns the broken safeguards of an input, without fields that are known to be wrong already. */
export function brokenSafeguards(
  safeguards: readonly Safeguard[],
  input: Readonly<Record<string, unknown>>,
  additions: Additions,
  known: readonly BrokenRule[],
): readonly BrokenRule[] {
  const broken: BrokenRule[] = [];
  for (const { path, problem } of safeguards) {
    if ([...known, ...broken].some((rule) => rule.path === path)) continue;
    const message = problem(input, additions);
    if (message !== undefined) broken.push({ path, message });
  }
  return broken;
}

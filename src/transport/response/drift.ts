import type { Difference, DifferenceKind } from '../../contract/differences.js';
import { callHook } from './call-hook.js';

/** How a response differs from the contract. */
export type DriftKind = DifferenceKind;

/** Drift: a difference between a response and the contract that does not make the response useless. */
export type DriftReport = {
  /** Endpoint id, for example `card.status`. */
  operation: string;
  /**
   * The place in the response, dotted; array indexes are written as `*`. The name of an unknown field
   * that may be data, such as an id, is written as `?`.
   */
  path: string;
  /**
   * `unknown-field`: the contract has no such field. `missing-field`: the contract has it, the response
   * does not. `other-value`: a text that is not on the contract's list. `other-format`: a text or
   * number that breaks the contract's rule. `other-type`: a value of another type, `null` included.
   */
  kind: DriftKind;
  /** The rule that was broken. Never contains a value. */
  message: string;
};

const MOST_PATHS = 1_000;

/** Reports each kind of difference once for each path. */
export class DriftReporter {
  readonly #seen = new Set<string>();
  readonly #onDrift: (report: DriftReport) => void;

  constructor(onDrift: (report: DriftReport) => void) {
    this.#onDrift = onDrift;
  }

  /** Returns a function that reports the differences that have not been reported yet. */
  reporterFor(operation: string): (differences: readonly Difference[]) => void {
    return (differences) => {
      for (const { path: at, kind, message } of differences) {
        const path = withoutIndexes(at);
        const key = `${operation} ${kind} ${path}`;
        if (this.#seen.has(key) || this.#seen.size >= MOST_PATHS) continue;
        this.#seen.add(key);
        callHook(() => this.#onDrift({ operation, path, kind, message }));
      }
    };
  }
}

/** Writes the positions in lists as `*`. */
export function withoutIndexes(path: string): string {
  return path.replace(/(^|\.)\d+(?=\.|$)/g, '$1*');
}

/** The client's options for reading responses. */
export type ResponseSettings = {
  /** Whether every difference from the contract is an error. */
  readonly isStrict: boolean;
  /** `undefined` if nobody asked for reports. */
  readonly drift: DriftReporter | undefined;
};

import type { ValidationIssue } from '../../errors/index.js';
import { callHook } from './call-hook.js';

/** Drift: a harmless difference between a response and the contract. */
export type DriftReport = {
  /** Endpoint id, for example `card.status`. */
  operation: string;
  /** Dotted path in the response; array indexes are written as `*`. */
  path: string;
  /** The rule that was broken. Never holds a value. */
  message: string;
};

const MOST_PATHS = 1_000;

/** Reports each path that differs from the contract once. */
export class DriftReporter {
  readonly #seen = new Set<string>();
  readonly #onDrift: ((report: DriftReport) => void) | undefined;

  constructor(onDrift: ((report: DriftReport) => void) | undefined) {
    this.#onDrift = onDrift;
  }

  /** Reports the issues that have not been reported yet. */
  report(operation: string, issues: readonly ValidationIssue[]): void {
    for (const { path: at, message } of issues) {
      const path = at.replace(/(^|\.)\d+(?=\.|$)/g, '$1*');
      const key = `${operation} ${path}`;
      if (this.#seen.has(key) || this.#seen.size >= MOST_PATHS) continue;
      this.#seen.add(key);
      callHook(() => this.#onDrift?.({ operation, path, message }));
    }
  }
}

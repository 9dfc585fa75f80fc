import type { ValidationIssue } from '../errors/index.js';

/** A difference between an answer and the contract that does no harm. */
export type DriftReport = {
  /** Endpoint id, for example `card.status`. */
  operation: string;
  /** Where in the answer, dotted; list positions are written as `*`. */
  path: string;
  /** The rule that was broken. Never holds a value. */
  message: string;
};

const MOST_PATHS = 1_000;

/** Reports each path that differs from the contract once. */
export class DriftReporter {
  readonly #seen = new Set<string>();
  readonly #report: ((report: DriftReport) => void) | undefined;

  constructor(report: ((report: DriftReport) => void) | undefined) {
    this.#report = report;
  }

  /** Reports the issues that have not been reported yet. */
  tell(operation: string, issues: readonly ValidationIssue[]): void {
    for (const { path: at, message } of issues) {
      const path = at.replace(/(^|\.)\d+(?=\.|$)/g, '$1*');
      const key = `${operation} ${path}`;
      if (this.#seen.has(key) || this.#seen.size >= MOST_PATHS) continue;
      this.#seen.add(key);
      try {
        this.#report?.({ operation, path, message });
      } catch {
        // What a listener does must not change what a call gives.
      }
    }
  }
}

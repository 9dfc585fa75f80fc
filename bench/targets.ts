/** The limits for figures of this client. */
export const LIMITS = {
  /** Mebibytes that may be held in addition, for any number of calls. */
  heapHeld: 5,
  /**
   * The CPU time of a call relative to raw `fetch`: over a caller's `fetch`, and over ky, where it is
   * the part added to ky alone.
   */
  cpu: { overFetch: 1.25, overKy: 0.2 },
  /** The bytes that a call allocates relative to raw `fetch`, by the module of the contestant. */
  allocated: { ours: 1, 'ours-over-fetch': 1.25 } as Readonly<Record<string, number>>,
  /** Mebibytes held after the first call, in addition to raw `fetch`. */
  firstCall: 3,
  /** The time that validating a response takes, relative to parsing its text. */
  validation: 1,
  /** The time of import and construction, relative to that of an empty process. */
  coldStart: 0.18,
  /** Megabytes on disk, in one package. */
  installed: 4,
  /** The factor by which a call may become more expensive with the number of calls. */
  growth: 1.25,
  /** The lowest number of days that the simulation must cover in a second. */
  simulatedDays: 20,
} as const;

/** The target of a figure, and whether the figure meets it. */
export type Target = { text: string; isMet: boolean };

/** Returns a fixed limit as a target: `atMost(26, 50)`. */
export function atMost(value: number, limit: number, unit = ''): Target {
  const shown = limit.toLocaleString('en');
  return { text: `at most ${shown}${unit === '' ? '' : ` ${unit}`}`, isMet: value <= limit };
}

/** Returns a fixed lower limit as a target. */
export function atLeast(value: number, limit: number, unit: string): Target {
  return { text: `at least ${limit.toLocaleString('en')} ${unit}`, isMet: value >= limit };
}

/** Returns the target as a table cell, which is empty for rows of other libraries. */
export function cell(target: Target | undefined): string {
  if (target === undefined) return '';
  return `${target.text}: ${target.isMet ? 'met' : '**missed**'}`;
}

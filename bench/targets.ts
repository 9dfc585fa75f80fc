/** The limits that figures of ours are held against. */
export const LIMITS = {
  /** Mebibytes held more, however many calls there were. */
  heapHeld: 5,
  /**
   * CPU of a call, in calls of raw `fetch`: over kept-alive `node:http`, over a caller's `fetch`, and
   * over ky, where it is what may come on top of ky alone.
   */
  cpu: { get: 0.45, post: 0.4, overFetch: 1.2, overKy: 0.2 },
  /** Bytes that a call allocates, in those of raw `fetch`, by the module of the contestant. */
  allocated: { ours: 1, 'ours-over-fetch': 1.25 } as Readonly<Record<string, number>>,
  /** Mebibytes held after the first call, over raw `fetch`. */
  firstCall: 3,
  /** What checking an answer may cost, in parsings of its text. */
  validation: 1,
  /** Milliseconds of import and construction over an empty process, and files that are loaded. */
  coldStart: { ms: 9, files: 3 },
  /** Megabytes on disk, in one package. */
  installed: 1.5,
  /** How much dearer a call may become with their number. */
  growth: 1.25,
  /** Bytes after gzip that a page loads before its first call, as a bundler that splits builds it. */
  atLoad: {
    root: 30_000,
    oneOperation: 18_000,
    oneOperationOfClient: 5_000,
    flow: 5_000,
    evm: 7_700,
    solana: 5_000,
    schemas: 18_000,
  },
} as const;

/** What a figure of ours should be, and whether it is. */
export type Target = { says: string; isMet: boolean };

/** A fixed limit: `judge(26, 50)`. */
export function atMost(value: number, limit: number, unit = ''): Target {
  const shown = limit.toLocaleString('en');
  return { says: `at most ${shown}${unit === '' ? '' : ` ${unit}`}`, isMet: value <= limit };
}

/** The target as a cell of a table; rows of others have none. */
export function cell(target: Target | undefined): string {
  if (target === undefined) return '';
  return `${target.says}: ${target.isMet ? 'met' : '**missed**'}`;
}

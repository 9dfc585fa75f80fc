/** The limits that figures of ours are held against. */
export const LIMITS = {
  /** Mebibytes held more, however many calls there were. */
  heapHeld: 5,
  /** CPU of a call, in calls of raw `fetch`: over kept-alive `node:http`, and over a `fetch`. */
  cpu: { get: 0.6, post: 0.5, overFetch: 1.3 },
  /** Bytes that a call allocates, in those of raw `fetch`. */
  allocated: 1.25,
  /** Mebibytes held after the first call, over raw `fetch`. */
  firstCall: 3,
  /** What checking an answer may cost, in parsings of its text. */
  validation: 1,
  /** Milliseconds of import and construction over an empty process, and files that are loaded. */
  coldStart: { ms: 10, files: 3 },
  /** Kilobytes after gzip of the root entry with everything in. */
  root: 16,
  /** Megabytes on disk, in one package. */
  installed: 1.5,
  /** How much dearer a call may become with their number. */
  growth: 1.25,
  /** Bytes after gzip that `npm run size` lets pass: of an entry, and of what it loads at once. */
  entries: { index: 40_600, schemas: 17_700 } as Readonly<Record<string, number>>,
  /** One operation, with a client of its own and through a client that is there. */
  oneOperation: { alone: 26_300, 'through a client': 8_200 },
  atOnce: { evm: 8_000, solana: 5_000 } as Readonly<Record<string, number>>,
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

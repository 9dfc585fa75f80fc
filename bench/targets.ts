/** The limits that figures of ours are held against; where none stands here, the best of the others. */
export const LIMITS = {
  /** Mebibytes held more, however many calls there were. */
  heapHeld: 5,
  /** What checking an answer may cost, in parsings of its text. */
  validation: 1.5,
  /** How much dearer a call may become with their number. */
  growth: 1.25,
  /** Bytes after gzip that `npm run size` lets pass: of an entry, and of what it loads at once. */
  entries: { index: 41_000, schemas: 18_000 } as Readonly<Record<string, number>>,
  atOnce: { evm: 8_000, solana: 5_000 } as Readonly<Record<string, number>>,
} as const;

/** What a figure of ours should be, and whether it is. */
export type Target = { says: string; isMet: boolean };

/** A fixed limit: `judge(26, 50)`. */
export function atMost(value: number, limit: number, unit = ''): Target {
  const shown = limit.toLocaleString('en');
  return { says: `at most ${shown}${unit === '' ? '' : ` ${unit}`}`, isMet: value <= limit };
}

/** No more than the best of the others, which is named. */
export function bestOf(value: number, others: readonly { name: string; value: number }[]): Target {
  const best = [...others].sort((one, other) => one.value - other.value)[0];
  if (best === undefined) return { says: 'no other was measured', isMet: true };
  return { says: `at most ${best.name}`, isMet: value <= best.value };
}

/** The target as a cell of a table; rows of others have none. */
export function cell(target: Target | undefined): string {
  if (target === undefined) return '';
  return `${target.says}: ${target.isMet ? 'met' : '**missed**'}`;
}

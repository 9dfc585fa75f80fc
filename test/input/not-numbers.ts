import { expect } from 'vitest';

/** Values that are not a time, duration, limit or count. */
export const NOT_NUMBERS: unknown[] = [
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1],
  ...['5', '', {}, [5], true, 5n, new Date(5)],
];
/** Values that are not a positive integer. */
export const NOT_COUNTS: unknown[] = [...NOT_NUMBERS, 0, 1.5, 2 ** 53];
/** Returns what a function throws or rejects with. */
export const errorOf = (work: () => unknown): Promise<unknown> =>
  Promise.resolve()
    .then(work)
    .then(
      () => 'no error',
      (error: unknown) => error,
    );
/** Matches the error for one invalid option, by the name of the option. */
export const errorNaming = (path: string) => ({
  code: 'request_invalid',
  issues: [expect.objectContaining({ path })],
});

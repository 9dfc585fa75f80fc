import { expect } from 'vitest';

/** Values that are no time, duration, limit or count. */
export const NOT_NUMBERS: unknown[] = [
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1],
  ...['5', '', {}, [5], true, 5n, new Date(5)],
];
/** Values that are no whole number above zero. */
export const NOT_COUNTS: unknown[] = [...NOT_NUMBERS, 0, 1.5, 2 ** 53];
/** What a piece of work throws or rejects with. */
export const caught = (work: () => unknown): Promise<unknown> =>
  Promise.resolve()
    .then(work)
    .then(
      () => 'no error',
      (error: unknown) => error,
    );
/** A refusal of one option, by its name. */
export const names = (path: string) => ({
  code: 'request_invalid',
  issues: [expect.objectContaining({ path })],
});

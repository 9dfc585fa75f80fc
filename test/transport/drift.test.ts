import { expect, it } from 'vitest';
import { type DriftReport, DriftReporter } from '../../src/transport/response/drift.js';

/** The paths that are reported of differences at these paths. */
function reported(paths: readonly string[]): string[] {
  const reports: DriftReport[] = [];
  const reporter = new DriftReporter((report) => reports.push(report));
  const differences = paths.map((path) => ({ path, kind: 'other-type', message: 'x' }) as const);
  reporter.reporterFor('card.status')(differences);
  return reports.map(({ path }) => path);
}

it.each([
  ['0', '*'],
  ['12.name', '*.name'],
  ['rows.10', 'rows.*'],
  ['a.1.2.b', 'a.*.*.b'],
  ['v2.b3', 'v2.b3'],
])('names a position in a list by a star: %s', (path, expected) => {
  expect(reported([path])).toEqual([expected]);
});

it('is reported for 1,000 paths, and no more', () => {
  const paths = Array.from({ length: 1_002 }, (_, index) => `field${index}`);
  expect(reported(paths)).toEqual(paths.slice(0, 1_000));
});

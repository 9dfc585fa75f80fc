import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { apiReports } from '../../scripts/api/reports.js';

const committed = (path: string) => {
  const file = new URL(`../../${path}`, import.meta.url);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

// An exported name or type is a promise for years, so every change of one is made on purpose.
it('the API reports are current (otherwise run `npm run generate` and read the diff)', () => {
  const reports = apiReports();
  expect(reports.size).toBe(19);
  for (const [path, report] of reports) expect(committed(path), path).toBe(report);
});

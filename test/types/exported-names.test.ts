import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { EXPORTED_NAMES, exportedNames } from '../../scripts/generate/exported-names.js';

// An exported name is a promise for years: each one is added, or taken away, on purpose.
it('each entry exports the committed names', { timeout: 60_000 }, () => {
  const committed = readFileSync(new URL(`../../${EXPORTED_NAMES}`, import.meta.url), 'utf8');
  expect(exportedNames(), 'run npm run generate').toBe(committed);
});

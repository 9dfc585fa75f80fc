import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DOCS } from './guides.js';

/** What is read in ten minutes. */
const MOST_WORDS = 2_200;

/** Pages to look something up in: nobody reads them from top to bottom. */
const isReference = (path: string) =>
  /^docs\/(?:reference|evidence)\//.test(path) || path === 'docs/own-wallet/endings.md';

it.each(DOCS.filter((path) => !isReference(path)))('%s is read in ten minutes', (path) => {
  const words = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8').match(/\S+/g) ?? [];
  expect(words.length).toBeLessThanOrEqual(MOST_WORDS);
});

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  DOCUMENTS_WITH_SIZES,
  readSizes,
  type Sizes,
  sizeProblems,
  withSizes,
} from '../../bench/sizes.js';

const STORED: Sizes = {
  commit: 'a1b2c3',
  installed: { files: 100, bytes: 1_000_000 },
  pages: { 'the root entry': { esbuild: 40_000, rollup: 39_000 } },
};
const withRoot = (rollup: number): Sizes => ({
  ...STORED,
  pages: { 'the root entry': { esbuild: 40_000, rollup } },
});

it.each(DOCUMENTS_WITH_SIZES)('%s has the sizes of bench/sizes.json', (path) => {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  expect(text).toContain('<!-- size: ');
  expect(withSizes(text, readSizes()), 'run npm run size -- --write').toBe(text);
});

it('sizes name the commit that was measured', () => {
  expect(readSizes().commit).toMatch(/^[0-9a-f]{40}$/);
});

it.each([39_000, 39_390, 38_610])('a size of %i bytes is near enough to 39,000', (rollup) => {
  expect(sizeProblems(STORED, withRoot(rollup))).toEqual([]);
});

it.each([39_391, 38_609])('a size of %i bytes is too far from 39,000', (rollup) => {
  expect(sizeProblems(STORED, withRoot(rollup))).toEqual([
    `the root entry, rollup: ${rollup} bytes, stored 39000`,
  ]);
});

it('a page that only one of them has is reported', () => {
  expect(sizeProblems(STORED, { ...STORED, pages: {} })).toEqual([
    'the root entry, esbuild: stored, but not measured',
    'the root entry, rollup: stored, but not measured',
  ]);
  expect(sizeProblems({ ...STORED, pages: {} }, STORED)).toHaveLength(2);
});

it('a marker without a figure is refused', () => {
  expect(() => withSizes('<!-- size: roott -->1 kB<!-- /size -->', STORED)).toThrow('"roott"');
});

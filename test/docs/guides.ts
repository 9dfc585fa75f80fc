import { readdirSync, readFileSync } from 'node:fs';
import { blocksOf } from './blocks.js';

const ROOT = new URL('../../', import.meta.url);

/** Every page below `docs`, by its path from the root of the repository. */
export const DOCS: readonly string[] = readdirSync(new URL('docs/', ROOT), {
  encoding: 'utf8',
  recursive: true,
})
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name.replaceAll('\\', '/')}`)
  .sort();

/** The pages with code that the tests execute: README, and every page below `docs` with a block. */
export const GUIDES: readonly string[] = ['README.md', ...DOCS].filter((path) =>
  blocksOf(path, readFileSync(new URL(path, ROOT), 'utf8')).some(
    ({ notExecuted }) => notExecuted === undefined,
  ),
);

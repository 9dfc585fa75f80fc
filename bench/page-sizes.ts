import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PACKED } from './packed-package.js';
import { weighPages } from './pages.js';
import type { Section } from './report.js';

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

/** Measures how much pages load that use a part of the package, and the package's size on disk. */
export async function measurePages(): Promise<Section> {
  const pages = await weighPages();
  const rows = pages.flatMap(({ name, esbuild, rollup }) =>
    Object.entries({ esbuild, rollup }).map(([bundler, { gzipped }]) => [
      name,
      bundler,
      kilobytes(gzipped),
    ]),
  );
  const dist = join(PACKED.folder, 'dist');
  const files = readdirSync(dist);
  const bytes = files.reduce((sum, name) => sum + statSync(join(dist, name)).size, 0);
  return {
    title: 'Size',
    note: `What a page loads of the packed package. Gzip of each file at level 9; peers stay outside. On disk, \`dist\` has ${files.length} files of ${kilobytes(bytes)}.`,
    heads: ['page', 'bundler', 'loaded'],
    rows,
  };
}

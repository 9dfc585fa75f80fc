import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';
import { moduleOf, OTHERS, OURS } from './contestants.js';
import { entrySize } from './entry-size.js';
import type { Section } from './report.js';
import { atMost, cell, LIMITS } from './targets.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ENTRIES = ['index', 'schemas', 'evm', 'solana', 'testing'];
const PEERS = ['viem', 'viem/*', '@solana/*', 'msw', 'msw/*'];

type Weight = { minified: number; gzipped: number };

async function bundled(options: BuildOptions): Promise<Weight> {
  const { outputFiles = [] } = await build({
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
    ...options,
  });
  const bytes = outputFiles[0]?.contents ?? new Uint8Array();
  return { minified: bytes.byteLength, gzipped: gzipSync(bytes, { level: 9 }).byteLength };
}

/** Bytes of one entry in a browser, everything in but the optional peers. */
const entryBundle = (entry: string) =>
  bundled({
    stdin: { contents: `export * from './dist/${entry}.js'`, resolveDir: ROOT },
    external: PEERS,
  });

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

/** What a browser loads of our entries, and what lies on disk. */
export async function measureBundles(): Promise<Section> {
  const built = ENTRIES.filter((entry) => existsSync(join(ROOT, 'dist', `${entry}.js`)));
  const rows: string[][] = [];
  const target = (bytes: number, budget: number | undefined) =>
    cell(budget === undefined ? undefined : atMost(bytes / 1000, budget / 1000, 'kB'));
  for (const entry of built) {
    const { minified, gzipped } = await entryBundle(entry);
    const held = target(gzipped, LIMITS.entries[entry]);
    rows.push([`\`${entry}\` in a browser`, kilobytes(gzipped), kilobytes(minified), held]);
  }
  for (const [entry, budget] of Object.entries(LIMITS.atOnce)) {
    const { atOnce, onCall } = await entrySize(entry, ['viem']);
    const held = target(atOnce, budget);
    rows.push([`\`${entry}\` before the flow is called`, kilobytes(atOnce), '', held]);
    rows.push([`\`${entry}\`, loaded with the flow`, kilobytes(onCall), '', '']);
  }
  const dist = readdirSync(join(ROOT, 'dist'));
  const onDisk = dist.reduce((sum, name) => sum + statSync(join(ROOT, 'dist', name)).size, 0);
  rows.push([`\`dist\`, ${dist.length} files`, '', kilobytes(onDisk), '']);
  return { title: 'Size', heads: ['what', 'gzip', 'bytes', 'target'], rows };
}

/** What a page loads that makes one client and sends two requests with it. */
export async function compareBundles(): Promise<Section> {
  const weights: { name: string; weight: Weight | undefined }[] = [];
  for (const contestant of [OURS, ...OTHERS]) {
    const options = { entryPoints: [fileURLToPath(moduleOf(contestant))] };
    // Some reach for modules of Node, which no page has.
    const weight = await bundled(options).catch(() => undefined);
    weights.push({ name: contestant.name, weight });
  }
  const mine = weights[0]?.weight?.gzipped ?? 1;
  const rows = weights.map(({ name, weight }) =>
    weight === undefined
      ? ['', name, 'does not bundle for a browser', '', '']
      : [
          (weight.gzipped / mine).toFixed(2),
          name,
          kilobytes(weight.gzipped),
          kilobytes(weight.minified),
          cell(name === OURS.name ? atMost(mine / 1000, LIMITS.root, 'kB') : undefined),
        ],
  );
  return {
    title: 'In a browser',
    note: 'A page that makes a client and sends one GET and one POST, bundled and minified by esbuild. Ratios are to this client.',
    heads: ['ratio', 'who', 'gzip', 'minified', 'target'],
    rows,
  };
}

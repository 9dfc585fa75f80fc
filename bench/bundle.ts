import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { entrySize } from './entry-size.js';
import type { Section } from './report.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ENTRIES = ['index', 'schemas', 'evm', 'solana', 'testing'];
const PEERS = ['viem', 'viem/*', '@solana/*', 'msw', 'msw/*'];

/** Bytes of one entry in a browser, everything in but the optional peers. */
async function bundled(entry: string): Promise<{ minified: number; gzipped: number }> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from './dist/${entry}.js'`, resolveDir: ROOT },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    external: PEERS,
    write: false,
    logLevel: 'error',
  });
  const bytes = outputFiles[0]?.contents ?? new Uint8Array();
  return { minified: bytes.byteLength, gzipped: gzipSync(bytes, { level: 9 }).byteLength };
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

/** What a browser loads, and what lies on disk. */
export async function measureBundles(): Promise<Section> {
  const built = ENTRIES.filter((entry) => existsSync(join(ROOT, 'dist', `${entry}.js`)));
  const rows: string[][] = [];
  for (const entry of built) {
    const { minified, gzipped } = await bundled(entry);
    rows.push([`\`${entry}\` in a browser`, kilobytes(gzipped), kilobytes(minified)]);
  }
  for (const entry of ['evm', 'solana']) {
    const { atOnce, onCall } = await entrySize(entry, ['viem']);
    rows.push([`\`${entry}\` before the flow is called`, kilobytes(atOnce), '']);
    rows.push([`\`${entry}\`, loaded with the flow`, kilobytes(onCall), '']);
  }
  const dist = readdirSync(join(ROOT, 'dist'));
  const onDisk = dist.reduce((sum, name) => sum + statSync(join(ROOT, 'dist', name)).size, 0);
  rows.push([`\`dist\`, ${dist.length} files`, '', kilobytes(onDisk)]);
  return { title: 'Size', heads: ['what', 'gzip', 'bytes'], rows };
}

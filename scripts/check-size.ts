import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { entrySize } from '../bench/entry-size.js';
import { LIMITS } from '../bench/targets.js';

/** What a consumer's bundler finds elsewhere. */
const PEERS: Readonly<Record<string, string[]>> = { evm: ['viem'] };

let isOver = false;

function judge(entry: string, bytes: number, budget: number): void {
  const verdict = bytes > budget ? 'OVER' : 'within';
  isOver ||= bytes > budget;
  console.log(`${entry}: ${bytes} bytes gzip, ${verdict} ${budget}`);
}

for (const [entry, budget] of Object.entries(LIMITS.entries)) {
  const bundle = await build({
    stdin: { contents: `export * from './dist/${entry}.js'`, resolveDir: process.cwd() },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'error',
  });
  const bytes = gzipSync(bundle.outputFiles[0]?.contents ?? '', { level: 9 }).byteLength;
  judge(entry, bytes, budget);
}
for (const [entry, budget] of Object.entries(LIMITS.atOnce)) {
  judge(`${entry} at once`, (await entrySize(entry, PEERS[entry] ?? [])).atOnce, budget);
}
if (isOver) process.exitCode = 1;

import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { entrySize } from '../bench/entry-size.js';

/** The most that each entry may weigh in a browser, everything in, in bytes after gzip. */
const BUDGETS: Readonly<Record<string, number>> = {
  index: 41_000,
  schemas: 18_000,
};

/** The most that a page loads at once with these; their flows come when they are called. */
const AT_ONCE: Readonly<Record<string, { budget: number; peers: string[] }>> = {
  evm: { budget: 8_000, peers: ['viem'] },
  solana: { budget: 5_000, peers: [] },
};

let isOver = false;

function judge(entry: string, bytes: number, budget: number): void {
  const verdict = bytes > budget ? 'OVER' : 'within';
  isOver ||= bytes > budget;
  console.log(`${entry}: ${bytes} bytes gzip, ${verdict} ${budget}`);
}

for (const [entry, budget] of Object.entries(BUDGETS)) {
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
for (const [entry, { budget, peers }] of Object.entries(AT_ONCE)) {
  judge(`${entry} at once`, (await entrySize(entry, peers)).atOnce, budget);
}
if (isOver) process.exitCode = 1;

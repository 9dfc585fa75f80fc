import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** The most that each entry may weigh in a browser, everything in, in bytes after gzip. */
const BUDGETS: Readonly<Record<string, number>> = {
  index: 39_000,
  schemas: 18_000,
};

let isOver = false;
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
  const verdict = bytes > budget ? 'OVER' : 'within';
  isOver ||= bytes > budget;
  console.log(`${entry}: ${bytes} bytes gzip, ${verdict} ${budget}`);
}
if (isOver) process.exitCode = 1;

import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { entrySize } from '../bench/entry-size.js';

/** The most that each entry may weigh in a browser, everything in, in bytes after gzip. */
const BUDGETS: Readonly<Record<string, number>> = {
  index: 40_500,
  schemas: 17_700,
};

/** The most that one operation alone may weigh, with and without a client of its own. */
const ONE_OPERATION: Readonly<Record<string, { budget: number; source: string }>> = {
  'card.status alone': {
    budget: 26_200,
    source: `import { call, cardStatus, createClient } from './dist/endpoints.js';
      export const status = (options) => call(createClient(options), cardStatus, {});`,
  },
  'card.status through a client that is there': {
    budget: 7_700,
    source: `import { call, cardStatus } from './dist/endpoints.js';
      export const status = (client) => call(client, cardStatus, {});`,
  },
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

/** Bytes of a page in a browser, everything in. */
async function bundled(contents: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'error',
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).byteLength;
}

for (const [entry, budget] of Object.entries(BUDGETS)) {
  judge(entry, await bundled(`export * from './dist/${entry}.js'`), budget);
}
for (const [name, { budget, source }] of Object.entries(ONE_OPERATION)) {
  judge(name, await bundled(source), budget);
}
for (const [entry, { budget, peers }] of Object.entries(AT_ONCE)) {
  judge(`${entry} at once`, (await entrySize(entry, peers)).atOnce, budget);
}
if (isOver) process.exitCode = 1;

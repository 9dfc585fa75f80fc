import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { entrySize } from '../bench/entry-size.js';
import { LIMITS } from '../bench/targets.js';

/** What a consumer's bundler finds elsewhere. */
const PEERS: Readonly<Record<string, string[]>> = { evm: ['viem'] };

const ONE_OPERATION: Readonly<Record<keyof typeof LIMITS.oneOperation, string>> = {
  alone: `import { call, cardStatus, createClient } from './dist/endpoints.js';
    export const status = (options) => call(createClient(options), cardStatus, {});`,
  'through a client': `import { call, cardStatus } from './dist/endpoints.js';
    export const status = (client) => call(client, cardStatus, {});`,
};

let isOver = false;

function judge(what: string, bytes: number, budget: number): void {
  const verdict = bytes > budget ? 'OVER' : 'within';
  isOver ||= bytes > budget;
  console.log(`${what}: ${bytes} bytes gzip, ${verdict} ${budget}`);
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

for (const [entry, budget] of Object.entries(LIMITS.entries)) {
  judge(entry, await bundled(`export * from './dist/${entry}.js'`), budget);
}
for (const [how, source] of Object.entries(ONE_OPERATION)) {
  const budget = LIMITS.oneOperation[how as keyof typeof ONE_OPERATION];
  judge(`one operation ${how}`, await bundled(source), budget);
}
for (const [entry, budget] of Object.entries(LIMITS.atOnce)) {
  judge(`${entry} at once`, (await entrySize(entry, PEERS[entry] ?? [])).atOnce, budget);
}
if (isOver) process.exitCode = 1;

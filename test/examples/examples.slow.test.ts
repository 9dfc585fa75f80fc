import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

/** Runs an example as its first lines describe, and returns its output. */
async function play(example: string): Promise<string> {
  const main = fileURLToPath(new URL(`../../examples/${example}/main.ts`, import.meta.url));
  const { stdout } = await run(process.execPath, ['--import', 'tsx', main]);
  return stdout;
}

it.each([
  [
    'solana-delegation',
    /up to 250 usdc, until now 0\.001\n[\s\S]*accepted: 250 usdc by \w{87,88}\n[\s\S]*250 of 250 usdc can be spent now\n[\s\S]*nobody may spend 0 base units\n$/,
  ],
  [
    'evm-delegation',
    /may spend 250 usdt,\n[\s\S]*accepted: 250 usdt by 0x[0-9a-f]{64}\n {3}180 usdt can be spent now; 250 of 250 are allowed\n[\s\S]*0 usdt can be spent now; 0 of 0 are allowed\n$|not installed/,
  ],
  ['journey', /\n\d+ steps, \d+ calls, all as expected\.\n$/],
  ['server', /The browser received none of \d+ secrets\.\n$/],
  ['reconcile-worker', /Open requests: 0\n$/],
  ['worker', /After six hours: 401 .*\n$/],
  ['pay-an-order', /nothing is sent twice\n {3}-> start again\n$/],
])('%s runs to its end', async (example, end) => {
  expect(await play(example)).toMatch(end);
});

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

/** Runs an example the way its first lines say, and gives what it printed. */
async function play(example: string): Promise<string> {
  const main = fileURLToPath(new URL(`../../examples/${example}/main.ts`, import.meta.url));
  const { stdout } = await run(process.execPath, ['--import', 'tsx', main]);
  return stdout;
}

it.each([
  ['solana-delegation', /accepted: 250 usdc by \w{87,88}\n[\s\S]*nobody may spend 0 base units\n$/],
  ['evm-delegation', /accepted: 250 usdt by 0x[0-9a-f]{64}\n[\s\S]*allowed: 0\n$|not installed/],
  ['journey', /\n\d+ steps, \d+ calls, all as expected\.\n$/],
  ['server', /The browser received none of \d+ secrets\.\n$/],
  ['worker', /After six hours: 401 .*\n$/],
  ['pay-an-order', /nothing is sent twice\n {3}-> start again\n$/],
])('%s runs to its end', async (example, end) => {
  expect(await play(example)).toMatch(end);
});

import { spawn } from 'node:child_process';
import type { Scenario } from '../world/world.js';
import type { RunResult } from './run-world.js';

/** The work of each child: the scenario with this seed and every `step`th after it. */
export type Orders = { scenario: Scenario; count: number; step: number };

/** Runs worlds in a child process, until one finds a violation. */
export function runInChild(
  bundle: string,
  orders: Orders,
  onResult: (result: RunResult) => void = () => {},
): Promise<RunResult[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bundle, JSON.stringify(orders)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const results: RunResult[] = [];
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const result = JSON.parse(line) as RunResult;
        results.push(result);
        onResult(result);
      }
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(results);
      else reject(new Error(`the simulation ended with ${code}`));
    });
  });
}

/** Runs consecutive seeds in several processes. */
export async function runSeeds(
  bundle: string,
  scenario: Scenario,
  { count, jobs }: { count: number; jobs: number },
  onResult?: (result: RunResult) => void,
): Promise<RunResult[]> {
  const children = Array.from({ length: Math.min(jobs, count) }, (_, index) =>
    runInChild(
      bundle,
      {
        scenario: { ...scenario, seed: scenario.seed + index },
        count: Math.ceil((count - index) / jobs),
        step: jobs,
      },
      onResult,
    ),
  );
  return (await Promise.all(children)).flat();
}

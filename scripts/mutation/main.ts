import { spawnSync } from 'node:child_process';
import { SUITES } from './suites.js';

// `npm run mutation -- transport/outcome` mutates that folder of `src`, and its tests judge the mutants.
const [part = '', ...options] = process.argv.slice(2);
if (!SUITES[part]) {
  console.error(`Name what to mutate, one of:\n${Object.keys(SUITES).join('\n')}`);
  process.exit(2);
}
const mutate = ['--mutate', `src/${part}/**/*.ts`];
const { status } = spawnSync('npx', ['stryker', 'run', ...mutate, ...options], {
  stdio: 'inherit',
  env: { ...process.env, MUTATED_PART: part },
});
process.exitCode = status ?? 1;

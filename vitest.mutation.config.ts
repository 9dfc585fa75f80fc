import { defineConfig, mergeConfig } from 'vitest/config';
import { SUITES } from './scripts/mutation/suites.js';
import base from './vitest.config.js';

const config = mergeConfig(base, defineConfig({}));
// Stryker knows no projects.
const { projects: _, ...shared } = config.test ?? {};
const part = process.env.MUTATED_PART ?? '';
config.test = {
  ...shared,
  // The files share their modules: with modules of its own, a mutant takes several times as long.
  isolate: false,
  include: (SUITES[part] ?? []).map((suite) => `test/${suite}.test.ts`),
  // A mutant that hangs fails its test instead of stopping the worker.
  testTimeout: 15_000,
  hookTimeout: 15_000,
  expect: { poll: { timeout: 2_000 } },
};

export default config;

import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.js';

/**
 * The tests that judge a mutant, and no slower ones: with every suite a run takes ten hours. Stryker
 * takes a file of its own and knows no projects.
 */
const SUITES = [
  'client/{configuration,errors,requests,responses,sessions}',
  'errors/*',
  'evm/scripted/*',
  'faults/{proof-*,pooled-socket.slow}',
  'journal/*',
  'mocks/{global-fetch,http-request,undici-dispatcher}',
  'secrets/echoed',
  'server/*',
  'solana/scripted/*',
  'transport/*',
];

const config = mergeConfig(base, defineConfig({}));
const { projects: _, ...shared } = config.test ?? {};
config.test = {
  ...shared,
  include: SUITES.map((suite) => `test/${suite}.test.ts`),
  // A mutant that hangs fails its test instead of stopping the worker.
  testTimeout: 5_000,
  hookTimeout: 10_000,
  expect: { poll: { timeout: 2_000 } },
  exclude: ['test/transport/tenancy.slow.test.ts'],
};

export default config;

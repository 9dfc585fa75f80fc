import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { skippedTests } from './test/chain/availability.js';
import { LongestFirst } from './test/support/longest-first.js';

const source = (path: string) => fileURLToPath(new URL(`src/${path}index.ts`, import.meta.url));

const TESTS = ['test/**/*.test.ts', 'examples/*/*.test.ts'];
/** Tests that build the package, run the TypeScript compiler, start a chain or take long. */
const SLOW_TESTS = 'test/**/*.slow.test.ts';
/** Tests that replace globals or modules, or whose libraries do: @hono/node-server replaces `Response`. */
const ISOLATED_TESTS = [
  'test/mocks/**/*.test.ts',
  'test/react-native/**/*.test.ts',
  'test/testing/{msw*,slow-receivers}.test.ts',
  'test/card-reveal/reveal.test.ts',
  'test/client/configuration.test.ts',
  'test/evm/page.test.ts',
  'test/journal/inexact-times.test.ts',
  'test/sandbox/keeps-running.test.ts',
  'test/delegation/{create-delegation,one-flow-at-a-time}.test.ts',
  'test/faults/proof-tls.test.ts',
  'test/observed/oauth-session-pkce.test.ts',
  'test/scripts/workflows.test.ts',
  'test/server/frameworks.test.ts',
  'test/transport/{choose-adapter,odd-responses,replaced-globals}.test.ts',
];

export default defineConfig({
  resolve: {
    // Examples import the package by its name; tests run them against the source.
    alias: [
      { find: /^card-platform-sdk$/, replacement: source('') },
      {
        find: /^card-platform-sdk\/(endpoints|journal|sessions|stores|card-reveal|observed|evm|evm\/ethers|solana|solana\/web3|solana\/kit|query|server|schemas|testing|testing\/msw|testing\/wallets|wagmi)$/,
        replacement: source('$1/'),
      },
    ],
  },
  test: {
    coverage: {
      include: [
        'src/transport/**',
        'src/contract/**',
        'src/errors/**',
        'src/delegation/**',
        'src/evm/**',
        'src/solana/**',
      ],
      reporter: ['text', 'json-summary'],
      // Checked by `npm run test:all`: money and secrets go through this code.
      thresholds: {
        'src/{transport,contract,errors}/**': { lines: 100, functions: 100, branches: 99 },
        // The chains themselves judge these in the slow tests; here the fast ones alone count.
        'src/{evm,solana}/flow/**': { lines: 97, functions: 90, branches: 94 },
        'src/{evm,solana}/**': { lines: 97, functions: 95, branches: 93 },
        'src/delegation/**': { lines: 96, functions: 97, branches: 88 },
      },
    },
    // Only the fault suites run tests concurrently, and most of those wait.
    maxConcurrency: 40,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The limits only end a test that hangs: none of them may fail on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      // npm test
      {
        extends: true,
        test: {
          name: 'fast',
          include: TESTS,
          exclude: [SLOW_TESTS, ...ISOLATED_TESTS],
          // Loading the modules once per worker instead of once per file takes a third of the time off.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'fast-isolated',
          include: ISOLATED_TESTS,
          exclude: [SLOW_TESTS],
        },
      },
      // npm run test:all runs these after the fast ones, which reach the limits of coverage alone
      {
        extends: true,
        test: {
          name: 'slow',
          include: [SLOW_TESTS],
          exclude: [...configDefaults.exclude, ...skippedTests().flatMap(({ tests }) => tests)],
          testTimeout: 3_600_000,
          hookTimeout: 3_600_000,
          globalSetup: ['test/chain/availability.ts'],
        },
      },
      // npm run test:chromium
      {
        extends: true,
        test: {
          name: 'chromium',
          include: ['test/chromium/**/*.e2e.ts'],
          fileParallelism: false,
          // Starting Chromium and a local chain takes a minute on a busy machine.
          hookTimeout: 600_000,
        },
      },
      // npm run test:firefox
      {
        extends: true,
        test: {
          name: 'firefox',
          include: ['test/firefox/**/*.e2e.ts'],
          // Starting Firefox takes long on a busy machine.
          hookTimeout: 600_000,
        },
      },
      // npm run test:site: needs the site of `npm run site`
      {
        extends: true,
        test: {
          name: 'site',
          include: ['test/site/**/*.e2e.ts'],
          maxWorkers: 2,
        },
      },
      // npm run test:kernel: needs Linux and root
      {
        extends: true,
        test: {
          name: 'kernel',
          include: ['test/kernel/**/*.e2e.ts'],
          globalSetup: ['test/kernel/availability.ts'],
          fileParallelism: false,
          // Each test waits most of the time.
          maxConcurrency: 4,
          testTimeout: 120_000,
        },
      },
    ],
  },
});

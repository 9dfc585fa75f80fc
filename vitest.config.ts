import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(`src/${path}index.ts`, import.meta.url));

export default defineConfig({
  resolve: {
    // Examples import the package by its name; tests run them against the source.
    alias: [
      { find: /^card-platform-sdk$/, replacement: source('') },
      {
        find: /^card-platform-sdk\/(endpoints|evm|solana|solana\/web3|schemas|testing|testing\/msw)$/,
        replacement: source('$1/'),
      },
    ],
  },
  test: {
    setupFiles: 'test/support/use-zod.ts',
    include: ['test/**/*.test.ts', 'examples/*/*.test.ts'],
    // Only cells of the fault suites run side by side, and most of them wait.
    maxConcurrency: 40,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    coverage: {
      include: ['src/transport/**', 'src/contract/**', 'src/errors/**'],
      reporter: ['text', 'json-summary'],
      // Held by `npm run coverage`: money and secrets go through here.
      thresholds: { lines: 100, functions: 100, branches: 99 },
    },
  },
});

import { defineConfig } from 'vitest/config';
import config from './vitest.config.js';

// `npm run test:kernel`: what needs a Linux kernel and root, so `npm test` leaves it out.
export default defineConfig({
  ...config,
  test: {
    include: ['test/kernel/**/*.e2e.ts'],
    globalSetup: ['test/kernel/availability.ts'],
    fileParallelism: false,
    // Each test waits most of the time.
    maxConcurrency: 4,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});

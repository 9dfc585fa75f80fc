import { defineConfig } from 'vitest/config';
import config from './vitest.config.js';

// `npm run test:chromium`: what needs a real browser, and so is no part of `npm test`.
export default defineConfig({
  ...config,
  test: { include: ['test/chromium/**/*.e2e.ts'], fileParallelism: false, testTimeout: 60_000 },
});

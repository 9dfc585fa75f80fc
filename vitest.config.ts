import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    coverage: {
      include: ['src/transport/**', 'src/contract/**', 'src/errors/**'],
      reporter: ['text', 'json-summary'],
    },
  },
});

import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.js';

/** The suites that judge a mutant: all of the transport's but for the slow ones over real sockets. */
const SUITES = [
  ...['client', 'contract', 'errors', 'input', 'mocks', 'properties', 'secrets', 'transport'],
  'webhooks',
];

const config = mergeConfig(base, defineConfig({}));
config.test = {
  ...config.test,
  include: [
    ...SUITES.map((suite) => `test/${suite}/**/*.test.ts`),
    'test/faults/matrix.test.ts',
    'test/faults/proof-*.test.ts',
  ],
  exclude: ['test/input/regex.test.ts'],
};

export default config;

import { existsSync } from 'node:fs';
import { defineConfig } from 'tsup';

const entries = {
  index: 'src/index.ts',
  evm: 'src/evm/index.ts',
  schemas: 'src/schemas/index.ts',
  testing: 'src/testing/index.ts',
};

export default defineConfig({
  entry: Object.fromEntries(Object.entries(entries).filter(([, path]) => existsSync(path))),
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'neutral',
  dts: true,
  // Without splitting each entry would carry its own error classes, and instanceof would fail.
  splitting: true,
  treeshake: true,
  clean: true,
  sourcemap: false,
  external: [/^node:/],
});

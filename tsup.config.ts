import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { defineConfig } from 'tsup';

const entries = {
  index: 'src/index.ts',
  evm: 'src/evm/index.ts',
  solana: 'src/solana/index.ts',
  'solana-web3': 'src/solana/web3/index.ts',
  schemas: 'src/schemas/index.ts',
  testing: 'src/testing/index.ts',
  'testing-msw': 'src/testing/msw/index.ts',
  sandbox: 'src/sandbox/main.ts',
};

// Jest runs CommonJS without `import()`, so what is loaded late is loaded by `require` there.
function requireLateChunks(): void {
  for (const name of readdirSync('dist').filter((file) => file.endsWith('.cjs'))) {
    const code = readFileSync(`dist/${name}`, 'utf8');
    const required = code.replace(
      /\bimport\((['"]\.\/[^'"]+['"])\)/g,
      'Promise.resolve().then(() => require($1))',
    );
    if (required !== code) writeFileSync(`dist/${name}`, required);
  }
}

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
  onSuccess: async () => requireLateChunks(),
});

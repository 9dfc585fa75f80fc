import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';

/** What is built together shares its code; a process loads few files, each of them once. */
const CLIENT = {
  index: 'src/index.ts',
  endpoints: 'src/endpoints/index.ts',
  errors: 'src/errors/index.ts',
};
const PLATFORM = {
  schemas: 'src/schemas/index.ts',
  testing: 'src/testing/index.ts',
  'testing-msw': 'src/testing/msw/index.ts',
  sandbox: 'src/sandbox/main.ts',
};
const CHAINS = {
  evm: 'src/evm/index.ts',
  solana: 'src/solana/index.ts',
  'solana-web3': 'src/solana/web3/index.ts',
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

/** Takes the error classes from the client's build: with a copy of their own `instanceof` fails. */
const sharedErrors: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'shared-errors',
  setup({ initialOptions, onResolve }) {
    const extension = initialOptions.outExtension?.['.js'] ?? '.js';
    onResolve({ filter: /\/errors\/index\.js$/ }, () => ({
      path: `./errors${extension}`,
      external: true,
    }));
  },
};

const common: Options = {
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'neutral',
  splitting: true,
  treeshake: true,
  sourcemap: false,
  external: [/^node:/],
  // ky hangs a signal of its own on the `Request` that it makes, which is half of what ky costs a
  // call. Deadlines and aborts are ours, and ky makes none where it finds no `AbortController`.
  define: { 'globalThis.AbortController': 'undefined' },
};

// They run side by side, so none of them may clean: `npm run build` does.
export default defineConfig([
  { ...common, entry: CLIENT, onSuccess: async () => requireLateChunks() },
  { ...common, entry: PLATFORM },
  {
    ...common,
    entry: CHAINS,
    esbuildPlugins: [sharedErrors],
    onSuccess: async () => requireLateChunks(),
  },
  { ...common, entry: { ...CLIENT, ...PLATFORM, ...CHAINS }, dts: { only: true } },
]);

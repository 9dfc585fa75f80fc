import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, type Options } from 'tsup';

const PUBLIC = { index: 'src/index.ts', endpoints: 'src/endpoints/index.ts' };

/** What is built together shares its code; a process loads few files, each of them once. */
const CLIENT = {
  ...PUBLIC,
  core: 'src/core.ts',
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

/** For programs, that read no white space. The file beside this one is for people. */
function writeOpenApi(): void {
  writeFileSync(
    'dist/openapi.json',
    JSON.stringify(JSON.parse(readFileSync('openapi.json', 'utf8'))),
  );
}

/** Takes contract and error classes from the client's build: see `src/core.ts`. */
const sharedCore: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'shared-core',
  setup({ initialOptions, onResolve }) {
    const extension = initialOptions.outExtension?.['.js'] ?? '.js';
    onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, resolveDir }) => {
      const isCore = /\/src\/(?:contract|errors)\//.test(resolve(resolveDir, path));
      return isCore ? { path: `./core${extension}`, external: true } : undefined;
    });
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

// A third less on disk. Names stay, so that a stack trace can be read. Not for the client's ESM: the
// notes would be lost that let a bundler drop the operations that a page does not use.
const small: NonNullable<Options['esbuildOptions']> = (options) => {
  options.minifyWhitespace = true;
  options.minifySyntax = true;
};

// They run side by side, so none of them may clean: `npm run build` does.
export default defineConfig([
  {
    ...common,
    entry: CLIENT,
    esbuildOptions: (options, context) => {
      if (context.format === 'cjs') small(options, context);
    },
    onSuccess: async () => requireLateChunks(),
  },
  {
    ...common,
    esbuildOptions: small,
    entry: PLATFORM,
    esbuildPlugins: [sharedCore],
    onSuccess: async () => writeOpenApi(),
  },
  {
    ...common,
    esbuildOptions: small,
    entry: CHAINS,
    esbuildPlugins: [sharedCore],
    onSuccess: async () => requireLateChunks(),
  },
  { ...common, entry: { ...PUBLIC, ...PLATFORM, ...CHAINS }, dts: { only: true } },
]);

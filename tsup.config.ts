import { readFileSync, writeFileSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { commonJs } from './scripts/build/commonjs.js';
import { sharedEntries, sharedFiles } from './scripts/build/shared-files.js';

const CLIENT = { index: 'src/index.ts', endpoints: 'src/endpoints/index.ts' };
const HELPERS = {
  schemas: 'src/schemas/index.ts',
  testing: 'src/testing/index.ts',
  'testing-msw': 'src/testing/msw/index.ts',
  sandbox: 'src/sandbox/main.ts',
  evm: 'src/evm/index.ts',
  solana: 'src/solana/index.ts',
  'solana-web3': 'src/solana/web3/index.ts',
};

type EsbuildOptions = Parameters<NonNullable<Options['esbuildOptions']>>[0];

/** Leaves out white space: a third less on disk. Names stay, so that a stack trace can be read. */
function minify(options: EsbuildOptions): void {
  options.minifyWhitespace = true;
  options.minifySyntax = true;
}

function addSharedEntries(options: EsbuildOptions): void {
  options.entryPoints = { ...(options.entryPoints as Record<string, string>), ...sharedEntries() };
}

/** For programs, which read no white space. `openapi.json` itself is for people. */
function writeOpenApi(): void {
  writeFileSync(
    'dist/openapi.json',
    JSON.stringify(JSON.parse(readFileSync('openapi.json', 'utf8'))),
  );
}

const common: Options = {
  target: 'es2022',
  platform: 'neutral',
  sourcemap: false,
  external: [/^node:/],
  esbuildPlugins: [sharedFiles()],
};

// These run side by side, so none of them may clean the folder: `npm run build` does.
export default defineConfig([
  {
    ...common,
    format: 'esm',
    treeshake: true,
    entry: CLIENT,
    // Not minified: that loses the notes by which a bundler drops operations that a page does not use.
    esbuildOptions: addSharedEntries,
  },
  {
    ...common,
    format: 'esm',
    treeshake: true,
    entry: HELPERS,
    esbuildOptions: minify,
    onSuccess: async () => writeOpenApi(),
  },
  {
    ...common,
    format: 'cjs',
    entry: { ...CLIENT, ...HELPERS },
    // tsup would translate split files by a step of its own, which also rewrites newer syntax.
    splitting: false,
    plugins: [commonJs()],
    esbuildOptions: (options) => {
      options.format = 'esm';
      options.splitting = true;
      minify(options);
      addSharedEntries(options);
    },
  },
  { ...common, format: ['esm', 'cjs'], entry: { ...CLIENT, ...HELPERS }, dts: { only: true } },
]);

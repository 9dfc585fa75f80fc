import { readFileSync, writeFileSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { withoutComments } from './scripts/build/comments.js';
import { commonJs } from './scripts/build/commonjs.js';
import { sharedEntries, sharedFiles } from './scripts/build/shared-files.js';

type Entries = Readonly<Record<string, string>>;

const CLIENT = {
  index: 'src/index.ts',
  endpoints: 'src/endpoints/index.ts',
  observed: 'src/observed/index.ts',
};
const HELPERS = {
  sessions: 'src/sessions/index.ts',
  stores: 'src/stores/index.ts',
  'card-reveal': 'src/card-reveal/index.ts',
  schemas: 'src/schemas/index.ts',
  server: 'src/server/index.ts',
  testing: 'src/testing/index.ts',
  'testing-msw': 'src/testing/msw/index.ts',
  'testing-wallets': 'src/testing/wallets/index.ts',
  sandbox: 'src/sandbox/main.ts',
  evm: 'src/evm/index.ts',
  'evm-ethers': 'src/evm/ethers/index.ts',
  solana: 'src/solana/index.ts',
  'solana-web3': 'src/solana/web3/index.ts',
  'solana-kit': 'src/solana/kit/index.ts',
};
/** Loaded when a delegation starts. */
const FLOWS = {
  'evm-flow': 'src/evm/flow/run-evm-delegation.ts',
  'solana-flow': 'src/solana/flow/run-solana-delegation.ts',
};

/** Imports nothing, so that a page which counts bytes loads only what it reads here. */
const QUERY = { query: 'src/query/index.ts' };

type Build = {
  entry: Entries;
  /** Shared files that are written together with the entries. */
  shared?: Entries;
  /** Whether code that two of the entries need becomes a file of its own. */
  isSplit: boolean;
  isMinified: boolean;
};

const common: Options = {
  target: 'es2022',
  platform: 'neutral',
  sourcemap: false,
  external: [/^node:/],
  esbuildPlugins: [sharedFiles()],
};

function build(format: 'esm' | 'cjs', part: Build): Options {
  const { entry, shared, isSplit, isMinified } = part;
  return {
    ...common,
    entry,
    format,
    // tsup would convert split CommonJS in a step of its own, which also rewrites newer syntax.
    splitting: false,
    treeshake: format === 'esm',
    plugins: format === 'cjs' ? [commonJs()] : isMinified ? [] : [withoutComments()],
    esbuildOptions: (options) => {
      options.entryPoints = { ...entry, ...shared };
      options.format = 'esm';
      options.splitting = isSplit;
      // White space and names are half of the bytes on disk. Errors and exports keep their names, and
      // the client of the ES modules all of them, so that a stack trace can be read.
      options.minifyWhitespace = isMinified;
      options.minifySyntax = isMinified;
      options.minifyIdentifiers = isMinified;
    },
  };
}

/** Writes them without white space, for programs. The files in the repository are for people. */
function writeOpenApi(): void {
  for (const name of ['openapi.json', 'openapi-observed.json']) {
    const document: unknown = JSON.parse(readFileSync(name, 'utf8'));
    writeFileSync(`dist/${name}`, JSON.stringify(document));
  }
}

// The two entries have copies of the few lines that load the pipe.
const client = { entry: CLIENT, shared: sharedEntries('shared', 'core'), isSplit: false };
// Minified, because a page loads all of what a call needs.
const helpers = {
  entry: HELPERS,
  shared: sharedEntries('pipe', 'journal', 'chain-errors', 'wallet-errors', 'delegation'),
  isSplit: true,
  isMinified: true,
};
const libraries = {
  entry: { zod: 'src/contract/provide-zod.ts' },
  shared: sharedEntries('zod', 'ky'),
  isSplit: false,
  isMinified: true,
};
// The command runs as an ES module.
const { sandbox: _, ...withoutCommand } = HELPERS;
// Each with its own copy of the helpers that the entry exports too: shared files would be loaded
// together with the entry.
const flows = { entry: FLOWS, isSplit: false, isMinified: true };

// These run in parallel, so none of them may clean the folder: `npm run build` does.
const query = { entry: QUERY, isSplit: false, isMinified: true };

export default defineConfig([
  // Not minified: that would remove the annotations by which a bundler drops unused operations.
  { ...build('esm', { ...client, isMinified: false }), onSuccess: async () => writeOpenApi() },
  build('cjs', { ...client, isMinified: true }),
  build('esm', helpers),
  build('cjs', { ...helpers, entry: withoutCommand }),
  build('esm', libraries),
  build('cjs', libraries),
  build('esm', flows),
  build('cjs', flows),
  { ...build('esm', query), esbuildPlugins: [] },
  { ...build('cjs', query), esbuildPlugins: [] },
  {
    ...common,
    format: ['esm', 'cjs'],
    entry: { ...CLIENT, ...HELPERS, ...QUERY },
    dts: { only: true },
  },
]);

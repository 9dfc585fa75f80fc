import { readFileSync, writeFileSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';

/** The entries of the package, as `exports` in package.json lists them. */
const ENTRIES = {
  index: 'src/index.ts',
  endpoints: 'src/endpoints/index.ts',
  observed: 'src/observed/index.ts',
  journal: 'src/journal/index.ts',
  sessions: 'src/sessions/index.ts',
  stores: 'src/stores/index.ts',
  'card-reveal': 'src/card-reveal/index.ts',
  schemas: 'src/schemas/index.ts',
  query: 'src/query/index.ts',
  server: 'src/server/index.ts',
  evm: 'src/evm/index.ts',
  'evm-ethers': 'src/evm/ethers/index.ts',
  wagmi: 'src/wagmi/index.ts',
  solana: 'src/solana/index.ts',
  'solana-web3': 'src/solana/web3/index.ts',
  'solana-kit': 'src/solana/kit/index.ts',
  testing: 'src/testing/index.ts',
  'testing-msw': 'src/testing/msw/index.ts',
  'testing-wallets': 'src/testing/wallets/index.ts',
};

const code: Options = {
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/],
  // Code that several entries need is in files that they share, so that each class exists once.
  splitting: true,
  // Without it, these files import each other for nothing, and bundlers warn about that.
  treeshake: { moduleSideEffects: 'no-external' },
  // ky asks for these as it loads, and to answer Node loads its own `fetch`, which takes longer than
  // everything else. The requests of this package have neither streams nor forms.
  define: { 'globalThis.ReadableStream': 'undefined', 'globalThis.FormData': 'undefined' },
};

export default defineConfig([
  {
    ...code,
    format: 'esm',
    // The command runs as an ES module.
    entry: { ...ENTRIES, sandbox: 'src/sandbox/main.ts' },
    onSuccess: async () => {
      for (const name of ['openapi.json', 'openapi-observed.json']) {
        // Without white space, for programs. The files in the repository are for people.
        const document: unknown = JSON.parse(readFileSync(name, 'utf8'));
        writeFileSync(`dist/${name}`, JSON.stringify(document));
      }
    },
  },
  {
    ...code,
    format: 'cjs',
    entry: ENTRIES,
    esbuildOptions(options) {
      options.inject = ['src/transport/adapters/text-encoder.ts'];
    },
  },
  // The types exist once: `scripts/write-entry-files.ts` makes those of the ES modules point to these.
  { format: 'cjs', entry: ENTRIES, dts: { only: true } },
]);

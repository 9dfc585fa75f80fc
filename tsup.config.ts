import { copyFileSync } from 'node:fs';
import { defineConfig } from 'tsup';

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
  solana: 'src/solana/index.ts',
  'solana-web3': 'src/solana/web3/index.ts',
  'solana-kit': 'src/solana/kit/index.ts',
  testing: 'src/testing/index.ts',
  'testing-msw': 'src/testing/msw/index.ts',
  'testing-wallets': 'src/testing/wallets/index.ts',
};

export default defineConfig([
  {
    entry: { ...ENTRIES, sandbox: 'src/sandbox/main.ts' },
    format: ['esm', 'cjs'],
    target: 'es2022',
    platform: 'neutral',
    external: [/^node:/],
    // Code that several entries need is in files that they share, so that each class exists once.
    splitting: true,
    // Without it, these files import each other for nothing, and bundlers warn about that.
    treeshake: { moduleSideEffects: 'no-external' },
    onSuccess: async () => {
      for (const name of ['openapi.json', 'openapi-observed.json']) {
        copyFileSync(name, `dist/${name}`);
      }
    },
  },
  { entry: ENTRIES, format: ['esm', 'cjs'], dts: { only: true } },
]);

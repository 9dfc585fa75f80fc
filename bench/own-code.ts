import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { kilobytes, type Section } from './report.js';

const ROOT = new URL('..', import.meta.url).pathname;

/** Code of ours that a library also has: its purpose, our module, the library's, and its name. */
const PAIRS: readonly (readonly [what: string, ours: string, library: string, name: string])[] = [
  [
    'EIP-4361 messages: build and check',
    "export * from './src/evm/siwe/build.ts'; export * from './src/evm/siwe/check.ts'",
    "export { SiweMessage } from 'siwe'",
    'siwe with ethers',
  ],
  [
    'reads from an EVM node',
    "export * from './src/evm/chain/reader.ts'",
    "export { createPublicClient, http } from 'viem'",
    'viem',
  ],
  [
    'SPL approval and associated token account',
    "export * from './src/solana/approval.ts'; export * from './src/solana/associated-token-account.ts'",
    "export { getApproveCheckedInstruction, findAssociatedTokenPda } from '@solana-program/token'",
    '@solana-program/token',
  ],
  [
    'decimal strings to base units and back',
    "export * from './src/contract/formats/decimal.ts'",
    "export { parseUnits, formatUnits } from 'viem'",
    'viem',
  ],
];

async function gzipped(contents: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).byteLength;
}

/** Measures what our own code saves a page, compared with the library that does the same. */
export async function measureOwnCode(): Promise<Section> {
  const rows: string[][] = [];
  for (const [what, ours, library, name] of PAIRS) {
    rows.push([
      what,
      kilobytes(await gzipped(ours), 2),
      kilobytes(await gzipped(library), 2),
      name,
    ]);
  }
  return {
    title: 'Our own code compared with the library that does the same',
    note: 'Minified and compressed, each alone in a page.',
    heads: ['what', 'ours', 'library', 'which'],
    rows,
  };
}

import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { enterReactNative } from './support.js';

const TextDecoderOfNode = TextDecoder;

// Libraries of the app, which need more globals than this package.
vi.mock('msw', () => ({ http: {}, HttpResponse: {} }));
vi.mock('@solana/web3.js', () => ({
  PublicKey: class {},
  Transaction: class {},
  TransactionInstruction: class {},
}));

beforeEach(() => {
  enterReactNative();
  vi.resetModules();
});
afterEach(() => vi.unstubAllGlobals());

type Manifest = { exports: Readonly<Record<string, string | object>> };
const { exports: entries } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;

/** The files that a user can load: every entry of the package. */
const FILES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(entries)
    .filter(([, target]) => typeof target === 'object')
    .map(([name]) => [name, `../../src${name.slice(1)}/index.js`]),
);

/** They load viem, which needs both. Metro's inline requires put that off; Node does not. */
const WITH_VIEM = ['./evm', './testing/wallets'];

it.each(
  Object.entries(FILES),
)('%s loads without the globals that React Native lacks', async (name, file) => {
  if (WITH_VIEM.includes(name)) vi.stubGlobal('TextDecoder', TextDecoderOfNode);
  else vi.stubGlobal('TextEncoder', undefined);
  expect(Object.keys(await import(file)).length).toBeGreaterThan(0);
});

it('covers every entry', () => {
  const names = Object.keys(FILES);
  expect(names).toEqual(expect.arrayContaining(['.', './query', './server', './sessions']));
});

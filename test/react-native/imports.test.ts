import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { enterReactNative } from './support.js';

const TextDecoderOfNode = TextDecoder;

beforeEach(() => {
  enterReactNative();
  vi.resetModules();
});
afterEach(() => vi.unstubAllGlobals());

const ENTRIES: Readonly<Record<string, () => Promise<object>>> = {
  root: () => import('../../src/index.js'),
  '/endpoints': () => import('../../src/endpoints/index.js'),
  '/evm': () => import('../../src/evm/index.js'),
  '/solana': () => import('../../src/solana/index.js'),
  '/schemas': () => import('../../src/schemas/index.js'),
  '/testing': () => import('../../src/testing/index.js'),
  'the pipe': () => import('../../src/transport/pipe.js'),
  'the EVM flow': () => import('../../src/evm/flow/run-evm-delegation.js'),
  'the Solana flow': () => import('../../src/solana/flow/run-solana-delegation.js'),
};

it.each(
  Object.keys(ENTRIES),
)('%s loads without the globals that React Native lacks', async (name) => {
  if (/evm/i.test(name)) {
    // viem needs both at load. Metro's inline requires put that off; Node does not.
    vi.stubGlobal('TextDecoder', TextDecoderOfNode);
  } else vi.stubGlobal('TextEncoder', undefined);
  expect(Object.keys((await ENTRIES[name]?.()) ?? {}).length).toBeGreaterThan(0);
});

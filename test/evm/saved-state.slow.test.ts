import { afterAll, beforeAll } from 'vitest';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { describeSavedStates } from '../delegation/support/saved-state-tests.js';
import { delegatedOnce } from './support/saved-scene.js';

let chain: LocalChain;
let linea: LocalChain;

beforeAll(async () => {
  [chain, linea] = await Promise.all([startLocalChain(1), startLocalChain(59144)]);
});

afterAll(async () => {
  await Promise.all([chain.stop(), linea.stop()]);
});

describeSavedStates(
  () => delegatedOnce(chain),
  async () => (await delegatedOnce(linea)).states,
);

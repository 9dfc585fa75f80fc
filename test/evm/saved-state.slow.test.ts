import { afterAll, beforeAll } from 'vitest';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { describeSavedStates } from '../delegation/support/saved-state-tests.js';
import { completeDelegation } from './support/completed-delegation.js';

let chain: LocalChain;
let linea: LocalChain;

beforeAll(async () => {
  [chain, linea] = await Promise.all([startLocalChain(1), startLocalChain(59144)]);
});

afterAll(async () => {
  await Promise.all([chain.stop(), linea.stop()]);
});

describeSavedStates(
  () => completeDelegation(chain),
  async () => (await completeDelegation(linea)).states,
);

import { expect, it } from 'vitest';
import { createDelegation, type DelegationState } from '../../../src/evm/index.js';
import { memoryStore } from '../../../src/stores/index.js';
import { failureOf } from '../../delegation/scripted-world.js';
import { approveData, OTHER } from './chain.js';
import { OWNER, type Scene, setUpScene, UNITS } from './scene.js';

const stored = (scene: Scene, changes: object = {}) => {
  const { client: _, onProgress: __, ...rest } = scene.options(changes);
  return rest as never;
};
/** A dropped approval that no node ever showed, on a node that keeps no old state and searches no events. */
async function dropHidden(scene: Scene, run: () => Promise<unknown>) {
  const { chain } = scene;
  chain.script('eth_getLogs', () => {
    throw new Error('query returned more than 10000 results');
  });
  scene.walletDoes.mines = false;
  chain.script('eth_getTransactionByHash', () => null);
  chain.script('eth_getTransactionCount', () => '0x7');
  let hash = '';
  const { sendTransaction } = scene.wallet;
  scene.wallet.sendTransaction = async (call) => (hash = await sendTransaction(call));
  await run();
  chain.forget(hash);
  // The account has used the nonce for something else since.
  chain.submit({ from: OWNER, nonce: 7n, to: OTHER, input: '0x', value: 5n });
  chain.mine();
  chain.unscript('eth_getTransactionByHash');
  chain.unscript('eth_getTransactionCount');
  chain.mine(200n);
  chain.script('eth_getTransactionCount', ([, block], usual) => {
    if (block === 'latest' || block === 'pending') return usual();
    throw new Error('missing trie node');
  });
  scene.walletDoes.mines = true;
}

it('approveAgain asks again for a dropped approval', async () => {
  const scene = setUpScene();
  let state: DelegationState | undefined;
  await dropHidden(scene, async () => {
    ({ state } = await scene.fail({ confirmationTimeout: 4_000 }));
  });
  const { error } = await scene.fail({
    resume: state,
    approveAgain: true,
    confirmationTimeout: 4_000,
  });
  expect(error).toBeUndefined();
  expect(scene.countOf('send')).toBe(2);
});

it('replace asks again for a dropped approval', async () => {
  const scene = setUpScene();
  const store = memoryStore();
  await dropHidden(scene, () =>
    failureOf(
      createDelegation({ client: scene.client, store }).start(
        stored(scene, { confirmationTimeout: 4_000 }),
      ),
    ),
  );
  const next = createDelegation({ client: scene.client, store });
  const { error } = await failureOf(
    next.start(stored(scene, { replace: true, confirmationTimeout: 4_000 })),
  );
  expect(error).toBeUndefined();
});

it.each([
  true,
  false,
])('a hidden approval with a later nonce than expected that was sped up is not paid twice (keeps: %s)', async (keeps) => {
  const scene = setUpScene();
  const { chain } = scene;
  chain.script('eth_getLogs', () => {
    throw new Error('query returned more than 10000 results');
  });
  scene.walletDoes.mines = false;
  chain.script('eth_getTransactionByHash', () => null);
  // The node lags: another transaction of the account has nonce 7 already.
  chain.script('eth_getTransactionCount', () => '0x7');
  const { state } = await scene.fail({ confirmationTimeout: 4_000 });
  chain.forget(state?.approval?.transactionId ?? '');
  chain.submit({ from: OWNER, nonce: 7n, to: OTHER, input: '0x', value: 5n });
  chain.mine();
  chain.submit({ from: OWNER, nonce: 8n, input: approveData(UNITS) });
  chain.mine();
  chain.unscript('eth_getTransactionByHash');
  chain.unscript('eth_getTransactionCount');
  if (!keeps) {
    chain.mine(200n);
    chain.script('eth_getTransactionCount', ([, block], usual) => {
      if (block === 'latest' || block === 'pending') return usual();
      throw new Error('missing trie node');
    });
  }
  await scene.fail({ resume: state, confirmationTimeout: 4_000 });
  expect(scene.countOf('send')).toBe(1);
});

import { describe, expect, it } from 'vitest';
import { createDelegation } from '../../../src/evm/index.js';
import { memoryStore } from '../../../src/stores/index.js';
import { failureOf } from '../../delegation/scripted-world.js';
import { approveData, OTHER } from './chain.js';
import { OWNER, type Scene, setUpScene, UNITS } from './scene.js';

const OPTIONS = { confirmationTimeout: 4_000 };

/** Nonces of the account that are used while nobody looks: 7 was the expected one. */
type Used = { readonly nonce: bigint; readonly by: 'a copy of the approval' | 'something else' };

/**
 * Loses an approval that no public node has ever seen, as in a private pool, on a node that searches no
 * events.
 *
 * @param keeps - whether the node keeps its old state
 */
async function loseUnseen(
  scene: Scene,
  { used, keeps }: { used: readonly Used[]; keeps: boolean },
  run: () => Promise<unknown>,
) {
  const { chain, wallet } = scene;
  chain.script('eth_getLogs', () => {
    throw new Error('query returned more than 10000 results');
  });
  scene.walletDoes.mines = false;
  chain.script('eth_getTransactionByHash', () => null);
  chain.script('eth_getTransactionCount', () => '0x7');
  const { sendTransaction } = wallet;
  let hash = '';
  wallet.sendTransaction = async (call) => {
    hash = await sendTransaction(call);
    return hash;
  };
  await run();
  chain.forget(hash);
  for (const { nonce, by } of used) {
    const isCopy = by === 'a copy of the approval';
    const call = isCopy ? { input: approveData(UNITS) } : { to: OTHER, input: '0x', value: 5n };
    chain.submit({ from: OWNER, nonce, ...call });
    chain.mine();
  }
  chain.unscript('eth_getTransactionByHash');
  chain.unscript('eth_getTransactionCount');
  scene.walletDoes.mines = true;
  if (keeps) return;
  chain.mine(200n);
  chain.script('eth_getTransactionCount', ([, block], usual) => {
    if (block === 'latest' || block === 'pending') return usual();
    throw new Error('missing trie node');
  });
}

const ELSEWHERE = { nonce: 7n, by: 'something else' } as const;
const COPIED: Used = { nonce: 7n, by: 'a copy of the approval' };
const COPIED_LATER: readonly Used[] = [ELSEWHERE, { nonce: 8n, by: 'a copy of the approval' }];

describe('an approval that no public node has seen', () => {
  it.each([
    ['was sped up', [COPIED], true],
    ['was sped up', [COPIED], false],
    ['has a later nonce than expected and was sped up', COPIED_LATER, true],
    ['has a later nonce than expected and was sped up', COPIED_LATER, false],
  ] as const)('and that %s is not paid twice (%o, old state kept: %s)', async (_, used, keeps) => {
    const scene = setUpScene();
    let state: Awaited<ReturnType<Scene['fail']>>['state'];
    await loseUnseen(scene, { used, keeps }, async () => {
      ({ state } = await scene.fail(OPTIONS));
    });
    await scene.fail({ ...OPTIONS, resume: state });
    expect(scene.countOf('send')).toBe(1);
  });

  it('and was dropped is asked for again with approveAgain', async () => {
    const scene = setUpScene();
    let state: Awaited<ReturnType<Scene['fail']>>['state'];
    await loseUnseen(scene, { used: [ELSEWHERE], keeps: false }, async () => {
      ({ state } = await scene.fail(OPTIONS));
    });
    const { error } = await scene.fail({ ...OPTIONS, resume: state, approveAgain: true });
    expect(error).toBeUndefined();
    expect(scene.countOf('send')).toBe(2);
  });

  it('and was dropped is asked for again if the node shows what took the only nonce', async () => {
    const scene = setUpScene();
    let state: Awaited<ReturnType<Scene['fail']>>['state'];
    await loseUnseen(scene, { used: [ELSEWHERE], keeps: true }, async () => {
      ({ state } = await scene.fail(OPTIONS));
    });
    const { error } = await scene.fail({ ...OPTIONS, resume: state });
    expect(error).toBeUndefined();
    expect(scene.countOf('send')).toBe(2);
  });

  it('and that was sped up is not asked for again with approveAgain: the chain has the limit', async () => {
    const scene = setUpScene();
    let state: Awaited<ReturnType<Scene['fail']>>['state'];
    await loseUnseen(scene, { used: COPIED_LATER, keeps: false }, async () => {
      ({ state } = await scene.fail(OPTIONS));
    });
    await scene.fail({ ...OPTIONS, resume: state, approveAgain: true });
    expect(scene.countOf('send')).toBe(1);
  });

  it('and may be pending is replaced only after one run has waited for it in vain', async () => {
    const scene = setUpScene();
    const store = memoryStore();
    const { client, onProgress: _, ...options } = scene.options(OPTIONS);
    scene.walletDoes.mines = false;
    scene.chain.script('eth_getTransactionByHash', () => null);
    scene.chain.script('eth_getTransactionCount', () => '0x7');
    const page = createDelegation({ client, store });
    page.subscribe(() => page.getState().step === 'confirmed' && page.cancel());
    await failureOf(page.start(options as never));
    const replace = () =>
      createDelegation({ client, store }).start({ ...options, replace: true } as never);
    const waited = await failureOf(replace());
    expect(waited.error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    expect(scene.countOf('send')).toBe(1);
    // The user replaces it all the same.
    scene.chain.forget(scene.chain.transactions[0]?.hash ?? '');
    scene.chain.unscript('eth_getTransactionByHash');
    scene.chain.unscript('eth_getTransactionCount');
    scene.walletDoes.mines = true;
    expect(await replace()).toMatchObject({ registration: 'accepted' });
    expect(scene.countOf('send')).toBe(2);
  });

  it('and was dropped is asked for again with replace', async () => {
    const scene = setUpScene();
    const store = memoryStore();
    const { client, onProgress: _, ...options } = scene.options(OPTIONS);
    const start = (more: object) =>
      createDelegation({ client, store }).start({ ...options, ...more } as never);
    await loseUnseen(scene, { used: [ELSEWHERE], keeps: false }, () => failureOf(start({})));
    const { error } = await failureOf(start({ replace: true }));
    expect(error).toBeUndefined();
    expect(scene.countOf('send')).toBe(2);
  });
});

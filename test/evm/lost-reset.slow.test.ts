import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { EvmWallet } from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { approve } from './support/chain-actions.js';
import { type Scene, setUpScene } from './support/scene.js';

let chain: LocalChain;

beforeAll(async () => {
  chain = await startLocalChain(1);
});

afterEach(() => chain.startMining());
afterAll(() => chain.stop());

const USDT = { currency: 'usdt' };

/** A flow whose wallet sends the reset of the old limit, and loses the connection to the page. */
async function loseReset(isSent = true) {
  const scene = await setUpScene(chain);
  await approve(scene, 7n);
  await chain.stopMining();
  const wallet: EvmWallet = {
    ...scene.wallet,
    async sendTransaction(call) {
      if (isSent) await scene.wallet.sendTransaction(call);
      throw { code: 4900, message: 'Disconnected' };
    },
  };
  const { error, state } = await scene.delegateAndCatch({ ...USDT, wallet });
  expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
  return { scene, state };
}

/** Mines a block, and every later transaction at once, as soon as the flow waits. */
const mining = (scene: Scene) => ({
  runtime: {
    now: () => scene.mock.now,
    async sleep(milliseconds: number) {
      scene.mock.advance(milliseconds);
      await chain.testClient.mine({ blocks: 1 });
      await chain.startMining();
    },
  },
});

describe('a reset of the old limit whose hash was lost', () => {
  it('is waited for by a resumed flow while it is pending, and not requested again', async () => {
    const { scene, state } = await loseReset();
    const result = await scene.delegate({ ...USDT, resume: state, ...mining(scene) });
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['sign', 'reset', 'send']);
  });

  it('ends the resumed flow with approval_unknown when it stays pending', async () => {
    const { scene, state } = await loseReset();
    const stuck = await scene.delegateAndCatch({ ...USDT, resume: state, confirmationTimeout: 99 });
    expect(stuck.error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
    expect(stuck.error).toMatchObject({ message: expect.stringContaining('still pending') });
    expect(scene.prompts).toEqual(['sign', 'reset']);
    await chain.testClient.mine({ blocks: 1 });
    await chain.startMining();
    const result = await scene.delegate({ ...USDT, resume: stuck.state });
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['sign', 'reset', 'send']);
  });

  it('is requested again when the wallet has sent nothing', async () => {
    const { scene, state } = await loseReset(false);
    await chain.startMining();
    const result = await scene.delegate({ ...USDT, resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['sign', 'reset', 'send']);
  });
});

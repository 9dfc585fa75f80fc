import { describe, expect, it } from 'vitest';
import { APPROVAL_TOPIC } from '../../../src/evm/approval/calldata.js';
import { approveData, OTHER, SPENDER, TOKEN } from './chain.js';
import { OWNER, setUpScene, UNITS } from './scene.js';

const listed = (allowance: string) => [
  { address: OWNER, currency: 'usdc', network: 'linea', allowance },
];

/** The event of an approval by signature, whose transaction can be of anybody. */
const permit = (units: bigint) => {
  const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
  const data = `0x${units.toString(16).padStart(64, '0')}`;
  return {
    logs: [{ address: TOKEN, topics: [APPROVAL_TOPIC, topic(OWNER), topic(SPENDER)], data }],
  };
};

/** A wallet that has approved the limit before, and of which the flow knows nothing. */
function sceneWithApproval(input = approveData(UNITS)) {
  const scene = setUpScene();
  const { hash } = scene.chain.submit({ from: OWNER, input });
  scene.chain.mine(40n);
  return { ...scene, hash };
}

describe('a limit that is on the chain already', () => {
  it.each([
    '100.5',
    '100500000',
    `0x${UNITS.toString(16)}`,
  ])('and that the service lists as %s, costs no prompt and no fee', async (allowance) => {
    const scene = sceneWithApproval();
    scene.service.registered = listed(allowance);
    scene.chain.balance = 0n;
    const result = await scene.run();
    expect(scene.prompts).toEqual([]);
    expect(scene.tokens.issued).toBe(0);
    expect(result).toMatchObject({ registration: 'found-in-wallets', amount: '100.5' });
    expect(result.transactionId).toBeUndefined();
  });

  it('and that the service does not have, is registered with its own transaction', async () => {
    const scene = sceneWithApproval();
    scene.chain.balance = 0n;
    const result = await scene.run();
    expect(scene.prompts).toEqual(['sign']);
    expect(result).toMatchObject({ registration: 'accepted', transactionId: scene.hash });
    expect(scene.proofs).toMatchObject([{ txHash: scene.hash, amount: '100.5' }]);
  });

  it('is not taken for one that the wallet cancelled before', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.after(2_000, () => {
      scene.chain.forget(scene.chain.transactions[0]?.hash ?? '');
      scene.chain.submit({ from: OWNER, to: OWNER, nonce: 7n });
      scene.chain.mine();
    });
    const { error, state } = await scene.fail();
    expect(error).toMatchObject({ code: 'transaction_cancelled' });
    expect(state?.notes).toMatchObject({ nonce: '7' });
    const { hash } = scene.chain.submit({ from: OWNER, input: approveData(UNITS) });
    scene.chain.mine();
    let unknown = 2;
    scene.chain.script('eth_getTransactionReceipt', ([asked], usual) => {
      if (asked !== hash || unknown-- <= 0) return usual();
      // A reorganization: the node has neither for a moment.
      scene.chain.script('eth_getTransactionByHash', () => {
        scene.chain.unscript('eth_getTransactionByHash');
        return null;
      });
      return null;
    });
    expect(await scene.run({ resume: state })).toMatchObject({ transactionId: hash });
    expect(scene.countOf('send')).toBe(1);
  });

  it('is found behind newer approvals of others, and of the same spender', async () => {
    const scene = setUpScene();
    scene.chain.submit({ from: OWNER, input: approveData(7n) });
    scene.chain.mine();
    const { hash } = scene.chain.submit({ from: OWNER, input: approveData(UNITS) });
    scene.chain.mine();
    scene.chain.submit({ from: OWNER, input: approveData(9n, OWNER) });
    scene.chain.mine();
    expect((await scene.run()).transactionId).toBe(hash);
    expect(scene.prompts).toEqual(['sign']);
  });

  it.each<[string, (scene: ReturnType<typeof sceneWithApproval>) => void]>([
    [
      'one unit of it is spent',
      ({ chain }) => {
        chain.spent.push({ block: chain.height, units: 1n });
        chain.mine();
      },
    ],
    [
      'it is what is left of a later one',
      ({ chain }) => {
        chain.submit({ from: OWNER, input: approveData(2n * UNITS) });
        chain.mine();
        chain.spent.push({ block: chain.height, units: UNITS });
        chain.mine();
      },
    ],
    [
      'it is what is left of a later one that somebody else has sent, with a permit',
      ({ chain }) => {
        const { logs } = permit(2n * UNITS);
        chain.submit({ from: OTHER, to: OTHER, input: '0x', logs });
        chain.mine();
      },
    ],
    ['the node does not search', ({ chain }) => chain.script('eth_getLogs', () => 'no')],
    [
      'the transaction is not in the index',
      ({ chain, hash }) => {
        chain.script('eth_getTransactionByHash', ([asked], usual) =>
          asked === hash ? null : usual(),
        );
      },
    ],
  ])('is approved again if %s', async (_, change) => {
    const scene = sceneWithApproval();
    change(scene);
    const { transactionId } = await scene.run();
    expect(scene.countOf('send')).toBe(1);
    expect(transactionId).not.toBe(scene.hash);
  });

  it('is not taken from another spender or another token', async () => {
    const scene = sceneWithApproval(approveData(UNITS, OWNER));
    await scene.run();
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('is not adopted if it came from somebody else’s transaction', async () => {
    const scene = setUpScene();
    // A permit sets the limit without a transaction of the owner.
    scene.chain.firstAllowance = UNITS;
    scene.service.registered = listed('7');
    await scene.run();
    expect(scene.prompts).toEqual(['sign', 'send']);
  });
});

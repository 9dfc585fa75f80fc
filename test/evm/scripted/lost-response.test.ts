import { describe, expect, it } from 'vitest';
import { approveData, OTHER, type ScriptedTransaction } from './chain.js';
import { OWNER, type Scene, setUpScene, UNITS } from './scene.js';

/** Runs a flow whose wallet never reports what it did with the approval. */
async function loseResponse(scene: Scene, sent?: Partial<ScriptedTransaction>) {
  const send = scene.wallet.sendTransaction;
  scene.wallet.sendTransaction = async (call) => {
    scene.prompts.push('lost');
    if (sent !== undefined) {
      scene.chain.submit({ from: OWNER, input: call.data, ...sent });
      scene.chain.mine();
    }
    throw new Error('the connection to the wallet was lost');
  };
  const { error, state } = await scene.fail();
  expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
  expect(state?.approval).toEqual({ status: 'requested' });
  expect(state?.notes).toMatchObject({ sentAfter: '1000', nextNonce: '7' });
  scene.wallet.sendTransaction = send;
  return state;
}

const noEvents = (scene: Scene) =>
  scene.chain.script('eth_getLogs', () => {
    throw new Error('query returned more than 10000 results');
  });

describe('an approval whose hash was lost', () => {
  it.each([
    ['by its event', {}, () => undefined],
    ['by its nonce, if the node does not search', {}, noEvents],
    ['by its nonce, in a later block', { block: 1_037n }, noEvents],
    ['with another nonce, by its event', { nonce: 9n }, () => undefined],
    ['with data that the wallet appended', { input: `${approveData(UNITS)}beef` }, () => undefined],
  ])('is found %s', async (_, sent, change) => {
    const scene = setUpScene();
    const state = await loseResponse(scene, sent);
    change(scene);
    scene.chain.mine(300n);
    const { transactionId } = await scene.run({ resume: state });
    expect(transactionId).toBe(scene.chain.transactions[0]?.hash);
    expect(scene.countOf('send')).toBe(0);
    expect(scene.proofs).toHaveLength(1);
  });

  it.each([
    'User closed popup',
    'Popup closed',
  ])('is not asked for again after "%s", because the wallet may have sent before', async (message) => {
    const scene = setUpScene();
    const { sendTransaction } = scene.wallet;
    scene.walletDoes.mines = false;
    scene.wallet.sendTransaction = async (call) => {
      await sendTransaction(call);
      throw new Error(message);
    };
    const { error, state } = await scene.fail();
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    scene.chain.mine();
    await scene.run({ resume: state });
    expect(scene.countOf('send')).toBe(1);
    expect(scene.proofs).toHaveLength(1);
  });

  it('is found by its nonce, which comes after those of the transactions that wait', async () => {
    const scene = setUpScene();
    noEvents(scene);
    scene.chain.submit({ from: OWNER, to: OTHER });
    const { sendTransaction } = scene.wallet;
    scene.wallet.sendTransaction = async (call) => {
      await sendTransaction(call);
      throw new Error('the connection to the wallet was lost');
    };
    const { state } = await scene.fail();
    const { transactionId } = await scene.run({ resume: state });
    expect(scene.chain.find(transactionId ?? '')?.nonce).toBe(8n);
    expect(scene.countOf('send')).toBe(1);
  });

  it('is searched for in pieces that the node accepts, without a gap', async () => {
    const scene = setUpScene();
    const state = await loseResponse(scene, { block: 1_001n });
    scene.chain.mine(20_000n);
    const pieces: [bigint, bigint][] = [];
    scene.chain.script('eth_getLogs', ([filter], usual) => {
      const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string };
      const [from, to] = [BigInt(fromBlock), BigInt(toBlock)];
      if (to - from >= 1_250n) throw new Error('block range too large');
      pieces.push([from, to]);
      return usual();
    });
    const { transactionId } = await scene.run({ resume: state });
    expect(transactionId).toBe(scene.chain.transactions[0]?.hash);
    expect(pieces[0]).toEqual([19_752n, 21_001n]);
    for (const [index, [from, to]] of pieces.entries()) {
      expect(to - from).toBeLessThan(1_250n);
      if (index > 0) expect(to).toBe((pieces[index - 1]?.[0] ?? 0n) - 1n);
    }
    expect(pieces.at(-1)?.[0]).toBe(1_001n);
  });

  it('is searched for in pieces of 500 blocks at least', async () => {
    const scene = setUpScene();
    const state = await loseResponse(scene);
    scene.chain.mine(20_000n);
    const sizes: bigint[] = [];
    scene.chain.script('eth_getLogs', ([filter]) => {
      const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string };
      sizes.push(BigInt(toBlock) - BigInt(fromBlock) + 1n);
      throw new Error('block range too large');
    });
    const { error } = await scene.fail({ resume: state });
    expect(error).toMatchObject({ code: 'approval_unknown' });
    expect([...new Set(sizes)]).toEqual([10_000n, 5_000n, 2_500n, 1_250n, 625n, 500n]);
    expect(sizes.filter((size) => size === 500n).length).toBe(
      sizes.filter((size) => size === 10_000n).length,
    );
  });

  it.each<[string, Partial<ScriptedTransaction> | undefined]>([
    ['nothing is there', undefined],
    ['a transfer has its nonce', { input: '0xa9059cbb' }],
    ['an approval of another spender has its nonce', { input: approveData(UNITS, OTHER) }],
    ['another account approved', { from: OTHER }],
    ['coins were sent along, with another nonce', { value: 1n, nonce: 9n }],
    ['another limit was set with another nonce', { input: approveData(5n), nonce: 9n }],
    ['another limit failed with its nonce', { input: approveData(5n), failed: true }],
    // It can be from before the wallet was asked: the node may have lagged when it told the nonce.
    ['the same call failed with its nonce', { failed: true }],
    ['it was there before the wallet was asked', { block: 1_000n }],
  ])('is unknown if %s, and the wallet is not asked', async (_, sent) => {
    const scene = setUpScene();
    const state = await loseResponse(scene, sent);
    if (sent?.block !== undefined) noEvents(scene);
    const { error } = await scene.fail({ resume: state });
    expect(error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
    expect(scene.prompts).toEqual(['sign', 'lost']);
    expect(scene.proofs).toEqual([]);
  });

  it('is found although the token would refuse it now: its own limit may be the reason', async () => {
    const scene = setUpScene();
    const state = await loseResponse(scene, {});
    scene.chain.script('eth_call', ([call], usual) => {
      const { data } = call as { data: string };
      if (!data.startsWith('0x095ea7b3')) return usual();
      throw Object.assign(new Error('execution reverted'), { code: 3 });
    });
    const { transactionId } = await scene.run({ resume: state });
    expect(transactionId).toBe(scene.chain.transactions[0]?.hash);
    expect(scene.countOf('send')).toBe(0);
  });

  it('is asked for again if the user says that nothing was sent', async () => {
    const scene = setUpScene();
    const state = await loseResponse(scene);
    await scene.run({ resume: state, approveAgain: true });
    expect(scene.countOf('send')).toBe(1);
  });

  it('is not asked for again if it is there, whatever the user says', async () => {
    const scene = setUpScene();
    const state = await loseResponse(scene, {});
    await scene.run({ resume: state, approveAgain: true });
    expect(scene.countOf('send')).toBe(0);
  });

  it.each([
    ['by its event', { nonce: 9n }, () => undefined],
    ['by its nonce', {}, noEvents],
  ])('is not asked for again if it is found %s, and another node lags', async (_, sent, change) => {
    const scene = setUpScene();
    const state = await loseResponse(scene, sent);
    change(scene);
    let reads = 0;
    scene.chain.script('eth_getTransactionReceipt', (__, usual) => (++reads <= 2 ? null : usual()));
    await scene.run({ resume: state, approveAgain: true });
    expect(scene.countOf('send')).toBe(0);
    expect(reads).toBeGreaterThan(2);
  });

  it('with another limit, and the expected nonce, is reported with that limit', async () => {
    const scene = setUpScene();
    const state = await loseResponse(scene, { input: approveData(5n) });
    const { error } = await scene.fail({ resume: state });
    expect(error).toMatchObject({ code: 'approval_mismatch', approvedAmount: '0.000005' });
    expect(scene.countOf('send')).toBe(0);
  });

  it('is not searched for on another chain', async () => {
    const scene = setUpScene();
    const state = await loseResponse(scene, {});
    scene.chain.chainId = 1;
    const { error } = await scene.fail({ resume: state, approveAgain: true });
    expect(error).toMatchObject({ code: 'wrong_chain', outcome: 'unknown' });
    expect(scene.prompts).toEqual(['sign', 'lost']);
  });
});

describe('a node that cannot show everything proves nothing', () => {
  it.each<[string, (scene: Scene) => void]>([
    [
      'it keeps no events and no old state',
      (scene) => {
        noEvents(scene);
        scene.chain.script('eth_getTransactionCount', ([, at], usual) => {
          if (at === 'latest' || at === 'pending') return usual();
          throw new Error('missing trie node');
        });
      },
    ],
    [
      'it does not know the transaction of an event',
      ({ chain }) => {
        chain.script('eth_getTransactionByHash', () => null);
        chain.script('eth_getBlockByNumber', () => ({ transactions: [] }));
      },
    ],
    [
      'its events are cut off in the middle',
      ({ chain }) => {
        chain.script('eth_getLogs', () => [{ address: '0x' }]);
        chain.script('eth_getBlockByNumber', () => null);
      },
    ],
  ])('%s', async (_, change) => {
    const scene = setUpScene();
    const state = await loseResponse(scene, {});
    scene.chain.mine(300n);
    change(scene);
    const { error } = await scene.fail({ resume: state });
    expect(error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
    expect(scene.prompts).toEqual(['sign', 'lost']);
  });
});

describe('the search of the events', () => {
  const rangesOf = (scene: Scene) =>
    scene.chain.calls
      .filter(({ method }) => method === 'eth_getLogs')
      .map(({ params: [filter] }) => filter as { fromBlock: string; toBlock: string })
      .map(({ fromBlock, toBlock }) => [Number(fromBlock), Number(toBlock)]);

  /** The wallet was asked at block 1,000; the chain has grown since. */
  const searchAt = async (height: bigint, change: (scene: Scene) => void = () => undefined) => {
    const scene = setUpScene();
    const state = await loseResponse(scene);
    scene.chain.height = height;
    scene.chain.calls.splice(0);
    change(scene);
    const { error } = await scene.fail({ resume: state });
    return { scene, error };
  };

  it.each([
    [1_000n, []],
    [1_001n, [[1_001, 1_001]]],
    [11_000n, [[1_001, 11_000]]],
    [
      11_001n,
      [
        [1_002, 11_001],
        [1_001, 1_001],
      ],
    ],
    [
      25_000n,
      [
        [15_001, 25_000],
        [5_001, 15_000],
        [1_001, 5_000],
      ],
    ],
  ])('at block %i covers every block once, newest first', async (height, ranges) => {
    const { scene } = await searchAt(height);
    expect(rangesOf(scene)).toEqual(ranges);
  });

  it('takes smaller pieces where the node refuses: 10,000 to 500 blocks', async () => {
    const { scene } = await searchAt(30_000n, ({ chain }) =>
      chain.script('eth_getLogs', ([filter], usual) => {
        const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string };
        if (Number(toBlock) - Number(fromBlock) >= 500) throw new Error('range too large');
        return usual();
      }),
    );
    const sizes = rangesOf(scene).map(([from = 0, to = 0]) => to - from + 1);
    expect([...new Set(sizes)].slice(0, 6)).toEqual([10_000, 5_000, 2_500, 1_250, 625, 500]);
  });

  it('ends where the node refuses 500 blocks too', async () => {
    const { scene, error } = await searchAt(30_000n, noEvents);
    const sizes = rangesOf(scene).map(([from = 0, to = 0]) => to - from + 1);
    expect([...new Set(sizes)]).toEqual([10_000, 5_000, 2_500, 1_250, 625, 500]);
    expect(error).toMatchObject({ code: 'approval_unknown' });
  });

  it.each([
    [640_000n, true],
    [640_001n, false],
  ])('reaches %i blocks back with its 64 pieces: %s', async (distance, reaches) => {
    const scene = setUpScene();
    const state = await loseResponse(scene, { nonce: 9n, block: 1_001n });
    // The block of the approval is the oldest one of this many.
    scene.chain.height = 1_000n + distance;
    const { error } = await scene.fail({ resume: state });
    expect(error === undefined).toBe(reaches);
    expect(scene.countOf('send')).toBe(0);
  });
});

import { describe, expect, it } from 'vitest';
import { approveData, blockHash } from './chain.js';
import { OWNER, setUpScene, UNITS } from './scene.js';

const MINUTES = 180_000;

describe('the block of the approval is the first confirmation', () => {
  it.each([1, 2, 3, 4, 12])('%i asked: one fewer is not enough', async (asked) => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    // The chain stands still afterwards: nothing else can make up for the missing one.
    scene.after(2_000, () => asked > 1 && scene.chain.mine(BigInt(asked - 1)));
    const { error } = await scene.fail({ confirmations: asked });
    expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    expect(scene.proofs).toEqual([]);
  });

  it.each([1, 2, 3, 4, 12])('%i asked: exactly as many are enough', async (asked) => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.after(2_000, () => scene.chain.mine(BigInt(asked)));
    const { registration } = await scene.run({ confirmations: asked });
    expect(registration).toBe('accepted');
    expect(scene.clock.waits).toEqual([2_000]);
  });

  it.each([2, 3, 4])('%i asked: a failure with one fewer may still be undone', async (asked) => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.walletDoes.changes = ({ data, to }) => ({ input: data, to, failed: true });
    scene.after(2_000, () => scene.chain.mine(BigInt(asked - 1)));
    const { error, state } = await scene.fail({ confirmations: asked });
    expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    expect(state?.approval?.status).toBe('sent');
  });

  it.each([1, 2, 3, 4])('%i asked: a failure with as many ends the flow', async (asked) => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.walletDoes.changes = ({ data, to }) => ({ input: data, to, failed: true });
    scene.after(2_000, () => scene.chain.mine(BigInt(asked)));
    const { error, state } = await scene.fail({ confirmations: asked });
    expect(error).toMatchObject({ code: 'transaction_reverted', outcome: 'rejected' });
    expect(state?.approval).toBeUndefined();
    expect(state?.notes['ended']).toBe(scene.chain.transactions[0]?.hash);
  });

  it('a failed copy with another fee is the one that a reorganization can bring back', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.after(2_000, () => {
      const [first] = scene.chain.transactions;
      scene.chain.forget(first?.hash ?? '');
      scene.chain.submit({ from: OWNER, input: first?.input ?? '', nonce: 7n, failed: true });
      scene.chain.mine();
    });
    const { error, state } = await scene.fail();
    expect(error).toMatchObject({ code: 'transaction_reverted' });
    expect(state?.notes['ended']).toBe(scene.chain.transactions[0]?.hash);
    expect(scene.chain.transactions).toHaveLength(1);
  });

  it('a node that is behind counts only the blocks that it has', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.after(2_000, () => {
      scene.chain.mine(3n);
      scene.chain.behind = 1n;
    });
    scene.after(6_000, () => {
      scene.chain.behind = 0n;
    });
    await scene.run({ confirmations: 3 });
    expect(scene.clock.now).toBe(Date.UTC(2026, 0, 1, 12, 0, 6));
  });

  it('the count begins again in another block', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.after(2_000, () => scene.chain.mine(2n));
    scene.after(4_000, () => scene.chain.unmine(scene.chain.transactions[0]?.hash ?? ''));
    scene.after(6_000, () => scene.chain.mine(2n));
    scene.after(8_000, () => scene.chain.mine(1n));
    await scene.run({ confirmations: 3 });
    expect(scene.clock.waits).toHaveLength(4);
  });
});

describe('the nodes behind one URL are on different branches', () => {
  /** Answers the first call of a method as a node on another branch does. */
  const onOtherBranch = (
    scene: ReturnType<typeof setUpScene>,
    method: string,
    other: (number: bigint) => object,
  ) => {
    let isAnswered = false;
    scene.chain.script(method, ([first], usual) => {
      const response = usual();
      if (response === null || isAnswered) return response;
      isAnswered = true;
      const { blockNumber = first } = response as { blockNumber?: string };
      return { ...response, ...other(BigInt(String(blockNumber))) };
    });
  };
  const header = (number: bigint) => ({
    hash: blockHash(number, 1),
    parentHash: blockHash(number - 1n, 1),
  });
  const OTHER_RECEIPT = { blockHash: blockHash(1_001n, 1) };

  it.each([2, 3, 12])('%i asked: newer blocks of another branch confirm nothing', async (asked) => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    // The branch of the receipt has one block too few, and the other one is longer.
    scene.after(2_000, () => scene.chain.mine(BigInt(asked - 1)));
    scene.chain.script('eth_getBlockByNumber', ([number], usual) => {
      return usual() ?? header(BigInt(String(number)));
    });
    const { error } = await scene.fail({ confirmations: asked });
    expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    expect(scene.proofs).toEqual([]);
  });

  it.each([2, 3])('%i asked: each block must be the parent of the next one', async (asked) => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.after(2_000, () => scene.chain.mine(BigInt(asked)));
    onOtherBranch(scene, 'eth_getBlockByNumber', header);
    await scene.run({ confirmations: asked });
    expect(scene.clock.waits).toEqual([2_000, 2_000]);
  });

  it('a receipt of another branch counts from its own block', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.after(2_000, () => scene.chain.mine(2n));
    onOtherBranch(scene, 'eth_getTransactionReceipt', () => ({
      blockNumber: '0x3e8',
      blockHash: blockHash(1_000n, 1),
    }));
    const { error } = await scene.fail({ confirmations: 3 });
    expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    expect(scene.proofs).toEqual([]);
  });

  it('a failure on another branch does not end the flow', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.after(2_000, () => scene.chain.mine(3n));
    onOtherBranch(scene, 'eth_getTransactionReceipt', () => ({ ...OTHER_RECEIPT, status: '0x0' }));
    const { registration } = await scene.run({ confirmations: 3 });
    expect(registration).toBe('accepted');
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('hashes in capital letters are the same', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.after(2_000, () => scene.chain.mine(3n));
    const shout = ({ hash, parentHash }: ReturnType<typeof header>) => ({
      hash: hash.toUpperCase().replace('0X', '0x'),
      parentHash,
    });
    scene.chain.script('eth_getBlockByNumber', (_, usual) => shout(usual() as never));
    await scene.run({ confirmations: 3 });
    expect(scene.clock.waits).toEqual([2_000]);
  });

  it('one confirmation needs no other block', async () => {
    const scene = setUpScene();
    scene.chain.script('eth_getBlockByNumber', () => 'no block');
    await scene.run();
    expect(scene.chain.countOf('eth_getBlockByNumber')).toBe(0);
  });

  it('reads one block while there are too few, and each of them once at the end', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.after(2_000, () => scene.chain.mine(3n));
    scene.after(4_000, () => scene.chain.mine(1n));
    await scene.run({ confirmations: 4 });
    const read = scene.chain.calls.filter(({ method }) => method === 'eth_getBlockByNumber');
    expect(read.map(({ params }) => params)).toEqual([
      ['0x3ec', false],
      ['0x3ec', false],
      ['0x3eb', false],
      ['0x3ea', false],
    ]);
  });
});

describe('the wait for a confirmation', () => {
  it('takes three minutes by default, two seconds between two looks', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    const { error, state } = await scene.fail();
    expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    expect(String(error)).toContain('not confirmed after 180000 ms');
    expect(new Set(scene.clock.waits)).toEqual(new Set([2_000]));
    expect(scene.clock.waits).toHaveLength(MINUTES / 2_000);
    expect(state?.approval).toEqual({
      status: 'sent',
      transactionId: scene.chain.transactions[0]?.hash,
    });
  });

  it.each([
    [9_999, 5],
    [10_000, 5],
    [10_001, 6],
  ])('of %i ms ends after %i pauses', async (confirmationTimeout, pauses) => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    await scene.fail({ confirmationTimeout });
    expect(scene.clock.waits).toHaveLength(pauses);
  });

  it('looks once more when the time is over', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.after(10_000, () => scene.chain.mine());
    await expect(scene.run({ confirmationTimeout: 10_000 })).resolves.toMatchObject({
      registration: 'accepted',
    });
  });

  it('does not look again after the time is over', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.after(10_001, () => scene.chain.mine());
    const { error } = await scene.fail({ confirmationTimeout: 10_000 });
    expect(error).toMatchObject({ code: 'confirmation_timeout' });
  });

  it('outlasts a node that cannot be read', async () => {
    const scene = setUpScene();
    scene.chain.script('eth_getTransactionReceipt', (_, usual) => {
      if (scene.clock.now < Date.UTC(2026, 0, 1, 12, 0, 30)) throw new Error('503');
      return usual();
    });
    await scene.run();
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('ends with the error of a node that stays unreadable', async () => {
    const scene = setUpScene();
    scene.chain.script('eth_getTransactionReceipt', () => 'no receipt');
    const { error, state } = await scene.fail();
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'unknown' });
    expect(state?.approval?.status).toBe('sent');
  });

  it('ends with the chain of a wallet that was switched', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.after(4_000, () => {
      scene.walletDoes.chainId = 1;
    });
    const { error } = await scene.fail();
    expect(error).toMatchObject({
      code: 'wrong_chain',
      outcome: 'unknown',
      expected: '59144',
      actual: '1',
    });
  });

  it('ends with the chain of a node that was switched', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.after(4_000, () => {
      scene.chain.chainId = 1;
    });
    const { error } = await scene.fail();
    expect(error).toMatchObject({ code: 'wrong_chain', outcome: 'unknown', actual: '1' });
  });

  it('notes a transaction that the node does not know at the end', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.after(4_000, () => scene.chain.forget(scene.chain.transactions[0]?.hash ?? ''));
    const { error, state } = await scene.fail();
    expect(String(error)).toContain('if it is still unknown then, the wallet is asked again');
    expect(state?.notes['missing']).toBe(state?.approval?.transactionId);
  });

  it('does not note one that waits in the pool', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    const { error, state } = await scene.fail();
    expect(String(error)).toContain('do not approve again');
    expect(state?.notes['missing']).toBeUndefined();
  });

  it('continues with the next run, without another prompt', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    const { state } = await scene.fail({ confirmationTimeout: 4_000 });
    scene.chain.mine();
    await scene.run({ resume: state });
    expect(scene.prompts).toEqual(['sign', 'send']);
    expect(scene.proofs).toHaveLength(1);
  });
});

describe('a second transaction of the same nonce', () => {
  const first = (scene: ReturnType<typeof setUpScene>) => {
    const [one] = scene.chain.transactions;
    if (one === undefined) throw new Error('the wallet has sent one');
    return one;
  };
  const replace = (
    scene: ReturnType<typeof setUpScene>,
    by: Partial<Parameters<typeof scene.chain.submit>[0]>,
  ) => {
    const { hash, nonce } = first(scene);
    scene.chain.forget(hash);
    const other = scene.chain.submit({ from: OWNER, nonce, ...by });
    scene.chain.mine();
    return other;
  };

  it.each([
    ['a copy with another fee', approveData(UNITS)],
    ['a copy with appended data', `${approveData(UNITS)}beef`],
  ])('is followed if it is %s', async (_, input) => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    let copy: string | undefined;
    scene.after(4_000, () => {
      copy = replace(scene, { input }).hash;
    });
    const { transactionId } = await scene.run();
    expect(transactionId).toBe(copy);
    expect(scene.messages()).toContain('Your wallet sped up the transaction.');
  });

  it.each([
    ['transaction_cancelled', 'sends nothing to the account', { to: OWNER, input: '0x' }],
    ['transaction_replaced', 'sends coins to the account', { to: OWNER, input: '0x', value: 1n }],
    ['transaction_replaced', 'calls the account itself', { to: OWNER, input: '0xe9ae5c53' }],
    ['transaction_replaced', 'is a transfer', { input: '0xa9059cbb' }],
    ['transaction_replaced', 'sets the limit to zero', { input: approveData(0n) }],
    ['transaction_replaced', 'approves another spender', { input: approveData(UNITS, OWNER) }],
    ['transaction_replaced', 'creates a contract', { to: null, input: '0x60' }],
    ['transaction_replaced', 'sends coins along', { input: approveData(0n), value: 1n }],
  ])('ends with %s if it %s', async (code, _, by) => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    let other: string | undefined;
    scene.after(4_000, () => {
      other = replace(scene, by).hash;
    });
    const { error, state } = await scene.fail();
    // Another call of the account may have approved in its own way: only the chain shows that.
    const outcome = code === 'transaction_replaced' ? 'unknown' : 'rejected';
    expect(error).toMatchObject({ code, outcome, next: 'retry', transactionId: other });
    expect(state?.approval).toBeUndefined();
    expect(scene.proofs).toEqual([]);
  });

  it.each([
    ['cancellation', { to: OWNER, input: '0x' }],
    ['replacement', { input: '0xa9059cbb' }],
  ])('proves no %s with fewer confirmations than asked', async (_, by) => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    let approval: Partial<ReturnType<typeof first>> = {};
    let other = '';
    scene.after(4_000, () => {
      approval = { ...first(scene) };
      other = replace(scene, by).hash;
      scene.chain.mine(1n);
    });
    const waiting = await scene.fail({ confirmations: 4, confirmationTimeout: 10_000 });
    expect(waiting.error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    // A reorganization removes it, and the approval is mined in its place.
    scene.chain.forget(other);
    scene.chain.submit({ ...approval, from: OWNER });
    scene.chain.mine(4n);
    const { transactionId } = await scene.run({ confirmations: 4, resume: waiting.state });
    expect(transactionId).toBe(approval.hash);
    expect(scene.countOf('send')).toBe(1);
  });

  it('ends the flow with exactly as many confirmations as asked', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.after(4_000, () => {
      replace(scene, { to: OWNER, input: '0x' });
      scene.chain.mine(3n);
    });
    const { error } = await scene.fail({ confirmations: 4 });
    expect(error).toMatchObject({ code: 'transaction_cancelled', outcome: 'rejected' });
  });

  it('that calls the account itself is not said to have approved nothing', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.after(4_000, () => replace(scene, { to: OWNER, input: '0xe9ae5c53' }));
    const { error } = await scene.fail();
    expect(String(error)).not.toContain('nothing was approved');
  });

  it('with another limit is reported with that limit, and can be adopted', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.after(4_000, () => replace(scene, { input: approveData(50_000_000n) }));
    const { error, state } = await scene.fail();
    expect(error).toMatchObject({
      code: 'approval_mismatch',
      field: 'amount',
      approvedAmount: '50',
    });
    await scene.run({ resume: state, amount: '50' });
    expect(scene.prompts).toEqual(['sign', 'send']);
    expect(scene.proofs).toMatchObject([{ amount: '50' }]);
  });

  it.each([
    ['failed', 'transaction_reverted', { input: approveData(UNITS), failed: true }],
    ['was cancelled', 'transaction_cancelled', { to: OWNER, input: '0x' }],
  ])('is not the earlier one that %s, of which a lagging node did not know', async (_, code, by) => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.after(4_000, () => replace(scene, by));
    const first = await scene.fail();
    expect(first.error).toMatchObject({ code, outcome: 'rejected' });
    // While the wallet is asked, and until it has sent, the node is as it was before.
    const send = scene.wallet.sendTransaction;
    scene.chain.script('eth_getTransactionCount', ([, tag], usual) =>
      tag === 'pending' ? '0x7' : usual(),
    );
    scene.chain.script('eth_blockNumber', () => '0x3e8');
    scene.wallet.sendTransaction = async (call) => {
      scene.chain.unscript('eth_blockNumber');
      scene.chain.unscript('eth_getTransactionCount');
      const hash = await send(call);
      const until = scene.clock.now + 6_000;
      scene.chain.script('eth_getTransactionByHash', ([asked], usual) =>
        asked === hash && scene.clock.now < until ? null : usual(),
      );
      scene.after(8_000, () => scene.chain.mine());
      return hash;
    };
    const { transactionId } = await scene.run({ resume: first.state });
    expect(transactionId).toBe(scene.chain.transactions.at(-1)?.hash);
    expect(scene.prompts).toEqual(['sign', 'send', 'send']);
  });

  it('is not a replacement while its nonce was only expected', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    // The node never showed the pending transaction: the wallet may have chosen another nonce.
    scene.chain.script('eth_getTransactionByHash', ([hash], usual) =>
      hash === scene.chain.transactions[0]?.hash ? null : usual(),
    );
    scene.walletDoes.changes = ({ data, to }) => ({ input: data, to, nonce: 8n });
    scene.after(4_000, () => {
      scene.chain.submit({ from: OWNER, nonce: 7n, input: '0xa9059cbb', block: 1_001n });
      scene.chain.height = 1_001n;
    });
    scene.after(8_000, () => {
      scene.chain.unscript('eth_getTransactionByHash');
      scene.chain.mine();
    });
    await expect(scene.run()).resolves.toMatchObject({ registration: 'accepted' });
  });
});

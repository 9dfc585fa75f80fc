import { describe, expect, it } from 'vitest';
import { type Scene, setUpScene } from './scene.js';

/** The scene of a token that refuses to change a limit of 7 units, before it was set to zero. */
function setUpLimited() {
  const scene = setUpScene();
  scene.chain.firstAllowance = 7n;
  scene.chain.onlyFromZero = true;
  return scene;
}

/** Runs a flow whose wallet sends the reset and does not respond. */
async function loseReset(scene: Scene) {
  const send = scene.wallet.sendTransaction;
  scene.walletDoes.mines = false;
  scene.wallet.sendTransaction = async (call) => {
    await send(call);
    throw new Error('the connection to the wallet was lost');
  };
  const { error, state } = await scene.fail();
  expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
  expect(state?.approval).toBeUndefined();
  expect(scene.prompts).toEqual(['sign', 'reset']);
  scene.wallet.sendTransaction = send;
  scene.walletDoes.mines = true;
  return state;
}

describe('a token whose limit must be zero before it changes', () => {
  it('is reset first, in a transaction of its own', async () => {
    const scene = setUpLimited();
    await scene.run();
    expect(scene.prompts).toEqual(['sign', 'reset', 'send']);
    expect(scene.messages()).toContain('Waiting until the old limit is zero.');
    expect(scene.chain.transactions.map(({ nonce }) => nonce)).toEqual([7n, 8n]);
    expect(scene.proofs).toHaveLength(1);
  });

  it('does not say that no fee was paid if the coins are gone after the reset', async () => {
    const scene = setUpLimited();
    const send = scene.wallet.sendTransaction;
    scene.wallet.sendTransaction = (call) =>
      scene.countOf('reset') === 0
        ? send(call)
        : Promise.reject({ code: -32000, message: 'insufficient funds for gas * price + value' });
    const { error, state } = await scene.fail();
    expect(error).toMatchObject({ code: 'insufficient_funds', outcome: 'not_sent' });
    expect(scene.countOf('reset')).toBe(1);
    expect(state?.notes['reset']).toBeUndefined();
    expect(String(error)).toContain('This step sent nothing and cost no fee.');
  });

  it('is not reset if its limit is zero', async () => {
    const scene = setUpLimited();
    scene.chain.firstAllowance = 0n;
    await scene.run();
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('is not reset if only the limit became zero before the wallet was asked', async () => {
    const scene = setUpLimited();
    const sign = scene.wallet.signMessage;
    scene.wallet.signMessage = (text) => {
      scene.chain.spent.push({ block: scene.chain.height, units: 7n });
      return sign(text);
    };
    await scene.run();
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('reports what was spent of the old limit before it was zero', async () => {
    const scene = setUpLimited();
    scene.walletDoes.mines = false;
    scene.after(2_000, () => {
      scene.chain.spent.push({ block: 1_001n, units: 5n });
      scene.chain.height = 1_001n;
      scene.chain.mine();
      scene.walletDoes.mines = true;
    });
    await scene.run();
    expect(scene.messages()).toContain(
      '0.000005 of the old limit was spent before it was set to zero.',
    );
  });

  it('whose limit is not zero after the reset is not approved', async () => {
    const scene = setUpLimited();
    scene.chain.script('eth_call', ([call], usual) =>
      (call as { data: string }).data.startsWith('0xdd62ed3e')
        ? `0x${'7'.padStart(64, '0')}`
        : usual(),
    );
    const { error, state } = await scene.fail();
    expect(error).toMatchObject({ code: 'allowance_raced', outcome: 'not_sent' });
    expect(scene.prompts).toEqual(['sign', 'reset']);
    expect(state?.approval).toBeUndefined();
  });

  it('whose reset fails on the chain is not approved, and the next run resets again', async () => {
    const scene = setUpLimited();
    scene.walletDoes.changes = ({ data, to }) => ({ input: data, to, failed: true });
    const { error, state } = await scene.fail();
    expect(error).toMatchObject({ code: 'transaction_reverted', outcome: 'rejected' });
    expect(state?.notes['reset']).toBeUndefined();
    scene.walletDoes.changes = ({ data, to }) => ({ input: data, to });
    await scene.run({ resume: state });
    expect(scene.prompts).toEqual(['sign', 'reset', 'reset', 'send']);
  });

  it('continues with a reset that was sent by an earlier run', async () => {
    const scene = setUpLimited();
    scene.walletDoes.mines = false;
    const { error, state } = await scene.fail({ confirmationTimeout: 4_000 });
    expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    expect(state?.notes['reset']).toBe(scene.chain.transactions[0]?.hash);
    scene.chain.mine();
    scene.walletDoes.mines = true;
    await scene.run({ resume: state });
    expect(scene.prompts).toEqual(['sign', 'reset', 'send']);
  });

  it('asks for the reset again once the network has dropped it', async () => {
    const scene = setUpLimited();
    scene.walletDoes.mines = false;
    scene.after(4_000, () => scene.chain.forget(scene.chain.transactions[0]?.hash ?? ''));
    const { error, state } = await scene.fail({ confirmationTimeout: 10_000 });
    expect(error).toMatchObject({ code: 'confirmation_timeout' });
    expect(String(error)).toContain('the wallet is asked again');
    scene.walletDoes.mines = true;
    await scene.run({ resume: state });
    expect(scene.prompts).toEqual(['sign', 'reset', 'reset', 'send']);
  });

  it('asks for no reset again if the old limit was spent after the network dropped it', async () => {
    const scene = setUpLimited();
    scene.walletDoes.mines = false;
    scene.after(4_000, () => scene.chain.forget(scene.chain.transactions[0]?.hash ?? ''));
    const { state } = await scene.fail({ confirmationTimeout: 10_000 });
    scene.chain.spent.push({ block: scene.chain.height, units: 7n });
    scene.walletDoes.mines = true;
    await scene.run({ resume: state });
    expect(scene.prompts).toEqual(['sign', 'reset', 'send']);
  });

  it('waits for the reset of an earlier run although the old limit was spent since', async () => {
    const scene = setUpLimited();
    scene.walletDoes.mines = false;
    const { state } = await scene.fail({ confirmationTimeout: 4_000 });
    const [reset] = scene.chain.transactions;
    scene.chain.height = 1_001n;
    scene.chain.spent.push({ block: 1_001n, units: 7n });
    scene.after(2_000, () => scene.chain.mine());
    scene.walletDoes.mines = true;
    const blocks: unknown[] = [];
    scene.walletDoes.changes = ({ data, to }) => {
      blocks.push(reset?.block);
      return { input: data, to };
    };
    await scene.run({ resume: state });
    expect(blocks).toEqual([1_002n]);
  });

  it('is approved when the node shows the reset, which can be later than its receipt', async () => {
    const scene = setUpLimited();
    // Three reads show the old limit, then the node cannot be read, and at last it shows the reset.
    let late = 9;
    scene.chain.script('eth_call', ([call], usual) => {
      const isAllowance = (call as { data: string }).data.startsWith('0xdd62ed3e');
      const isLate = isAllowance && scene.countOf('reset') > 0 && late-- > 0;
      if (isLate && late < 6) throw new Error('503');
      return isLate ? `0x${'7'.padStart(64, '0')}` : usual();
    });
    await scene.run();
    expect(scene.prompts).toEqual(['sign', 'reset', 'send']);
    expect(late).toBeLessThan(0);
  });
});

describe('a reset whose response was lost', () => {
  it('is waited for while a transaction of the account is pending', async () => {
    const scene = setUpLimited();
    const state = await loseReset(scene);
    scene.after(6_000, () => scene.chain.mine());
    await scene.run({ resume: state });
    // The old limit is zero by now: no second reset, and no second fee.
    expect(scene.prompts).toEqual(['sign', 'reset', 'send']);
    expect(scene.clock.waits.slice(0, 3)).toEqual([2_000, 2_000, 2_000]);
  });

  it.each([
    [4_000, true],
    [4_001, false],
  ])('that is mined after %i ms is in time for a limit of 4,000: %s', async (at, isInTime) => {
    const scene = setUpLimited();
    const state = await loseReset(scene);
    scene.after(at, () => scene.chain.mine());
    const { error } = await scene.fail({ resume: state, confirmationTimeout: 4_000 });
    if (isInTime) expect(error).toBeUndefined();
    else expect(error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
    expect(scene.countOf('reset')).toBe(1);
    expect(scene.countOf('send')).toBe(isInTime ? 1 : 0);
  });

  it('that never reached the chain is asked for again', async () => {
    const scene = setUpLimited();
    const state = await loseReset(scene);
    scene.chain.forget(scene.chain.transactions[0]?.hash ?? '');
    await scene.run({ resume: state });
    expect(scene.prompts).toEqual(['sign', 'reset', 'reset', 'send']);
  });

  it('is asked for again at once if the user says that nothing was sent', async () => {
    const scene = setUpLimited();
    const state = await loseReset(scene);
    await scene.run({ resume: state, approveAgain: true });
    expect(scene.prompts).toEqual(['sign', 'reset', 'reset', 'send']);
    expect(scene.clock.waits).toEqual([]);
  });
});

describe('the events of the account since the wallet was asked', () => {
  it('are read newest first: of two approvals the last one counts', async () => {
    const scene = setUpScene();
    const send = scene.wallet.sendTransaction;
    scene.wallet.sendTransaction = async (call) => {
      // The user sent it, and then once more with another fee and another nonce.
      await send(call);
      await send(call);
      throw new Error('the connection to the wallet was lost');
    };
    const { state } = await scene.fail();
    const [, newest] = scene.chain.transactions;
    // Both in one piece of the search, and both in one block.
    for (const one of scene.chain.transactions) one.block = 1_001n;
    scene.wallet.sendTransaction = send;
    const { transactionId } = await scene.run({ resume: state });
    expect(transactionId).toBe(newest?.hash);
    expect(scene.countOf('send')).toBe(2);
  });
});

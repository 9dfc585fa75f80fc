import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import type { EvmWallet } from '../../../src/evm/index.js';
import { afterReload } from '../../delegation/scripted-world.js';
import { resealed } from '../../delegation/support/mutations.js';
import { approveData, OTHER } from './chain.js';
import { OWNER, type Scene, setUpScene, UNITS } from './scene.js';

const ACCOUNT = privateKeyToAccount(`0x${'11'.repeat(32)}`);

/** A wallet that signs by itself; the test decides what becomes of the transaction. */
function selfSigning(
  scene: Scene,
  sendSigned: (send: () => string) => Promise<unknown>,
): EvmWallet {
  const calls = new Map<string, { to: string; input: string }>();
  return {
    ...scene.wallet,
    sendTransaction: () => Promise.reject(new Error('the flow must sign')),
    async signTransaction({ to, data, chainId }) {
      scene.prompts.push('send');
      const fees = { gas: 60_000n, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n };
      const raw = await ACCOUNT.signTransaction({ to, data, chainId, nonce: 7, ...fees });
      calls.set(raw, { to, input: data });
      return raw;
    },
    sendSigned: (raw) =>
      sendSigned(() => {
        const hash = keccak256(raw as `0x${string}`);
        scene.chain.submit({ from: OWNER, hash, nonce: 7n, ...calls.get(raw) });
        scene.chain.mine();
        return hash;
      }),
  };
}

describe('a transaction that the account signs by itself', () => {
  it('is saved before a node has it', async () => {
    const scene = setUpScene();
    const order: string[] = [];
    const wallet = selfSigning(scene, async (send) => {
      order.push('sent');
      return send();
    });
    const { transactionId } = await scene.run({
      wallet,
      onProgress: ({ message, transactionId: known, state }) => {
        if (message !== 'Sending the transaction.') return;
        order.push(`saved ${known === keccak256(state.notes['raw'] as `0x${string}`)}`);
        expect(state.notes).toMatchObject({ sentBy: 'flow', nonce: '7' });
      },
    });
    expect(order).toEqual(['saved true', 'sent']);
    expect(scene.chain.find(String(transactionId))?.block).toBe(1_001n);
  });

  it('is sent again, unchanged, while no node knows it', async () => {
    const scene = setUpScene();
    let tries = 0;
    const wallet = selfSigning(scene, async (send) => (++tries < 3 ? 'lost' : send()));
    await scene.run({ wallet });
    expect(tries).toBe(3);
    expect(scene.countOf('send')).toBe(1);
  });

  it('is sent again after a failure of the node, which may have it or not', async () => {
    const scene = setUpScene();
    let tries = 0;
    const wallet = selfSigning(scene, async (send) => {
      if (++tries === 1) throw new TypeError('fetch failed');
      return send();
    });
    await scene.run({ wallet });
    expect(tries).toBe(2);
    expect(scene.countOf('send')).toBe(1);
  });

  it('that sets the old limit to zero is saved before a node has it', async () => {
    const scene = setUpScene();
    scene.chain.firstAllowance = 40_000_000n;
    scene.chain.onlyFromZero = true;
    const saved: (string | undefined)[] = [];
    const { state } = await scene.fail({
      wallet: selfSigning(scene, async () => undefined),
      confirmationTimeout: 4_000,
      onProgress: ({ message, state: { notes } }) => {
        if (message === 'Sending the transaction.') saved.push(notes['reset']);
      },
    });
    expect(saved).toEqual([keccak256(state?.notes['raw'] as `0x${string}`)]);
  });

  it('is the wallet’s to send if the wallet can sign but has no sendSigned', async () => {
    const scene = setUpScene();
    const wallet: EvmWallet = {
      ...scene.wallet,
      signTransaction: () => Promise.reject(new Error('nobody could send it')),
      async sendTransaction(call) {
        await scene.wallet.sendTransaction(call);
        throw new Error('the connection to the wallet was lost');
      },
    };
    scene.walletDoes.mines = false;
    const { state } = await scene.fail({ wallet });
    expect(scene.countOf('send')).toBe(1);
    const { error } = await scene.fail({ wallet, resume: state });
    expect(error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
    expect(scene.countOf('send')).toBe(1);
  });

  it('is not sent again in place of the approval if it is another one', async () => {
    const scene = setUpScene();
    const sent: string[] = [];
    const wallet: EvmWallet = {
      ...selfSigning(scene, async () => undefined),
      sendSigned: async (raw) => sent.push(raw),
    };
    const { state } = await scene.fail({ wallet, confirmationTimeout: 4_000 });
    expect(new Set(sent)).toEqual(new Set([state?.notes['raw']]));
    const fees = { gas: 21_000n, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n };
    const raw = await ACCOUNT.signTransaction({ to: OTHER, value: 1n, chainId: 1, ...fees });
    const { missing: _, ...notes } = state?.notes ?? {};
    const resume = resealed({ ...state, notes: { ...notes, raw } });
    const { error } = await scene.fail({ wallet, resume, confirmationTimeout: 4_000 });
    expect(error).toMatchObject({ code: 'confirmation_timeout' });
    expect(sent).not.toContain(raw);
  });

  it('is found by a later run, without a search and without another prompt', async () => {
    const scene = setUpScene();
    const wallet = selfSigning(scene, async (send) => send());
    const saved: ReturnType<typeof afterReload>[] = [];
    await scene.run({
      wallet,
      onProgress: ({ message, state }) => {
        if (message === 'Sending the transaction.') saved.push(afterReload(state));
      },
    });
    expect(saved.map((state) => state?.approval)).toEqual([{ status: 'requested' }]);
    await scene.run({ wallet, resume: saved[0] });
    expect(scene.countOf('send')).toBe(1);
    expect(scene.chain.countOf('eth_getLogs')).toBe(0);
  });

  it.each([
    [9_998, true],
    [10_000, true],
    // A saved state cannot hold it, so nobody could find it after a reload.
    [10_002, false],
  ])('of %i characters is sent and found by a later run: %s', async (length, isSent) => {
    const scene = setUpScene();
    const wallet: EvmWallet = {
      ...selfSigning(scene, async () => undefined),
      signTransaction: async () => `0x${'ab'.repeat(length / 2 - 1)}`,
    };
    const { error, state } = await scene.fail({ wallet, confirmationTimeout: 4_000 });
    if (isSent) {
      expect(error).toMatchObject({ code: 'confirmation_timeout' });
      const again = await scene.fail({ wallet, resume: state, confirmationTimeout: 4_000 });
      expect(again.error).toMatchObject({ code: 'confirmation_timeout' });
      expect(again.state?.approval).toEqual(state?.approval);
    } else {
      expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
      expect(state?.notes['raw']).toBeUndefined();
    }
  });

  it('that a node refused was not sent', async () => {
    const scene = setUpScene();
    const wallet = selfSigning(scene, () =>
      Promise.reject(new Error('max fee per gas less than block base fee')),
    );
    const { error, state } = await scene.fail({ wallet });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
    expect(state?.approval).toBeUndefined();
    expect(state?.notes['raw']).toBeUndefined();
  });

  it('that a node refused, and another node knows, was sent', async () => {
    const scene = setUpScene();
    const wallet = selfSigning(scene, async (send) => {
      send();
      throw new Error('max fee per gas less than block base fee');
    });
    await scene.run({ wallet });
    expect(scene.proofs).toHaveLength(1);
  });

  it('that a node refused, and another one has in its pool later, is not signed again', async () => {
    const scene = setUpScene();
    let hash = '';
    const wallet: EvmWallet = {
      ...selfSigning(scene, async () => undefined),
      sendSigned: async (raw) => {
        hash = keccak256(raw as `0x${string}`);
        throw new Error('max fee per gas less than block base fee');
      },
    };
    const { state } = await scene.fail({ wallet });
    scene.chain.submit({ from: OWNER, hash, nonce: 7n, input: approveData(UNITS) });
    scene.after(4_000, () => scene.chain.mine());
    expect(await scene.run({ wallet, resume: state })).toMatchObject({ transactionId: hash });
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('is not sent if the flow was aborted while it was signed', async () => {
    const scene = setUpScene();
    const controller = new AbortController();
    let sent = 0;
    const wallet = selfSigning(scene, async () => void sent++);
    const sign = wallet.signTransaction;
    wallet.signTransaction = async (call) => {
      const raw = await (sign?.(call) ?? '');
      controller.abort(new Error('the user left'));
      return raw;
    };
    const { error } = await scene.fail({ wallet, signal: controller.signal });
    expect(String(error)).toContain('the user left');
    await new Promise(setImmediate);
    expect(sent).toBe(0);
  });
});

describe('a token that changes a limit only from zero', () => {
  const withOldLimit = () => {
    const scene = setUpScene();
    scene.chain.firstAllowance = 40_000_000n;
    scene.chain.onlyFromZero = true;
    return scene;
  };

  it('gets the reset first, which the chain must confirm', async () => {
    const scene = withOldLimit();
    await scene.run();
    expect(scene.prompts).toEqual(['sign', 'reset', 'send']);
    expect(scene.messages()).toContain(
      'Confirm in your wallet that the old limit is set to zero first.',
    );
  });

  it('gets no reset if the old limit is zero', async () => {
    const scene = withOldLimit();
    scene.chain.firstAllowance = 0n;
    await scene.run();
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('learns what was spent in the meantime', async () => {
    const scene = withOldLimit();
    const send = scene.wallet.sendTransaction;
    scene.wallet.sendTransaction = async (call) => {
      if (/0{64}$/.test(call.data)) {
        scene.chain.height += 1n;
        scene.chain.spent.push({ block: scene.chain.height, units: 15_000_000n });
      }
      return send(call);
    };
    await scene.run();
    expect(scene.messages()).toContain('15 of the old limit was spent before it was set to zero.');
  });

  it('does not get a second reset while a transaction of the account waits', async () => {
    const scene = withOldLimit();
    const send = scene.wallet.sendTransaction;
    scene.wallet.sendTransaction = async (call) => {
      scene.walletDoes.mines = false;
      await send(call);
      throw new Error('the connection to the wallet was lost');
    };
    const { error, state } = await scene.fail();
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    scene.wallet.sendTransaction = send;
    const again = await scene.fail({ resume: state, confirmationTimeout: 10_000 });
    expect(again.error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
    expect(scene.countOf('reset')).toBe(1);
    scene.chain.mine();
    scene.walletDoes.mines = true;
    await scene.run({ resume: again.state });
    expect(scene.countOf('reset')).toBe(1);
    expect(scene.countOf('send')).toBe(1);
  });

  it('that still shows a limit after the reset is not approved', async () => {
    const scene = withOldLimit();
    scene.chain.script('eth_call', (params, usual) => {
      const { data = '' } = params[0] as { data?: string };
      const isRead = data.startsWith('0xdd62ed3e') && scene.countOf('reset') === 1;
      return isRead ? `0x${(1).toString(16).padStart(64, '0')}` : usual();
    });
    const { error } = await scene.fail();
    expect(error).toMatchObject({
      code: 'allowance_raced',
      outcome: 'not_sent',
      expected: '0',
      actual: '1',
    });
    expect(scene.countOf('send')).toBe(0);
  });
});

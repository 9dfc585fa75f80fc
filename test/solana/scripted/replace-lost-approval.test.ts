import { describe, expect, it } from 'vitest';
import { createDelegation, type SolanaWallet } from '../../../src/solana/index.js';
import { memoryStore } from '../../../src/stores/index.js';
import { failureOf } from '../../delegation/scripted-world.js';
import { DELEGATE } from './cluster.js';
import { setUpScene } from './scene.js';

/** A page on which 500 were approved by a wallet that sends by itself, and whose response was lost. */
async function loseApprovalOf500(isClosed = false) {
  const scene = setUpScene();
  const { cluster } = scene;
  cluster.add(0);
  const transactions: Uint8Array[] = [];
  const lost: SolanaWallet = {
    ...scene.sendingWallet,
    async sendTransaction(transaction) {
      const signed = await scene.wallet.signTransaction?.(transaction);
      if (signed !== undefined) transactions.push(signed);
      if (isClosed) {
        page.cancel();
        return new Promise(() => undefined);
      }
      throw new Error('the connection to the wallet was lost');
    },
  };
  const { client: _, onProgress: __, ...options } = scene.options({ wallet: lost });
  const page = createDelegation({ client: scene.client, store: memoryStore() });
  const first = await failureOf(page.start({ ...options, amount: '500' }));
  expect(first.error).toMatchObject(
    isClosed ? { name: 'AbortError' } : { code: 'wallet_failed', outcome: 'unknown' },
  );
  // The next transaction is another one.
  cluster.blockhash = DELEGATE;
  const { amount: ___, ...rest } = { ...options, wallet: scene.sendingWallet };
  return {
    ...scene,
    page,
    replaceBy7: () => failureOf(page.start({ ...rest, amount: '7', replace: true })),
    replaceBy500: () => failureOf(page.start({ ...rest, amount: '500', replace: true })),
    continue500: () => failureOf(page.start({ ...rest, amount: '500' })),
    resume: () => failureOf(page.resume(rest)),
    /** The network executes it late. */
    arrive: () => transactions.map((transaction) => cluster.execute(transaction)),
    expire: () => {
      cluster.height += 200;
      cluster.slot += 200;
    },
  };
}

describe('an approval of which nobody knows whether the wallet sent it, and that `replace` shall replace by another amount', () => {
  it('is not overtaken while it can still arrive', async () => {
    const { arrive, countOf, page, replaceBy7 } = await loseApprovalOf500();
    const { error } = await replaceBy7();
    arrive();
    expect(error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
    expect(page.getState().message).not.toContain('7 USDC');
    expect(countOf('transaction')).toBe(1);
  });

  it('is replaced once it can no longer arrive', async () => {
    const { cluster, countOf, expire, page, replaceBy7 } = await loseApprovalOf500();
    await replaceBy7();
    expire();
    expect((await replaceBy7()).error).toBeUndefined();
    expect(countOf('transaction')).toBe(2);
    expect(cluster.account.delegated).toBe(7_000_000n);
    expect(page.getState().message).toBe('Done: your card may spend up to 7 USDC.');
  });

  it('ends the flow with its amount if it has arrived, and the user continues with it or replaces it', async () => {
    for (const isContinued of [true, false]) {
      const { arrive, cluster, countOf, page, replaceBy7, resume } = await loseApprovalOf500();
      arrive();
      const { error } = await replaceBy7();
      expect(error).toMatchObject({ code: 'approval_mismatch', approvedAmount: '500' });
      expect(countOf('transaction')).toBe(1);
      const last = await (isContinued ? resume() : replaceBy7());
      expect(last.error).toBeUndefined();
      expect(cluster.account.delegated).toBe(isContinued ? 500_000_000n : 7_000_000n);
      expect(page.getState().status).toBe('done');
    }
  });

  it('does not keep the user from continuing with its own amount', async () => {
    const { countOf, expire, page, replaceBy7, resume } = await loseApprovalOf500();
    await replaceBy7();
    expire();
    expect((await resume()).error).toBeUndefined();
    expect(countOf('transaction')).toBe(2);
    expect(page.getState().message).toBe('Done: your card may spend up to 500 USDC.');
  });

  it('stays the one to continue if the page was closed while the wallet asked', async () => {
    const { countOf, expire, page, ...user } = await loseApprovalOf500(true);
    await user.replaceBy7();
    expire();
    // Its prompt may still be open, so nothing but the user's word leads on.
    for (const press of [user.resume, user.continue500]) {
      expect((await press()).error).toMatchObject({ code: 'approval_unknown' });
    }
    expect(countOf('transaction')).toBe(1);
    expect((await user.replaceBy500()).error).toBeUndefined();
    expect(page.getState().message).toBe('Done: your card may spend up to 500 USDC.');
  });

  it('is replaced by the word of the user a minute after the page was closed', async () => {
    const { cluster, expire, replaceBy7 } = await loseApprovalOf500(true);
    expect((await replaceBy7()).error).toMatchObject({ code: 'approval_unknown' });
    expire();
    expect((await replaceBy7()).error).toBeUndefined();
    expect(cluster.account.delegated).toBe(7_000_000n);
  });
});

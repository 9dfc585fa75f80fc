import { describe, expect, it } from 'vitest';
import type { SolanaWallet } from '../../src/solana/index.js';
import { setUpScene } from './support/scene.js';

/** The time limit of a prompt ends at once; other waiting advances the platform's clock. */
const LIMIT = 60_000;

describe('a Solana wallet that does not respond within promptTimeout', () => {
  it('ends the flow while signing the message: nothing was sent', async () => {
    const scene = await setUpScene();
    const wallet = { ...scene.wallet, signMessage: () => new Promise<Uint8Array>(() => {}) };
    const { error, state } = await scene.delegateAndCatch({ wallet, promptTimeout: LIMIT });
    expect(error).toMatchObject({ code: 'prompt_timeout', outcome: 'not_sent' });
    expect(state?.approval).toBeUndefined();
    expect((await scene.runDelegation({ resume: state })).registration).toBe('accepted');
  });

  it('never sends a transaction that it signs later, so a resumed flow asks again', async () => {
    const scene = await setUpScene();
    let respond = () => {};
    const mayRespond = new Promise<void>((resolve) => {
      respond = resolve;
    });
    const late: Promise<unknown>[] = [];
    const wallet: SolanaWallet = {
      ...scene.wallet,
      signTransaction(transaction) {
        const signed = mayRespond.then(() => scene.wallet.signTransaction?.(transaction));
        late.push(signed);
        return signed as Promise<Uint8Array>;
      },
    };
    const { now } = scene.options().runtime ?? {};
    const sleep = async (milliseconds: number) => {
      // The message was signed in time.
      if (late.length === 0) await new Promise(() => {});
      scene.mock.advance(milliseconds);
    };
    const asked = { wallet, promptTimeout: LIMIT, runtime: { now, sleep } };
    const { error, state } = await scene.delegateAndCatch(asked);
    expect(error).toMatchObject({ code: 'prompt_timeout', outcome: 'unknown' });
    expect(state?.approval).toEqual({ status: 'requested' });
    respond();
    await Promise.all(late);
    expect((await scene.currentDelegation())?.amount ?? 0n).toBe(0n);
    const result = await scene.runDelegation({ resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['message', 'transaction', 'transaction']);
    expect((await scene.currentDelegation())?.amount).toBe(100_500_000n);
  });
});

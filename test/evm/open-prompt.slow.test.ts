import { encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DelegationState } from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { waitUntilMined } from './support/chain-actions.js';
import { type Scene, SPENDER, setUpScene } from './support/scene.js';

let chain: LocalChain;

beforeAll(async () => {
  chain = await startLocalChain(59144);
});

afterAll(() => chain.stop());

/** A page that the user leaves while the prompt of the approval is open. */
async function leftPage(): Promise<{ scene: Scene; state: DelegationState | undefined }> {
  const scene = await setUpScene(chain);
  const page = new AbortController();
  const wallet = {
    ...scene.wallet,
    sendTransaction: () => {
      page.abort(new Error('the page was closed'));
      return new Promise<string>(() => {});
    },
  };
  const { state } = await scene.delegateAndCatch({ wallet, signal: page.signal });
  expect(state?.approval).toEqual({ status: 'requested' });
  return { scene, state };
}

/** An approval that the same user sends in another place, with the nonce that the flow expects. */
async function approveElsewhere({ account }: Scene, to: Hex, gas: bigint): Promise<string> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [SPENDER, 7n] });
  const hash = await chain
    .walletFor(account)
    .sendTransaction({ account, chain: chain.chain, to, data, gas });
  const { status } = await chain.receiptOf(hash);
  return status;
}

describe('while the prompt of a closed page may still be open, a resumed flow', () => {
  it('does not mistake a failed approval of another limit for its own, and does not ask again', async () => {
    const { scene, state } = await leftPage();
    expect(await approveElsewhere(scene, chain.usdc.address, 25_000n)).toBe('reverted');
    const { error, state: later } = await scene.delegateAndCatch({ resume: state });
    expect(error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
    expect(later?.approval).toEqual({ status: 'requested' });
    expect(scene.prompts).toEqual(['sign']);
  });

  it('does not mistake an approval of another token for its own, and does not advise to revoke it', async () => {
    const { scene, state } = await leftPage();
    expect(await approveElsewhere(scene, chain.usdt.address, 100_000n)).toBe('success');
    const { error } = await scene.delegateAndCatch({ resume: state });
    expect(error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
    expect((error as Error).message).not.toContain('evoke');
    expect(scene.prompts).toEqual(['sign']);
  });

  it('reports a limit that the user changed in the prompt', async () => {
    const { scene, state } = await leftPage();
    expect(await approveElsewhere(scene, chain.usdc.address, 100_000n)).toBe('success');
    const { error } = await scene.delegateAndCatch({ resume: state });
    expect(error).toMatchObject({ code: 'approval_mismatch', approvedAmount: '0.000007' });
  });

  it('finds its own approval that the user confirmed later', async () => {
    const { scene, state } = await leftPage();
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [SPENDER, 100_500_000n],
    });
    const call = { to: chain.usdc.address, data, value: 0n, chainId: 59144 };
    await waitUntilMined(chain, (await scene.wallet.sendTransaction(call)) as Hex);
    const result = await scene.delegate({ resume: state });
    expect(result.registration).toBe('accepted');
    expect(await scene.transactionCount()).toBe(1);
  });
});

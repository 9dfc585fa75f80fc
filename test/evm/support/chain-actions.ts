import type { Hex } from 'viem';
import type { EvmWallet } from '../../../src/evm/index.js';
import { type Scene, SPENDER } from './scene.js';

/** Approves USDT as the user, as another page would. */
export async function approve({ chain, account }: Scene, units: bigint): Promise<void> {
  const hash = await chain.walletFor(account).writeContract({
    account,
    chain: chain.chain,
    ...chain.usdt,
    functionName: 'approve',
    args: [SPENDER, units],
  });
  await waitUntilMined(chain, hash);
}

/** Mints USDT for the user. */
export async function mint({ chain, account }: Scene, units: bigint): Promise<void> {
  const hash = await chain.bank.writeContract({
    chain: chain.chain,
    ...chain.usdt,
    functionName: 'mint',
    args: [account.address, units],
  });
  await waitUntilMined(chain, hash);
}

/** Spends some of the user's USDT, as the platform. */
export async function spend({ chain, account }: Scene, units: bigint): Promise<void> {
  await chain.testClient.impersonateAccount({ address: SPENDER });
  await chain.testClient.setBalance({ address: SPENDER, value: 10n ** 18n });
  const hash = await chain.bank.writeContract({
    account: SPENDER,
    chain: chain.chain,
    ...chain.usdt,
    functionName: 'transferFrom',
    args: [account.address, chain.bank.account.address, units],
  });
  await waitUntilMined(chain, hash);
}

/** Waits until a transaction is on the chain. */
export async function waitUntilMined(chain: Scene['chain'], hash: Hex): Promise<void> {
  await chain.receiptOf(hash);
}

/** A wallet that responds when its transaction is on the chain. */
export function waitingForTheBlock(chain: Scene['chain'], wallet: EvmWallet): EvmWallet {
  return {
    ...wallet,
    async sendTransaction(call) {
      const hash = (await wallet.sendTransaction(call)) as Hex;
      await waitUntilMined(chain, hash);
      return hash;
    },
  };
}

/**
 * A wallet whose transaction reaches the chain, and whose response is lost. It waits for the block:
 * a flow that looks before finds no approval, as it should.
 */
export function losingItsResponse(chain: Scene['chain'], wallet: EvmWallet): EvmWallet {
  const { sendTransaction } = waitingForTheBlock(chain, wallet);
  return {
    ...wallet,
    async sendTransaction(call) {
      await sendTransaction(call);
      throw new Error('the connection to the wallet broke');
    },
  };
}

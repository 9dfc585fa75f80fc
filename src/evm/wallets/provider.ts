import { stringToHex } from 'viem';
import { WalletError } from '../../delegation/wallet-errors.js';
import { hex } from '../chain/json-rpc.js';
import type { Eip1193Provider, EvmWallet } from './wallet.js';

/**
 * A browser wallet as a plain object. The user must have connected it: this requests no accounts, so
 * that nothing pops up.
 *
 * @throws WalletError when no account is connected.
 */
export async function walletFromProvider(
  provider: Eip1193Provider,
  account?: string,
): Promise<EvmWallet> {
  const address = account ?? (await connectedAccount(provider));
  return {
    address,
    async getChainId() {
      return Number(await provider.request({ method: 'eth_chainId' }));
    },
    async signMessage(text) {
      const params = [stringToHex(text), address];
      return String(await provider.request({ method: 'personal_sign', params }));
    },
    async sendTransaction({ to, data, value, chainId }) {
      const params = [{ from: address, to, data, value: hex(value), chainId: hex(chainId) }];
      return String(await provider.request({ method: 'eth_sendTransaction', params }));
    },
  };
}

async function connectedAccount(provider: Eip1193Provider): Promise<string> {
  let accounts: unknown;
  try {
    accounts = await provider.request({ method: 'eth_accounts' });
  } catch (error) {
    throw new WalletError('it did not return its accounts', 'not_sent', error);
  }
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (typeof first !== 'string') throw new WalletError('no account is connected', 'not_sent');
  return first;
}

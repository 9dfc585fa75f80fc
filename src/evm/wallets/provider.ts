import { stringToHex } from 'viem';
import { WalletError } from '../../delegation/wallet-errors.js';
import { hex } from '../chain/json-rpc.js';
import type { NetworkWallet } from './switch-network.js';
import type { Eip1193Provider, EvmWallet } from './wallet.js';
import { networkMethods } from './wallet-networks.js';

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
    ...networkOfProvider(provider),
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

/** The network of a browser wallet, whether or not an account is connected. */
export function networkOfProvider(provider: Eip1193Provider): NetworkWallet {
  return {
    async getChainId() {
      return Number(await provider.request({ method: 'eth_chainId' }));
    },
    ...networkMethods((method, params) => provider.request({ method, params })),
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

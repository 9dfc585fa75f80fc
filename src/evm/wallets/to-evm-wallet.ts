import { invalid } from '../../delegation/invalid.js';
import { networkOfProvider, walletFromProvider } from './provider.js';
import type { NetworkWallet } from './switch-network.js';
import { networkOfViem, walletFromViem } from './viem.js';
import type { Eip1193Provider, EvmWallet, ViemWallet } from './wallet.js';
import { describeWrongWallet } from './wrong-wallet.js';

/** Any wallet that the flow accepts. */
export type AnyEvmWallet = EvmWallet | ViemWallet | Eip1193Provider;

/** Any wallet as a plain object. `account` chooses among several accounts. */
export async function toEvmWallet(wallet: AnyEvmWallet, account?: string): Promise<EvmWallet> {
  refuseWrongWallet(wallet);
  if (isPlain(wallet)) {
    const isOther = account !== undefined && account.toLowerCase() !== wallet.address.toLowerCase();
    return isOther ? invalid('address', 'is not the address of the wallet') : wallet;
  }
  if ('signMessage' in wallet && 'sendTransaction' in wallet)
    return walletFromViem(wallet, account);
  if ('request' in wallet) return walletFromProvider(wallet, account);
  return invalid('wallet', 'cannot sign and send');
}

/** The network of any wallet, whether or not an account is connected. */
export function toNetworkWallet(wallet: AnyEvmWallet): NetworkWallet {
  refuseWrongWallet(wallet);
  if (isPlain(wallet)) return wallet;
  if ('getChainId' in wallet) return networkOfViem(wallet);
  if ('request' in wallet) return networkOfProvider(wallet);
  return invalid('wallet', 'has no network');
}

function refuseWrongWallet(wallet: unknown): void {
  const problem = describeWrongWallet(wallet);
  if (problem !== undefined) invalid('wallet', problem);
}

function isPlain(wallet: AnyEvmWallet): wallet is EvmWallet {
  return 'address' in wallet && 'sendTransaction' in wallet && 'getChainId' in wallet;
}

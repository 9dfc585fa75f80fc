import { hex } from '../chain/json-rpc.js';
import type { EvmChainDetails } from './chain-details.js';
import type { EvmWallet } from './wallet.js';

/** Switches and adds networks by the JSON-RPC methods of wallets (EIP-3326, EIP-3085). */
export function networkMethods(
  request: (method: string, params: unknown[]) => Promise<unknown>,
): Required<Pick<EvmWallet, 'switchChain' | 'addChain'>> {
  return {
    switchChain: (chainId) => request('wallet_switchEthereumChain', [{ chainId: hex(chainId) }]),
    addChain: (chainId: number, details: EvmChainDetails) =>
      request('wallet_addEthereumChain', [{ chainId: hex(chainId), ...details }]),
  };
}

import type { EvmCall } from '../approval/calls.js';
import { hex } from '../chain/json-rpc.js';
import type { EvmChainDetails } from './chain-details.js';

/** A wallet as a plain object: something that can sign and send. */
export type EvmWallet = {
  /** The account that delegates, 0x and 40 hex characters. */
  readonly address: string;
  /** The chain that the wallet is on now. */
  getChainId(): Promise<number>;
  /** Signs a text as `personal_sign` does and returns the signature in hex. */
  signMessage(text: string): Promise<string>;
  /** Sends a call as a transaction of the account and returns its hash, without waiting for it. */
  sendTransaction(call: EvmCall): Promise<string>;
  /**
   * Signs a call as a transaction without sending it, and returns its bytes in hex. Present with
   * `sendSigned` if the account can sign without sending: the flow then saves the hash before it
   * sends.
   */
  signTransaction?(call: EvmCall): Promise<string>;
  /** Sends a signed transaction, in hex. It may be sent more than once. */
  sendSigned?(transaction: string): Promise<unknown>;
  /**
   * Switches to another chain. Needed with `switchNetwork`; rejects with the wallet's own error, for
   * example with code 4902 for a chain that it does not know.
   */
  switchChain?(chainId: number): Promise<unknown>;
  /** Adds a chain that the wallet does not know. */
  addChain?(chainId: number, details: EvmChainDetails): Promise<unknown>;
  /** The chain that this object was created for, which `switchNetwork: true` can add. */
  readonly chain?: { readonly id: number; readonly details: EvmChainDetails } | undefined;
};

/** The part of a wallet that has a network. */
export type NetworkWallet = Pick<EvmWallet, 'getChainId' | 'switchChain' | 'addChain' | 'chain'>;

/** A wallet as a browser offers it (EIP-1193). */
export type Eip1193Provider = {
  /** A call such as `personal_sign`; rejects with a `ProviderRpcError`. */
  request(call: { method: string; params?: unknown }): Promise<unknown>;
};

/** The part of a viem wallet client that the flow uses. */
export type ViemWallet = {
  account?: { readonly address: string; readonly type?: string } | undefined;
  chain?: { readonly id: number } | undefined;
  /** The chain that the wallet is on now. */
  getChainId(): Promise<number>;
  /** Signs a text as `personal_sign` does. */
  signMessage(input: never): Promise<string>;
  /** Sends a transaction and returns its hash. */
  sendTransaction(input: never): Promise<string>;
  /** A JSON-RPC call. Needed with `switchNetwork`. */
  request?(call: never, options: never): Promise<unknown>;
};

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

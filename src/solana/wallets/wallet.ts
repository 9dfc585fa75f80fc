import type { SolanaConnection } from '../connection.js';

/**
 * A wallet that signs bytes: the form that the flow works with. For a wallet adapter, use
 * `walletFromAdapter` of `card-platform-sdk/solana/web3`.
 */
export type SolanaWallet = {
  /** The account that delegates, base58 of 32 bytes. */
  readonly address: string;
  /** Signs exactly these bytes and returns the 64 bytes of the signature. */
  signMessage(message: Uint8Array): Promise<Uint8Array>;
  /** Signs a transaction in the wire format and returns it. Preferred. */
  signTransaction?: ((transaction: Uint8Array) => Promise<Uint8Array>) | undefined;
  /** Signs a transaction and sends it; returns its signature as base58. */
  sendTransaction?:
    | ((transaction: Uint8Array, connection: SolanaConnection) => Promise<string>)
    | undefined;
};

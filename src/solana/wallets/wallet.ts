import type { SolanaConnection } from '../connection.js';

/**
 * A wallet that speaks bytes: the one form that the flow works with. For wallet adapters
 * `walletFromAdapter` of `card-platform-sdk/solana/web3` makes one; for anything else you do.
 */
export type SolanaWallet = {
  /** The account that delegates, base58 of 32 bytes. */
  readonly address: string;
  /** Signs exactly these bytes and gives the 64 bytes of the signature. */
  signMessage(message: Uint8Array): Promise<Uint8Array>;
  /** Signs a transaction in the wire format and gives it back signed. Preferred. */
  signTransaction?: ((transaction: Uint8Array) => Promise<Uint8Array>) | undefined;
  /** Signs a transaction and sends it itself; gives its signature as base58. */
  sendTransaction?:
    | ((transaction: Uint8Array, connection: SolanaConnection) => Promise<string>)
    | undefined;
};

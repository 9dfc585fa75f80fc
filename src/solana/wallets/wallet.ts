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

const KIT_METHODS = ['signTransactions', 'modifyAndSignTransactions', 'signAndSendTransactions'];

/** Whether an object is a signer of @solana/kit, whose methods take several transactions. */
export function isKitSigner(wallet: unknown): boolean {
  return KIT_METHODS.some((name) => name in Object(wallet));
}

/**
 * What an object is that is not a wallet in the form of the flow, and what to pass in its place, as
 * part of a sentence.
 */
export function describeWrongWallet(wallet: unknown): string {
  const has = (...names: string[]) => names.every((name) => name in Object(wallet));
  if (wallet instanceof Promise) return 'is a promise: await it';
  if (has('publicKey')) {
    return 'is a wallet adapter: pass walletFromAdapter(adapter) from card-platform-sdk/solana/web3';
  }
  if (isKitSigner(wallet)) {
    return 'is a signer of @solana/kit: pass walletFromKitSigner(signer) from card-platform-sdk/solana/kit';
  }
  if (has('request') || has('getChainId') || has('getAddress')) {
    return 'is not a Solana wallet: use delegateEvm of card-platform-sdk/evm for it';
  }
  return 'has no address: pass a wallet-standard wallet, or an adapter with walletFromAdapter';
}

/** The same for the connection; `undefined` if nothing is known against it. */
export function describeWrongConnection(connection: unknown): string | undefined {
  if (typeof connection === 'string') {
    return 'is a URL: pass new Connection(url) of @solana/web3.js';
  }
  if ('getAccountInfo' in Object(connection)) return undefined;
  if (connection instanceof Promise) return 'is a promise: await it';
  return isKitRpc(connection)
    ? 'is an RPC of @solana/kit: pass connectionFromKitRpc(rpc) from card-platform-sdk/solana/kit'
    : undefined;
}

/** The RPC of @solana/kit is a proxy that has a method of any name. */
function isKitRpc(connection: unknown): boolean {
  try {
    return typeof Reflect.get(Object(connection), 'aMethodThatNoConnectionHas') === 'function';
  } catch {
    return false;
  }
}

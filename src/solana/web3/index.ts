import {
  PublicKey,
  Transaction,
  TransactionInstruction,
  type VersionedTransaction,
} from '@solana/web3.js';
import { AccountRole, type SolanaInstruction } from '../instruction.js';
import type { SolanaWallet } from '../wallets/wallet.js';

/**
 * Converts an instruction for @solana/web3.js 1.x.
 *
 * @example
 * ```ts
 * import { buildSolanaRevoke, SOLANA_CURRENCIES } from 'card-platform-sdk/solana';
 * import { toWeb3Instruction } from 'card-platform-sdk/solana/web3';
 *
 * const owner = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
 * const instruction = toWeb3Instruction(
 *   buildSolanaRevoke({ owner, mint: SOLANA_CURRENCIES.usdc.mint }),
 * );
 * ```
 */
export function toWeb3Instruction(instruction: SolanaInstruction): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(instruction.programAddress),
    keys: instruction.accounts.map(({ address, role }) => ({
      pubkey: new PublicKey(address),
      isSigner: role === AccountRole.readonlySigner || role === AccountRole.writableSigner,
      isWritable: role === AccountRole.writable || role === AccountRole.writableSigner,
    })),
    data: Buffer.from(instruction.data),
  });
}

/** The parts of a transaction of @solana/web3.js. */
export type Web3TransactionInput = {
  /** The account that signs and pays the fee, base58. */
  feePayer: string;
  /** From `connection.getLatestBlockhash()`. */
  blockhash: string;
  /** From `connection.getLatestBlockhash()`. */
  lastValidBlockHeight: number;
  /** Its instructions, in this order. */
  instructions: readonly SolanaInstruction[];
};

/**
 * Builds an unsigned transaction for @solana/web3.js 1.x.
 *
 * @throws TypeError when `lastValidBlockHeight` is not a whole number.
 * @example
 * ```ts
 * import type { SolanaInstruction } from 'card-platform-sdk/solana';
 * import { toWeb3Transaction } from 'card-platform-sdk/solana/web3';
 * import type { Connection } from '@solana/web3.js';
 *
 * async function transactionOf(connection: Connection, owner: string, approval: SolanaInstruction) {
 *   const latest = await connection.getLatestBlockhash();
 *   return toWeb3Transaction({ feePayer: owner, ...latest, instructions: [approval] });
 * }
 * ```
 */
export function toWeb3Transaction(input: Web3TransactionInput): Transaction {
  const { feePayer, blockhash, lastValidBlockHeight, instructions } = input;
  if (!Number.isSafeInteger(lastValidBlockHeight) || lastValidBlockHeight < 0) {
    throw new TypeError('lastValidBlockHeight must be a whole number that is not negative');
  }
  const transaction = new Transaction({
    feePayer: new PublicKey(feePayer),
    blockhash,
    lastValidBlockHeight,
  });
  return transaction.add(...instructions.map(toWeb3Instruction));
}

/** The part of a `@solana/wallet-adapter` wallet that is used. */
export type WalletAdapter = {
  publicKey: PublicKey | null;
  /** Signs exactly these bytes. */
  signMessage?: ((message: Uint8Array) => Promise<Uint8Array>) | undefined;
  /** Signs a transaction and returns it. */
  signTransaction?:
    | (<T extends Transaction | VersionedTransaction>(transaction: T) => Promise<T>)
    | undefined;
  /** Signs and sends a transaction; returns its signature. */
  sendTransaction?: ((transaction: Transaction, connection: never) => Promise<string>) | undefined;
};

/**
 * Converts a connected `@solana/wallet-adapter` wallet to the form that `delegateSolana` accepts.
 *
 * @throws TypeError when it is not connected, or cannot sign messages.
 * @example
 * ```ts
 * import { type WalletAdapter, walletFromAdapter } from 'card-platform-sdk/solana/web3';
 *
 * function use(adapter: WalletAdapter) {
 *   return walletFromAdapter(adapter);
 * }
 * ```
 */
export function walletFromAdapter(adapter: WalletAdapter): SolanaWallet {
  const { publicKey, signMessage, signTransaction, sendTransaction } = adapter;
  if (publicKey === null) throw new TypeError('the wallet is not connected');
  if (signMessage === undefined) throw new TypeError('the wallet cannot sign messages');
  return {
    address: publicKey.toBase58(),
    signMessage: (message) => signMessage.call(adapter, message),
    signTransaction:
      signTransaction &&
      (async (bytes) => {
        const signed = await signTransaction.call(adapter, Transaction.from(bytes));
        return Uint8Array.from(signed.serialize());
      }),
    sendTransaction:
      sendTransaction &&
      ((bytes, connection) =>
        sendTransaction.call(adapter, Transaction.from(bytes), connection as never)),
  };
}

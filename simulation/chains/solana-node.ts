import { decodeBase58, encodeBase58 } from '../../src/contract/formats/base58.js';
import type {
  ExecutedTransaction,
  SolanaAccountInfo,
  SolanaCommitment,
} from '../../src/solana/index.js';
import type { CompiledInstruction } from '../../src/testing/wallets/solana/parse-transaction.js';
import type { ChainTransaction, Mined, View } from './chain.js';
import { limitIn } from './chain.js';

/** USDC of the main network. */
export const SOLANA_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
export const SOLANA_DELEGATE = '7C4jsPZpht42Tw6MjXWF56Q5RQUocjBBmciEjDa8HRtp';
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const SYSTEM_PROGRAM = '11111111111111111111111111111111';

/** How many blocks a blockhash lives. */
export const BLOCKHASH_LIFETIME = 150;
/** How many blocks the cluster must have made on top of a block to confirm it, and to finalize it. */
export const CONFIRMED_AFTER = 3;
export const FINAL_AFTER = 32;

/** A signed transaction of the wallet. */
export type SolanaTransaction = ChainTransaction & {
  readonly accounts: readonly string[];
  readonly instructions: readonly CompiledInstruction[];
  /** The last block that can contain it. */
  readonly last: number;
};

type SolanaView = View<SolanaTransaction>;

/** The wallet and its token account. */
export type SolanaPlace = { readonly owner: string; readonly tokenAccount: string };

/** A blockhash that contains the number of its block. */
export function blockhashOf(height: number): string {
  const bytes = new Uint8Array(32).fill(7);
  new DataView(bytes.buffer).setUint32(28, height);
  return encodeBase58(bytes);
}

/** The last block that can contain a transaction with this blockhash. */
export function lastBlockOf(blockhash: string): number {
  const bytes = decodeBase58(blockhash) ?? new Uint8Array(32);
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(28) + BLOCKHASH_LIFETIME;
}

/** The newest block with a commitment. */
export function heightAt({ height }: SolanaView, commitment?: SolanaCommitment): number {
  if (commitment === 'finalized') return height - FINAL_AFTER;
  return commitment === 'confirmed' ? height - CONFIRMED_AFTER : height;
}

const addressOf = (text: string) => ({ toBase58: () => text });

function u64(value: bigint): Uint8Array {
  return Uint8Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));
}

const bytesOf = (address: string) => decodeBase58(address) ?? new Uint8Array();

function tokenAccount({ owner }: SolanaPlace, limit: bigint): Uint8Array {
  const data = new Uint8Array(165);
  data.set(bytesOf(SOLANA_MINT), 0);
  data.set(bytesOf(owner), 32);
  data.set(u64(500_000_000n), 64);
  data[108] = 1;
  if (limit === 0n) return data;
  data[72] = 1;
  data.set(bytesOf(SOLANA_DELEGATE), 76);
  data.set(u64(limit), 121);
  return data;
}

function mint(): Uint8Array {
  const data = new Uint8Array(82);
  data.set([6, 1], 44);
  return data;
}

/** Reads an account. */
export function readAccount(
  view: SolanaView,
  place: SolanaPlace,
  address: string,
  commitment?: SolanaCommitment,
): SolanaAccountInfo | null {
  if (address === SOLANA_MINT) return { data: mint(), owner: addressOf(TOKEN_PROGRAM) };
  if (address === place.owner) {
    return { data: new Uint8Array(), owner: addressOf(SYSTEM_PROGRAM), lamports: 10_000_000 };
  }
  if (address !== place.tokenAccount) return null;
  const limit = limitIn(view, heightAt(view, commitment));
  return { data: tokenAccount(place, limit), owner: addressOf(TOKEN_PROGRAM) };
}

const errorOf = ({ failed }: Mined<SolanaTransaction>) =>
  failed ? { InstructionError: [0, { Custom: 17 }] } : null;

/** Reads how certain a transaction is. */
export function readStatus(view: SolanaView, signature: string) {
  const found = view.mined.find(({ transaction }) => transaction.id === signature);
  if (found === undefined) return null;
  const has = (commitment: SolanaCommitment) => found.block <= heightAt(view, commitment);
  const reached = has('finalized') ? 'finalized' : has('confirmed') ? 'confirmed' : 'processed';
  return { err: errorOf(found), confirmationStatus: reached as SolanaCommitment };
}

/** Reads what a transaction did. */
export function readExecuted(
  view: SolanaView,
  signature: string,
  commitment: SolanaCommitment,
): ExecutedTransaction | null {
  const found = view.mined.find(({ transaction }) => transaction.id === signature);
  if (found === undefined || found.block > heightAt(view, commitment)) return null;
  const { accounts, instructions } = found.transaction;
  return {
    transaction: {
      message: {
        staticAccountKeys: accounts.map(addressOf),
        compiledInstructions: instructions,
      },
    },
    meta: { loadedAddresses: { writable: [], readonly: [] } },
  };
}

/** Lists the transactions of the token account, newest first. */
export function listSignatures(view: SolanaView, limit: number, commitment: SolanaCommitment) {
  const known = heightAt(view, commitment);
  return view.mined
    .filter(({ block }) => block <= known)
    .map((one) => ({ signature: one.transaction.id, err: errorOf(one) }))
    .reverse()
    .slice(0, limit);
}

import { decodeBase58 } from '../../contract/formats/base58.js';
import { invalid } from '../../delegation/check-values.js';
import {
  addressObject,
  type ExecutedTransaction,
  type SolanaAccountInfo,
  type SolanaCommitment,
  type SolanaConnection,
} from '../connection.js';

/** A request of @solana/kit that `send()` starts. */
export type KitCall<Result> = {
  /** Sends the request. */
  send(): Promise<Result>;
};

/** An account as the RPC of @solana/kit returns it. */
export type KitAccount = {
  readonly data: readonly [base64: string, encoding: 'base64'];
  readonly executable: boolean;
  readonly lamports: bigint;
  readonly owner: string;
};

/** The part of the RPC of @solana/kit that is used. The result of `createSolanaRpc` has it. */
export type KitRpc = {
  /** Reads an account. */
  getAccountInfo(
    address: string,
    config: { commitment?: SolanaCommitment; encoding: 'base64' },
  ): KitCall<{ readonly value: KitAccount | null }>;
  /** Reads several accounts at once. */
  getMultipleAccounts(
    addresses: readonly string[],
    config: { commitment?: SolanaCommitment; encoding: 'base64' },
  ): KitCall<{ readonly value: readonly (KitAccount | null)[] }>;
  /** Reads a blockhash for the next transaction. */
  getLatestBlockhash(config: { commitment?: SolanaCommitment }): KitCall<{
    readonly value: { readonly blockhash: string; readonly lastValidBlockHeight: bigint };
  }>;
  /** Reads the block height. */
  getBlockHeight(config: { commitment?: SolanaCommitment }): KitCall<bigint>;
  /** Reads slot and block height together. */
  getEpochInfo(config: {
    commitment?: SolanaCommitment;
  }): KitCall<{ readonly absoluteSlot: bigint; readonly blockHeight: bigint }>;
  /** Sends a signed transaction, in base64. */
  sendTransaction(
    transaction: string,
    config: { encoding: 'base64'; maxRetries?: bigint; preflightCommitment?: SolanaCommitment },
  ): KitCall<string>;
  /** Runs a transaction without sending it. */
  simulateTransaction(
    transaction: string,
    config: {
      commitment?: SolanaCommitment;
      encoding: 'base64';
      replaceRecentBlockhash: true;
      sigVerify: false;
    },
  ): KitCall<{
    readonly value: { readonly err: unknown; readonly logs: readonly string[] | null };
  }>;
  /** Reads the status of transactions. */
  getSignatureStatuses(
    signatures: readonly string[],
    config: { searchTransactionHistory: boolean },
  ): KitCall<{
    readonly context: { readonly slot: bigint };
    readonly value: readonly ({
      readonly err: unknown;
      readonly confirmationStatus: SolanaCommitment | null;
    } | null)[];
  }>;
  /** Returns a `KitExecutedTransaction`; the type of @solana/kit depends on the configuration. */
  getTransaction(
    signature: string,
    config: {
      commitment: 'confirmed' | 'finalized';
      encoding: 'json';
      maxSupportedTransactionVersion: 0;
    },
  ): KitCall<unknown>;
  /** Lists the transactions of an address, newest first. */
  getSignaturesForAddress(
    address: string,
    config: { commitment: 'confirmed' | 'finalized'; limit: number; minContextSlot?: bigint },
  ): KitCall<readonly { readonly signature: string; readonly err: unknown }[]>;
};

/** An executed transaction in the encoding `json`. */
type KitExecutedTransaction = {
  readonly transaction: {
    readonly message: {
      readonly accountKeys: readonly string[];
      readonly instructions: readonly {
        readonly programIdIndex: number;
        readonly accounts: readonly number[];
        readonly data: string;
      }[];
    };
  };
  readonly meta: {
    readonly err?: unknown;
    readonly loadedAddresses?:
      | { readonly writable: readonly string[]; readonly readonly: readonly string[] }
      | undefined;
  } | null;
};

/** The base64 text of some bytes. A transaction has at most 1,232 of them. */
function encodeBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** The bytes of a base64 text. */
function decodeBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/**
 * Converts the RPC of @solana/kit to the connection that `delegateSolana` and the other functions
 * of `card-platform-sdk/solana` accept. Errors of the RPC are passed on unchanged.
 *
 * @throws RequestValidationError when it is not an RPC.
 * @example
 * ```ts
 * import { connectionFromKitRpc } from 'card-platform-sdk/solana/kit';
 * import { createSolanaRpc } from '@solana/kit';
 *
 * const connection = connectionFromKitRpc(createSolanaRpc('https://rpc.example.com'));
 * ```
 */
export function connectionFromKitRpc(rpc: KitRpc): Required<SolanaConnection> {
  if (typeof Object(rpc).getAccountInfo !== 'function')
    invalid('rpc', 'must be an RPC of @solana/kit');
  return { ...accountsOf(rpc), ...blocksOf(rpc), ...transactionsOf(rpc) };
}

function accountsOf(rpc: KitRpc) {
  const config = (commitment?: SolanaCommitment) => ({
    ...at(commitment),
    encoding: 'base64' as const,
  });
  return {
    async getAccountInfo(address, commitment) {
      const { value } = await rpc.getAccountInfo(address.toBase58(), config(commitment)).send();
      return accountInfo(value);
    },
    async getMultipleAccountsInfo(addresses, commitment) {
      const texts = addresses.map((address) => address.toBase58());
      const { value } = await rpc.getMultipleAccounts(texts, config(commitment)).send();
      return value.map(accountInfo);
    },
  } satisfies Partial<SolanaConnection>;
}

function blocksOf(rpc: KitRpc) {
  return {
    async getLatestBlockhash(commitment) {
      const { value } = await rpc.getLatestBlockhash(at(commitment)).send();
      const { blockhash, lastValidBlockHeight } = value;
      return { blockhash, lastValidBlockHeight: Number(lastValidBlockHeight) };
    },
    async getBlockHeight(commitment) {
      return Number(await rpc.getBlockHeight(at(commitment)).send());
    },
    async getEpochInfo(commitment) {
      const { absoluteSlot, blockHeight } = await rpc.getEpochInfo(at(commitment)).send();
      return { absoluteSlot: Number(absoluteSlot), blockHeight: Number(blockHeight) };
    },
  } satisfies Partial<SolanaConnection>;
}

function transactionsOf(rpc: KitRpc) {
  return {
    sendRawTransaction(bytes, { maxRetries, preflightCommitment } = {}) {
      const config = {
        encoding: 'base64' as const,
        ...(maxRetries === undefined ? {} : { maxRetries: BigInt(maxRetries) }),
        ...(preflightCommitment === undefined ? {} : { preflightCommitment }),
      };
      return rpc.sendTransaction(encodeBase64(bytes), config).send();
    },
    async simulateTransaction(transaction, { commitment, ...config }) {
      const wire = encodeBase64(transaction.serialize());
      const call = rpc.simulateTransaction(wire, {
        ...at(commitment),
        ...config,
        encoding: 'base64',
      });
      const { value } = await call.send();
      return { value: { err: value.err, logs: value.logs && [...value.logs] } };
    },
    async getSignatureStatuses(signatures, config) {
      const { context, value } = await rpc.getSignatureStatuses(signatures, config).send();
      const status = (found: (typeof value)[number]) =>
        found && { err: found.err, confirmationStatus: found.confirmationStatus ?? undefined };
      return { context: { slot: Number(context.slot) }, value: value.map(status) };
    },
    async getTransaction(signature, { commitment }) {
      const config = { commitment, encoding: 'json', maxSupportedTransactionVersion: 0 } as const;
      const found = await rpc.getTransaction(signature, config).send();
      return executed(found as KitExecutedTransaction | null);
    },
    async getSignaturesForAddress(address, { limit, minContextSlot }, commitment) {
      const from = minContextSlot === undefined ? {} : { minContextSlot: BigInt(minContextSlot) };
      const config = { commitment, limit, ...from };
      const found = await rpc.getSignaturesForAddress(address.toBase58(), config).send();
      return found.map(({ signature, err }) => ({ signature, err }));
    },
  } satisfies Partial<SolanaConnection>;
}

/** @solana/kit takes no `undefined`. */
function at(commitment: SolanaCommitment | undefined): { commitment?: SolanaCommitment } {
  return commitment === undefined ? {} : { commitment };
}

function accountInfo(found: KitAccount | null): SolanaAccountInfo | null {
  if (found === null) return null;
  const { data, owner, executable, lamports } = found;
  return { data: decodeBase64(data[0]), owner: addressObject(owner), executable, lamports };
}

function executed(found: KitExecutedTransaction | null): ExecutedTransaction | null {
  if (found === null) return null;
  const { accountKeys, instructions } = found.transaction.message;
  const { writable, readonly } = found.meta?.loadedAddresses ?? { writable: [], readonly: [] };
  return {
    transaction: {
      message: {
        staticAccountKeys: accountKeys.map(addressObject),
        compiledInstructions: instructions.map(({ programIdIndex, accounts, data }) => ({
          programIdIndex,
          accountKeyIndexes: accounts,
          // Data that is too long for an approval becomes empty, which is not an approval either.
          data: decodeBase58(data) ?? new Uint8Array(),
        })),
      },
    },
    meta: {
      err: found.meta?.err,
      loadedAddresses: {
        writable: writable.map(addressObject),
        readonly: readonly.map(addressObject),
      },
    },
  };
}

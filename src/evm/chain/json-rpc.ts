import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { isObject } from '../../contract/formats/is-object.js';

/**
 * A node to read the chain from: a viem public client, an EIP-1193 provider, or any object with
 * the same `request`.
 */
export type EvmNode = {
  /** A JSON-RPC call; rejects with the error of the node. */
  request(call: { method: string; params?: unknown }): Promise<unknown>;
};

const BYTES = /^0x(?:[0-9a-f]{2})*$/i;
const QUANTITY = /^0x[0-9a-f]{1,64}$/i;

/** Whether a value is bytes in hex, of the given length. */
export function isHex(value: unknown, length?: number): value is `0x${string}` {
  if (typeof value !== 'string' || !BYTES.test(value)) return false;
  return length === undefined || value.length === 2 + length * 2;
}

/** Whether a value is a number in the form of JSON-RPC. */
export function isQuantity(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && QUANTITY.test(value);
}

/** Whether a value is the hash of a transaction or a block. */
export function isHash(value: unknown): value is `0x${string}` {
  return isHex(value, 32);
}

/** A number in the form of JSON-RPC. */
export function hex(value: bigint | number): `0x${string}` {
  return `0x${value.toString(16)}`;
}

/** The fields of a mined transaction's receipt that the flow reads. */
export type Receipt = {
  readonly succeeded: boolean;
  readonly blockNumber: bigint;
  readonly blockHash: string;
  readonly logs: readonly Log[];
};

/** An event. */
export type Log = {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly transactionHash: string;
};

/** A transaction, mined or not. */
export type Transaction = {
  readonly hash: string;
  readonly from: string;
  /** `null` when it creates a contract. */
  readonly to: string | null;
  readonly input: string;
  readonly value: bigint;
  readonly nonce: bigint;
};

/** A block without its transactions. */
export type BlockHeader = { readonly hash: string; readonly parentHash: string };

/** A block with its transactions. */
export type Block = { readonly transactions: readonly Transaction[] };

/** Parses the receipt of this transaction; `undefined` for anything else. */
export function parseReceipt(response: unknown, hash: string): Receipt | undefined {
  if (!isObject(response) || !equalsIgnoringCase(response['transactionHash'], hash)) {
    return undefined;
  }
  const { status, blockNumber, blockHash, logs } = response;
  const read = parseLogs(logs);
  if (!isQuantity(status) || !isQuantity(blockNumber) || !isHash(blockHash)) return undefined;
  const succeeded = BigInt(status) === 1n;
  return read && { succeeded, blockNumber: BigInt(blockNumber), blockHash, logs: read };
}

/** Parses a list of events; `undefined` for anything else. */
export function parseLogs(response: unknown): Log[] | undefined {
  if (!Array.isArray(response)) return undefined;
  const logs = response.map(parseLog);
  return logs.every((log) => log !== undefined) ? logs : undefined;
}

function parseLog(response: unknown): Log | undefined {
  if (!isObject(response)) return undefined;
  const { address, topics, data, transactionHash } = response;
  const read = Array.isArray(topics) && topics.every(isHash) ? topics : [];
  if (!isHex(address, 20) || !isHex(data) || !isHash(transactionHash)) return undefined;
  return { address, topics: read, data, transactionHash };
}

/** Parses a transaction; `undefined` for anything else. */
export function parseTransaction(response: unknown): Transaction | undefined {
  if (!isObject(response)) return undefined;
  const { hash, from, to, input, value, nonce } = response;
  if (!isHash(hash) || !isHex(from, 20) || !isHex(input)) return undefined;
  if (!isQuantity(value) || !isQuantity(nonce)) return undefined;
  const receiver = isHex(to, 20) ? to : null;
  return { hash, from, to: receiver, input, value: BigInt(value), nonce: BigInt(nonce) };
}

/** Parses the header of a block; `undefined` for anything else. */
export function parseBlockHeader(response: unknown): BlockHeader | undefined {
  if (!isObject(response)) return undefined;
  const { hash, parentHash } = response;
  return isHash(hash) && isHash(parentHash) ? { hash, parentHash } : undefined;
}

/** Parses a block and those of its transactions that can be read; `undefined` for anything else. */
export function parseBlock(response: unknown): Block | undefined {
  if (!isObject(response)) return undefined;
  const { transactions } = response;
  if (!Array.isArray(transactions)) return undefined;
  // Some chains have their own types of transactions. One that cannot be read must not hide others.
  return { transactions: transactions.flatMap((item) => parseTransaction(item) ?? []) };
}

import { DECIMALS, encodeAllowance } from '../approval/calldata.js';
import { isHex } from './json-rpc.js';

/** A view call of a batch. */
export type ViewCall = { readonly to: string; readonly data: `0x${string}` };

/** The two accounts that a batch reads besides: the one that spends, and the one that pays. */
type BatchAccounts = { readonly spender: string; readonly owner: string };

/** The results of several calls of one block. */
export type BatchResult = {
  readonly chainId: number;
  /** Whether the spender has code. */
  readonly spenderHasCode: boolean;
  /** The owner's native coins, in wei. */
  readonly balance: bigint;
  /** The start of the owner's code: 32 bytes in hex, zeros after the end; `0x` if it has none. */
  readonly ownerCode: string;
  /** The first word that each call returned; `undefined` if it failed or returned less. */
  readonly words: readonly (bigint | undefined)[];
};

/**
 * How many calls fit into one batch: nodes refuse a program above 48 KiB, and a result above 24 KiB,
 * which they take for the code of a contract.
 */
export const MAX_BATCH = 300;

/**
 * A program that makes calls and returns their results. As the calldata of an `eth_call` without a
 * receiver, the node runs it like the constructor of a contract: on every chain, also where no
 * Multicall contract is deployed.
 */
export function encodeBatch(
  calls: readonly ViewCall[],
  { spender, owner }: BatchAccounts = { spender: NOBODY, owner: NOBODY },
): `0x${string}` {
  // Memory: the words of the head, two words for each call, then the calldata of the current one.
  const scratch = push3(resultSize(calls.length));
  const account = `73${bare(owner)}`;
  const head = [
    // Chain id, size of the spender's code, the owner's balance, and the size of its code.
    `46600052`,
    `73${bare(spender)}3b602052`,
    `${account}31604052`,
    `${account}3b606052`,
    // The first 32 bytes of the owner's code.
    `602060006080${account}3c`,
  ].join('');
  const end = `62${hex(resultSize(calls.length), 3)}6000f3`;
  const bodyOf = ({ to, data }: ViewCall, index: number, offset: number) => {
    const size = `61${hex(bytesOf(data), 2)}`;
    const flagAt = HEAD_SIZE + index * 64;
    const [flag, value] = [push3(flagAt), push3(flagAt + 32)];
    return [
      // Copy the calldata, which follows the program, to memory.
      `${size}${push3(offset)}${scratch}39`,
      // A static call, whose first word goes to memory.
      `6020${value}${size}${scratch}73${bare(to)}5afa`,
      // 0: it failed. 1: it succeeded. 2: it also returned at least one word.
      `3d601f1060010102${flag}52`,
    ].join('');
  };
  const bodySize = calls.reduce((sum, call, index) => sum + bodyOf(call, index, 0).length / 2, 0);
  let offset = (head.length + end.length) / 2 + bodySize;
  const bodies = calls.map((call, index) => {
    const body = bodyOf(call, index, offset);
    offset += bytesOf(call.data);
    return body;
  });
  const calldata = calls.map(({ data }) => data.slice(2));
  return `0x${[head, ...bodies, end, ...calldata].join('')}`;
}

/** Parses the result; `undefined` for anything else. */
export function parseBatch(response: unknown, count: number): BatchResult | undefined {
  if (!isHex(response, resultSize(count))) return undefined;
  const word = (index: number) => BigInt(`0x${response.slice(2 + index * 64, 66 + index * 64)}`);
  const flags = Array.from({ length: count }, (_, index) => word(HEAD_WORDS + index * 2));
  return {
    chainId: Number(word(0)),
    spenderHasCode: word(1) > 0n,
    balance: word(2),
    ownerCode: word(3) === 0n ? '0x' : hexWord(word(4)),
    words: flags.map((flag, index) => (flag === 2n ? word(HEAD_WORDS + 1 + index * 2) : undefined)),
  };
}

/** Words before those of the calls. */
const HEAD_WORDS = 5;
const HEAD_SIZE = HEAD_WORDS * 32;

const NOBODY = `0x${'0'.repeat(40)}`;

function bare(address: string): string {
  return address.slice(2).toLowerCase();
}

function resultSize(count: number): number {
  return HEAD_SIZE + count * 64;
}

function hexWord(value: bigint): string {
  return `0x${value.toString(16).padStart(64, '0')}`;
}

function bytesOf(data: string): number {
  return data.length / 2 - 1;
}

function push3(value: number): string {
  return `62${hex(value, 3)}`;
}

function hex(value: number, bytes: number): string {
  return value.toString(16).padStart(bytes * 2, '0');
}

/** The token, owner and spender that an allowance belongs to. */
export type Allowance = {
  readonly token: string;
  readonly owner: string;
  readonly spender: string;
};

/** What the chain says about a delegation before anything is signed. */
export type ChainFacts = {
  readonly chainId: number;
  /** `undefined` when no token with `decimals()` is at the address. */
  readonly decimals: bigint | undefined;
  readonly spenderHasCode: boolean;
  /** What the spender may spend, in base units; `undefined` if the node does not say. */
  readonly currentAllowance: bigint | undefined;
  /** The owner's native coins, in wei; `undefined` if the node does not say. */
  readonly balance: bigint | undefined;
  /** The start of the owner's code; `0x` if it has none, `undefined` if the node does not say. */
  readonly ownerCode: string | undefined;
};

/** An `eth_call` that reads all of it at once. Without a receiver, the node runs the calldata. */
export function chainFactsCall({ token, spender, owner }: Allowance) {
  const calls = [
    { to: token, data: DECIMALS },
    { to: token, data: encodeAllowance(owner, spender) },
  ] as const;
  return {
    params: [{ data: encodeBatch(calls, { spender, owner }) }, 'latest'],
    parse: (response: unknown): ChainFacts | undefined =>
      factsOf(parseBatch(response, calls.length)),
  };
}

function factsOf(batch: BatchResult | undefined): ChainFacts | undefined {
  if (batch === undefined) return undefined;
  const { words, ...facts } = batch;
  const [decimals, currentAllowance] = words;
  return { ...facts, decimals, currentAllowance };
}

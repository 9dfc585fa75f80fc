import { isHex } from './hex.js';

/** A call that only reads. */
export type ViewCall = { readonly to: string; readonly data: `0x${string}` };

/** The results of several calls of one block. */
export type BatchResult = {
  readonly chainId: number;
  /** The first word that each call returned; `undefined` if it failed or returned less. */
  readonly words: readonly (bigint | undefined)[];
};

/**
 * How many calls fit into one batch: nodes refuse a program above 48 KiB, and a result above 24 KiB,
 * which they take for the code of a contract.
 */
export const MAX_BATCH = 300;

/**
 * Calldata of an `eth_call` without a receiver: the node runs it as the constructor of a contract and
 * returns its result. It works on every chain, also where no Multicall contract is deployed.
 */
export function encodeBatch(calls: readonly ViewCall[]): `0x${string}` {
  // Memory: the chain id, then two words for each call, then the calldata of the current call.
  const scratch = push3(resultSize(calls.length));
  const chainId = '46600052';
  const end = `62${hex(resultSize(calls.length), 3)}6000f3`;
  const bodyOf = ({ to, data }: ViewCall, index: number, offset: number) => {
    const size = `61${hex(bytesOf(data), 2)}`;
    const [flag, value] = [push3(32 + index * 64), push3(64 + index * 64)];
    return [
      // Copy the calldata, which follows the program, to memory.
      `${size}${push3(offset)}${scratch}39`,
      // A static call, whose first word goes to memory.
      `6020${value}${size}${scratch}73${to.slice(2).toLowerCase()}5afa`,
      // Whether it succeeded and returned at least one word.
      `3d601f1016${flag}52`,
    ].join('');
  };
  const bodySize = calls.reduce((sum, call, index) => sum + bodyOf(call, index, 0).length / 2, 0);
  let offset = (chainId.length + end.length) / 2 + bodySize;
  const bodies = calls.map((call, index) => {
    const body = bodyOf(call, index, offset);
    offset += bytesOf(call.data);
    return body;
  });
  const calldata = calls.map(({ data }) => data.slice(2));
  return `0x${[chainId, ...bodies, end, ...calldata].join('')}`;
}

/** Parses the result; `undefined` for anything else. */
export function parseBatch(response: unknown, count: number): BatchResult | undefined {
  if (!isHex(response, resultSize(count))) return undefined;
  const word = (index: number) => BigInt(`0x${response.slice(2 + index * 64, 66 + index * 64)}`);
  const words = Array.from({ length: count }, (_, index) =>
    word(1 + index * 2) === 0n ? undefined : word(2 + index * 2),
  );
  return { chainId: Number(word(0)), words };
}

function resultSize(count: number): number {
  return 32 + count * 64;
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

import { isHex } from './json-rpc.js';

/** A call of a batch. One that `writes` changes only the state that the node simulates. */
export type ViewCall = {
  readonly to: string;
  readonly data: `0x${string}`;
  readonly writes?: boolean;
};

/** The results of several calls of one block. */
export type BatchResult = {
  readonly chainId: number;
  /** Whether the address `codeOf` has code. */
  readonly hasCode: boolean;
  /** The first word that each call returned; `undefined` if it failed or returned less. */
  readonly words: readonly (bigint | undefined)[];
  /** Whether each call succeeded. */
  readonly succeeded: readonly boolean[];
};

/**
 * How many calls fit into one batch: nodes refuse a program above 48 KiB, and a result above 24 KiB,
 * which they take for the code of a contract.
 */
export const MAX_BATCH = 300;

/**
 * A program that makes calls and returns their results. As the calldata of an `eth_call` without a
 * receiver, the node runs it like the constructor of a contract: on every chain, also where no
 * Multicall contract is deployed. As the code of an account, it calls as that account.
 *
 * @param codeOf an address: the program also reads whether it has code
 */
export function encodeBatch(calls: readonly ViewCall[], codeOf = NOBODY): `0x${string}` {
  // Memory: chain id, size of the code, two words for each call, then the calldata of the current one.
  const scratch = push3(resultSize(calls.length));
  const head = `4660005273${bare(codeOf)}3b602052`;
  const end = `62${hex(resultSize(calls.length), 3)}6000f3`;
  const bodyOf = ({ to, data, writes }: ViewCall, index: number, offset: number) => {
    const size = `61${hex(bytesOf(data), 2)}`;
    const [flag, value] = [push3(64 + index * 64), push3(96 + index * 64)];
    return [
      // Copy the calldata, which follows the program, to memory.
      `${size}${push3(offset)}${scratch}39`,
      // A call without coins, or a static one, whose first word goes to memory.
      `6020${value}${size}${scratch}${writes ? '6000' : ''}73${bare(to)}5a${writes ? 'f1' : 'fa'}`,
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
  const flags = Array.from({ length: count }, (_, index) => word(2 + index * 2));
  return {
    chainId: Number(word(0)),
    hasCode: word(1) > 0n,
    words: flags.map((flag, index) => (flag === 2n ? word(3 + index * 2) : undefined)),
    succeeded: flags.map((flag) => flag > 0n),
  };
}

const NOBODY = `0x${'0'.repeat(40)}`;

function bare(address: string): string {
  return address.slice(2).toLowerCase();
}

function resultSize(count: number): number {
  return 64 + count * 64;
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

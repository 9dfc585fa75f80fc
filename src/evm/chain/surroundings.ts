import { DECIMALS } from '../approval/calldata.js';
import { isHex } from './hex.js';

/** What the chain reports about the token and the spender of a delegation. */
export type Surroundings = {
  readonly chainId: number;
  readonly spenderHasCode: boolean;
  /** `undefined` when no token with `decimals()` is at the address. */
  readonly decimals: bigint | undefined;
};

const WORDS = 4;

/**
 * Calldata of an `eth_call` without a receiver: the node runs it as the constructor of a contract and
 * returns its result. One read in place of three, and all of the same block.
 */
export function encodeSurroundings(token: string, spender: string): `0x${string}` {
  const [tokenHex, spenderHex] = [token, spender].map((address) => address.slice(2).toLowerCase());
  return `0x${[
    // memory[0] = chain id
    '46600052',
    // memory[1] = size of the spender's code
    `73${spenderHex}3b602052`,
    // The last four bytes of memory[8] = the selector of decimals()
    `63${DECIMALS.slice(2)}61010052`,
    // memory[3] = result of a static call to the token
    `60206060600461011c73${tokenHex}5afa`,
    // memory[2] = whether the call succeeded and returned at least one word
    '3d601f1016604052',
    // Return memory[0] to memory[3].
    '60806000f3',
  ].join('')}`;
}

/** Parses the result; `undefined` for anything else. */
export function parseSurroundings(response: unknown): Surroundings | undefined {
  if (!isHex(response, WORDS * 32)) return undefined;
  const word = (index: number) => BigInt(`0x${response.slice(2 + index * 64, 66 + index * 64)}`);
  return {
    chainId: Number(word(0)),
    spenderHasCode: word(1) > 0n,
    decimals: word(2) === 0n ? undefined : word(3),
  };
}

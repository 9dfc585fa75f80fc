import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { toChecksumAddress } from '../address.js';
import { addressWord } from './calldata.js';

/** Wallets may append data of their own (ERC-8021), which the token never reads. */
const APPROVE_CALL = /^0x095ea7b30{24}([0-9a-f]{40})([0-9a-f]{64})(?:[0-9a-f]{2})*$/i;

/** Whether calldata is a given call, with or without data that a wallet appended (ERC-8021). */
export function startsWithCall(calldata: string, call: string): boolean {
  return equalsIgnoringCase(calldata.slice(0, call.length), call);
}

/** Topic of `Approval(address,address,uint256)`. */
export const APPROVAL_TOPIC = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';

/** Spender and base units of an `approve`; `undefined` when the calldata is anything else. */
export function decodeApprove(
  calldata: string,
): { spender: `0x${string}`; units: bigint } | undefined {
  const [, spender, units] = APPROVE_CALL.exec(calldata) ?? [];
  if (spender === undefined || units === undefined) return undefined;
  return { spender: toChecksumAddress(`0x${spender}`), units: BigInt(`0x${units}`) };
}

/** An address as the topic of an event. */
export function addressTopic(address: string): `0x${string}` {
  return `0x${addressWord(address)}`;
}

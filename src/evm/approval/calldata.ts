import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { toChecksumAddress } from '../address.js';

/** Selector of `approve(address,uint256)`. */
const APPROVE = '095ea7b3';
/** Selector of `allowance(address,address)`. */
const ALLOWANCE = 'dd62ed3e';
/** Selector of `balanceOf(address)`. */
const BALANCE_OF = '70a08231';

/** Calldata of `decimals()`. */
export const DECIMALS = '0x313ce567';

/** Calldata of an `approve`. The token need not return anything: USDT on ethereum does not. */
export function encodeApprove(spender: string, units: bigint): `0x${string}` {
  return `0x${APPROVE}${addressWord(spender)}${numberWord(units)}`;
}

/** Calldata of an `allowance`. */
export function encodeAllowance(owner: string, spender: string): `0x${string}` {
  return `0x${ALLOWANCE}${addressWord(owner)}${addressWord(spender)}`;
}

/** Calldata of a `balanceOf`. */
export function encodeBalanceOf(owner: string): `0x${string}` {
  return `0x${BALANCE_OF}${addressWord(owner)}`;
}

/** An address as 32 bytes of calldata or of an event's topic. */
function addressWord(address: string): string {
  return address.slice(2).toLowerCase().padStart(64, '0');
}

function numberWord(units: bigint): string {
  return units.toString(16).padStart(64, '0');
}

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

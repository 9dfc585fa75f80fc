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
export function addressWord(address: string): string {
  return address.slice(2).toLowerCase().padStart(64, '0');
}

function numberWord(units: bigint): string {
  return units.toString(16).padStart(64, '0');
}

import { invalid } from '../../delegation/check-values.js';
import { checkAddress, toChecksumAddress } from '../address.js';
import { LARGEST_AMOUNT, toBaseUnits } from '../amounts.js';
import { type EvmAsset, findEvmToken } from '../networks.js';

/** The allowance that means "no limit" on the chain. */
export const UNLIMITED = (1n << 256n) - 1n;

/** A spending limit: who may spend how much of what. */
export type EvmSpendingLimit = EvmAsset & {
  /** The address that may spend: the platform's contract on this network. There is no default. */
  spender: string;
  /** The limit in units of the currency, a decimal string: `'100.5'` is 100.5 USDC. */
  amount: string;
  /** Refuses an `amount` above this one, in the same unit. Required with `unlimited`. */
  cap?: string | undefined;
  /**
   * Approve an unlimited amount on the chain; only the service then gets `amount`. Requires a `cap`.
   * Default `false`.
   */
  unlimited?: boolean | undefined;
};

/** A spending limit that was checked. */
export type ApprovalPlan = {
  readonly chainId: number;
  readonly token: `0x${string}`;
  readonly decimals: number;
  readonly approvesOnlyFromZero: boolean;
  readonly spender: `0x${string}`;
  /** The limit in base units. */
  readonly units: bigint;
  /** The largest limit that this delegation can ask for, in base units. */
  readonly largest: bigint;
  /** The amount approved on the chain: `units`, or unlimited. */
  readonly allowance: bigint;
};

/** Checks a spending limit and finds its token. */
export function planApproval(limit: EvmSpendingLimit): ApprovalPlan {
  const place = planSpender(limit);
  const units = toBaseUnits('amount', limit.amount, place.decimals);
  if (limit.unlimited === true && limit.cap === undefined)
    invalid('cap', 'is required with unlimited');
  const largest = largestOf(limit, place.decimals);
  if (units > largest) invalid('amount', 'is above the cap');
  return { ...place, units, largest, allowance: limit.unlimited === true ? UNLIMITED : units };
}

/** The largest limit in base units: the cap, if there is one. */
export function largestOf({ cap }: { cap?: string | undefined }, decimals: number): bigint {
  return cap === undefined ? LARGEST_AMOUNT : toBaseUnits('cap', cap, decimals);
}

/** Checks a spender, and finds the token of the network and currency. */
export function planSpender(limit: EvmAsset & { spender: string }) {
  const { chainId, token } = findEvmToken(limit);
  const spender = checkAddress('spender', limit.spender);
  const address = toChecksumAddress(token.address);
  if (spender === address) invalid('spender', 'is the token itself');
  return {
    chainId,
    token: address,
    spender,
    decimals: token.decimals,
    approvesOnlyFromZero: token.approvesOnlyFromZero === true,
  };
}

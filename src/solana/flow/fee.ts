import { computeBudget } from './compute-budget.js';
import type { SolanaPlan } from './plan.js';

/** What the network takes for one signature, in lamports. */
const SIGNATURE_FEE = 5_000n;
/** The rent-exempt minimum of a wallet's account, in lamports. */
const RENT_RESERVE = 890_880n;
const MICRO = 1_000_000n;
/** The network's default compute units: of an approval, and of an instruction that sets the fee. */
const DEFAULT_UNITS = 200_000n;
const BUDGET_UNITS = 3_000n;

/** The network fee of the approval with its priority fee, in lamports. A wallet may change it. */
export function estimateFee(plan: SolanaPlan): bigint {
  const { computeUnitLimit, computeUnitPrice = 0 } = plan.options;
  const units =
    computeUnitLimit === undefined
      ? DEFAULT_UNITS + BUDGET_UNITS * BigInt(computeBudget(plan).length)
      : BigInt(computeUnitLimit);
  const priority = (BigInt(computeUnitPrice) * units + MICRO - 1n) / MICRO;
  return SIGNATURE_FEE + priority;
}

/** Whether a wallet can pay a fee: the rest must be rent-exempt, or nothing at all. */
export function canPay(lamports: bigint, fee: bigint): boolean {
  const left = lamports - fee;
  return left === 0n || left >= RENT_RESERVE;
}

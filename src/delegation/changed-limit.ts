import { baseUnitsToDecimal } from '../contract/formats/decimal.js';
import { ApprovalMismatchError } from './approval-errors.js';
import type { DelegationLimit, DriverContext } from './driver.js';
import type { DelegationState } from './state.js';

/**
 * The field in which an approval differs from the request. With `amount`, `approved` is what the wallet
 * approved in base units, if that can be read.
 */
export type ApprovalDifference = {
  readonly field: string;
  readonly approved?: bigint | undefined;
};

/** What a delegation of a token can ask for. */
type Askable = {
  readonly decimals: number;
  /** The largest limit, in base units. */
  readonly largest: bigint;
};

/**
 * Throws for an approval that differs. If the limit differs, and a delegation can ask for it, saves it,
 * so that a resumed flow does.
 */
export function throwMismatch(
  context: DriverContext,
  transactionId: string,
  { field, approved }: ApprovalDifference,
  { decimals, largest }: Askable,
): never {
  if (approved === undefined) throw new ApprovalMismatchError(field, transactionId);
  const canContinue = approved > 0n && approved <= largest;
  if (canContinue) context.saveNotes({ approved: approved.toString() });
  const amount = baseUnitsToDecimal(approved, decimals);
  throw new ApprovalMismatchError(field, transactionId, { amount, canContinue });
}

/**
 * Returns the options in which a delegation may differ from that of a saved state: the limit, if the
 * user changed it in the wallet and the delegation asks for exactly that.
 */
export function changedOptions(
  { approval, notes }: DelegationState,
  { units, allowance = units }: DelegationLimit,
): readonly string[] {
  const isAdopted = units === allowance && notes['approved'] === units.toString();
  return isAdopted && approval?.transactionId !== undefined ? ['amount', 'allowance'] : [];
}

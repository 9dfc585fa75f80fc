import { decimalToBaseUnits } from '../../contract/formats/decimal.js';
import type { ProofVerifier } from '../proofs.js';

/** The invalid field of a proof; `undefined` for a valid one. */
export type ProofProblem = Awaited<ReturnType<ProofVerifier>>;

const UNLIMITED = 2n ** 256n - 1n;

/**
 * Whether the amount of a proof is that of an approval. The contract documents base units, and
 * deployed clients send units of the currency: both are accepted. An unlimited approval fits every
 * amount.
 */
export function isAmountOf(amount: string, units: bigint, decimals: number): boolean {
  if (units === UNLIMITED) return true;
  return decimalToBaseUnits(amount, decimals) === units || amount === units.toString();
}

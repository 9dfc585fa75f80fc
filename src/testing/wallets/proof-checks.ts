import { decimalToBaseUnits } from '../../contract/formats/decimal.js';
import type { ProofVerifier } from '../proofs.js';

/** The invalid field of a proof; `undefined` for a valid one. */
export type ProofProblem = Awaited<ReturnType<ProofVerifier>>;

/** Returns whether the `Expiration Time:` line of a signed message is in the past. */
export function hasExpired(message: string, now: number): boolean {
  const [, expiresAt] = /^Expiration Time: (.*)$/m.exec(message) ?? [];
  return expiresAt !== undefined && Date.parse(expiresAt) <= now;
}

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

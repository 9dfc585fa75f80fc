import { littleEndian } from './little-endian.js';

const PRIME = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/**
 * Whether 32 bytes are a point of the curve ed25519, so that a private key could belong to them.
 * A program derived address must not be one.
 *
 * On the curve, x² = (y² - 1) / (d·y² + 1); by Euler's criterion that quotient is a square exactly
 * when the product of numerator and denominator is.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  const y = littleEndian(bytes) % 2n ** 255n;
  const square = y * y;
  return power(((square - 1n) * (D * square + 1n)) % PRIME, (PRIME - 1n) / 2n) <= 1n;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let rest = exponent, factor = base; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * factor) % PRIME;
    factor = (factor * factor) % PRIME;
  }
  return result;
}

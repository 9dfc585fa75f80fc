import { invalid } from '../../delegation/invalid.js';
import type { SolanaCommitment } from '../connection.js';

/** The commitments that a read may have. */
export const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;
/** Those that a flow may have: a fork can undo what is only processed. */
export const LASTING_COMMITMENTS = ['confirmed', 'finalized'] as const;

/**
 * Checks the option `commitment`.
 *
 * @throws RequestValidationError
 */
export function requireCommitment<Allowed extends SolanaCommitment>(
  allowed: readonly Allowed[],
  given: Allowed | 'confirmed' = 'confirmed',
): Allowed | 'confirmed' {
  const isAllowed = given === 'confirmed' || allowed.includes(given);
  return isAllowed ? given : invalid('commitment', `must be one of ${allowed.join(', ')}`);
}

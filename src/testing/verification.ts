import type { MockClock } from './clock.js';
import type { MockUser } from './state.js';

/** The provider takes 5 to 30 minutes. */
const PROCESSING_MS = 10 * 60_000;

/** The user has handed in papers: the verification is pending until the provider has its result. */
export function submitVerification(
  user: MockUser,
  clock: MockClock,
  result: 'VERIFIED' | 'REJECTED',
): void {
  user.verificationState = 'PENDING';
  user.verification = { result, doneAt: clock.now() + PROCESSING_MS };
}

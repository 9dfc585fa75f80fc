import type { MockClock } from './clock.js';
import type { MockUser } from './state.js';

/** The real provider takes 5 to 30 minutes. */
const PROCESSING_MS = 10 * 60_000;

/** Records that the user submitted documents. The verification is pending until the result is due. */
export function submitVerification(
  user: MockUser,
  clock: MockClock,
  result: 'VERIFIED' | 'REJECTED',
): void {
  user.verificationState = 'PENDING';
  user.verification = { result, doneAt: clock.now() + PROCESSING_MS };
}

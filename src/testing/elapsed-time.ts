import type { MockClock } from './clock.js';
import type { MockState, MockUser } from './state.js';

function completeVerification(user: MockUser, now: number): void {
  if (user.verification === null || user.verification.doneAt > now) return;
  user.verificationState = user.verification.result;
  user.verification = null;
}

function completeProvisioning({ card }: MockUser, now: number): void {
  if (card?.status === 'PENDING' && now >= card.activeAt) card.status = 'ACTIVE';
}

/** Completes the verifications and the card provisionings that are due. */
export function applyElapsedTime({ users }: MockState, clock: MockClock): void {
  const now = clock.now();
  for (const user of users) {
    completeVerification(user, now);
    completeProvisioning(user, now);
  }
}

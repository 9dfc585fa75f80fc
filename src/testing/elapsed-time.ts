import type { MockClock } from './clock.js';
import { cardActivated, changeVerification, type Emit } from './events.js';
import type { MockState, MockUser } from './state.js';

function completeVerification(user: MockUser, now: number, emit: Emit): void {
  if (user.verification === null || user.verification.doneAt > now) return;
  const { result } = user.verification;
  user.verification = null;
  changeVerification(user, result, emit);
}

function completeProvisioning(user: MockUser, now: number, emit: Emit): void {
  const { card } = user;
  if (card?.status !== 'PENDING' || now < card.activeAt) return;
  card.status = 'ACTIVE';
  emit(cardActivated(user, card));
}

/** Completes the verifications and the card provisionings that are due. */
export function applyElapsedTime({ users }: MockState, clock: MockClock, emit: Emit): void {
  const now = clock.now();
  for (const user of users) {
    completeVerification(user, now, emit);
    completeProvisioning(user, now, emit);
  }
}

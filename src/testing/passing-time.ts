import type { MockClock } from './clock.js';
import type { MockState, MockUser } from './state.js';

function endVerification(user: MockUser, now: number): void {
  if (user.verification === null || user.verification.doneAt > now) return;
  user.verificationState = user.verification.result;
  user.verification = null;
}

function endProvisioning({ card }: MockUser, now: number): void {
  if (card?.status === 'PENDING' && now >= card.activeAt) card.status = 'ACTIVE';
}

/** What ends by itself when its time has come: the provider has a result, a card is provisioned. */
export function settle({ users }: MockState, clock: MockClock): void {
  const now = clock.now();
  for (const user of users) {
    endVerification(user, now);
    endProvisioning(user, now);
  }
}

import type { MockEvent } from './deliveries.js';
import type { MockCard, MockCardTransaction, MockUser } from './state.js';

/** Delivers an event to the webhooks that subscribe to it. */
export type Emit = (event: MockEvent) => unknown;

/** A changed verification. The contract names the type; the data is the mock's. */
export function verificationChanged(
  { id: userId, tenant, verificationState }: MockUser,
  earlier: string,
) {
  const changes = { before: { verificationState: earlier }, after: { verificationState } };
  return { type: 'kyc.status.changed', tenant, data: { userId, verificationState }, changes };
}

/** A pending card became usable. */
export function cardActivated({ id: userId, tenant }: MockUser, { id: cardId, status }: MockCard) {
  const changes = { before: { status: 'PENDING' }, after: { status } };
  return { type: 'card.activated', tenant, data: { userId, cardId, status }, changes };
}

/** A card payment. Only the type of a cleared one was observed; that of a declined one is made up. */
export function paymentMade({ id: userId, tenant }: MockUser, payment: MockCardTransaction) {
  const isDeclined = payment['status'] === 'DECLINED';
  const type = isDeclined ? 'transaction.declined' : 'transaction.cleared';
  return { type, tenant, data: { userId, ...payment } };
}

/** Changes the state of a user's verification, and delivers the event. */
export function changeVerification(user: MockUser, state: string, emit: Emit): void {
  if (user.verificationState === state) return;
  const earlier = user.verificationState;
  user.verificationState = state;
  emit(verificationChanged(user, earlier));
}

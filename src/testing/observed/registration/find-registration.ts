import { errorResponse, type MockResponse, textOf } from '../../behaviour.js';
import type { MockUser } from '../../state.js';
import { isAt, type ObservedCall } from '../observed-call.js';
import type { MockRegistration } from '../state.js';

/** A registration and its user. */
export type Registering = { registration: MockRegistration; user: MockUser };

/** Runs a step for the registration that a request names. Responds 404 when there is none. */
export const withRegistration =
  (step: (call: ObservedCall, found: Registering) => MockResponse) =>
  (call: ObservedCall): MockResponse => {
    const { observed, state } = call;
    const onboardingId = textOf(call, 'onboardingId');
    const registration = observed.registrations.find(
      (one) => one.onboardingId === onboardingId && isAt(call, one),
    );
    const user = state.users.find(({ id }) => id === registration?.userId);
    if (registration && user) return step(call, { registration, user });
    return errorResponse(404, 'Onboarding not found');
  };

/** Returns a user's fields during the registration. The id is `null` until the address is known. */
export function shownUser({ registration, user }: Registering): Record<string, unknown> {
  const { email, verificationState, phoneNumber, profile, createdAt } = user;
  const isCreated = user.phase === null || user.phase === 'MAILING_ADDRESS';
  return {
    id: isCreated ? user.id : null,
    ...profile,
    email,
    verificationState,
    phoneNumber,
    createdAt,
    ...registration.mailingAddress,
    contactVerificationId: registration.contactVerificationId,
  };
}

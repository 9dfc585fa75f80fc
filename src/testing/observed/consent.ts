import { ok, textOf } from '../behaviour.js';
import { setsOf, shownSet } from '../behaviours/consent.js';
import { documentedErrorResponse } from '../error-responses.js';
import type { ObservedBehaviours, ObservedCall } from './observed-call.js';

const selfLink = ({ baseUrl }: ObservedCall, path: string) => ({
  self: { href: `${baseUrl}/v2/consent/${path}`, method: 'GET' },
});

/** Reads of the consent sets that the contract's calls create and link. */
export const observedConsentBehaviours: ObservedBehaviours = {
  'consent.getByOnboarding': (call) => {
    const onboardingId = textOf(call, 'onboardingId');
    const found = setsOf(call).filter((set) => set.onboardingId === onboardingId);
    if (found.length === 0) return documentedErrorResponse(call.endpoint.id, 404);
    const _links = selfLink(call, `onboarding/${encodeURIComponent(onboardingId)}`);
    return ok({ onboardingId, consentSets: found.map(shownSet), _links });
  },

  'consent.getByUser': (call) => {
    const userId = textOf(call, 'userId');
    const found = setsOf(call).filter((set) => set.userId === userId);
    // Only the status `complete` was observed, so the mock has no other.
    if (found.length === 0) return documentedErrorResponse(call.endpoint.id, 404);
    const isFull = call.input['full'] === 'true';
    return ok({
      userId,
      consentStatus: 'complete',
      ...(isFull && { consentSets: found.map(shownSet) }),
      _links: selfLink(call, `user/${encodeURIComponent(userId)}`),
    });
  },
};

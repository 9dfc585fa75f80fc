import { errorResponse, type MockCall, type MockResponse } from '../behaviour.js';
import type { MockCard } from '../state.js';

/** The response when the user has no card. */
export const cardNotFound = () => errorResponse(404, 'Card not found');

/** Runs a behaviour for the user's card. Responds 404 when there is none. */
export const withCard =
  <Call extends MockCall>(behaviour: (call: Call, card: MockCard) => MockResponse) =>
  (call: Call): MockResponse => {
    const { card } = call.user;
    return card === null ? cardNotFound() : behaviour(call, card);
  };

/** Returns a guard that responds with a refusal unless a part of the platform is switched on. */
const unlessOff =
  (part: 'isCustodial' | 'isNotificationServiceConfigured', refusal: MockResponse) =>
  <Call extends MockCall>(behaviour: (call: Call) => MockResponse) =>
  (call: Call): MockResponse =>
    call.state[part] ? behaviour(call) : refusal;

/** Runs a behaviour on a custodial platform. Responds 403 on any other. */
export const custodial = unlessOff(
  'isCustodial',
  errorResponse(403, 'This is only available for CUSTODIAL platforms'),
);

/** Runs a behaviour when the notification service is configured. Responds 503 otherwise. */
export const withNotificationService = unlessOff(
  'isNotificationServiceConfigured',
  errorResponse(503, 'Notification service is not configured for this environment'),
);

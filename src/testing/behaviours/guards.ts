import { errorResponse, type MockCall, type MockResponse } from '../behaviour.js';
import type { MockCard } from '../state.js';

export const cardNotFound = () => errorResponse(404, 'Card not found');

/** Runs a behaviour for the user's card. Responds 404 when there is none. */
export const withCard =
  <Call extends MockCall>(behaviour: (call: Call, card: MockCard) => MockResponse) =>
  (call: Call): MockResponse => {
    const { card } = call.user;
    return card === null ? cardNotFound() : behaviour(call, card);
  };

/** Runs a behaviour on a custodial platform. Responds 403 on any other. */
export const custodial =
  <Call extends MockCall>(behaviour: (call: Call) => MockResponse) =>
  (call: Call): MockResponse =>
    call.state.isCustodial
      ? behaviour(call)
      : errorResponse(403, 'This is only available for CUSTODIAL platforms');

/** Runs a behaviour when the notification service is configured. Responds 503 otherwise. */
export const withNotificationService =
  <Call extends MockCall>(behaviour: (call: Call) => MockResponse) =>
  (call: Call): MockResponse =>
    call.state.isNotificationServiceConfigured
      ? behaviour(call)
      : errorResponse(503, 'Notification service is not configured for this environment');

import type { MockResponse } from './behaviour.js';

/** Documented messages, by endpoint and status, by namespace and status, or by status alone. */
const MESSAGES: Readonly<Record<string, string>> = {
  '401': 'Not authenticated',
  '403': 'Not authorized',
  '404': 'Not found',
  '422': 'Validation failed',
  '498': 'Invalid client key',
  '499': 'Missing client key',
  '500': 'Internal server error',
  'auth 400': 'Invalid email or password',
  'auth 422': 'email must be an e-mail address',
  'card.order 400': 'User already has a card',
  'card.order 422': 'type field is required',
  'card.freeze 400': 'Card is already frozen',
  'card.unfreeze 400': 'Card is not frozen',
  'card 404': 'Card not found',
  'consent 400': 'Validation failed',
  'consent 404': 'Consent set not found',
  'consent.createOnboarding 409': 'Consent set already exists',
  'consent.linkUser 409': 'Consent set is already linked to a user',
  'orders 498': 'Invalid client id',
  'orders 499': 'Missing client id',
  'wallets.credit.withdraw 400': 'Insufficient balance',
  'wallets.internal.withdraw 400': 'Insufficient balance',
  'wallets.internal.linkToCard 400': 'Maximum 5 wallets can be linked',
  'auth.passwordReset 400': 'Invalid or expired code',
  'auth.passwordReset 422': 'Invalid or expired code',
  'user.registration 400': 'Invalid or expired contact verification ID',
  'wallets.reward 400': 'Insufficient balance',
  'wallets.reward 404': 'Wallet not found',
  'webhooks.events 400': 'limit must be from 1 to 100',
  'webhooks.events 404': 'Event not found',
  'webhooks 400': 'url must be an HTTPS URL',
  'webhooks 404': 'Webhook config not found',
  'webhooks 503': 'Notification service is not configured for this environment',
};

/** Observed calls whose errors have the form of OAuth. */
const GRANT = /^auth\.oauth2?\.(?:initiate|exchangeCode|refresh)$/;

/** The invalid field of a 422, where the contract's example names one. */
const FIELDS: Readonly<Record<string, string>> = {
  'delegation.getToken': 'region',
  'delegation.submitEvmApproval': 'txHash',
  'delegation.submitSolanaApproval': 'txHash',
  'card.createPinToken': 'customCss.backgroundColor',
  'orders.create': 'paymentMethod',
};

/** Returns the error response that the contract documents for an endpoint and a status. */
export function documentedErrorResponse(endpointId: string, status: number): MockResponse {
  if (GRANT.test(endpointId) && [400, 401, 403].includes(status)) {
    const error_description = 'The grant is not valid';
    return { status, body: { error: 'invalid_grant', error_description } };
  }
  const [namespace = ''] = endpointId.split('.');
  const message =
    MESSAGES[`${endpointId} ${status}`] ??
    MESSAGES[`${endpointId.slice(0, endpointId.lastIndexOf('.'))} ${status}`] ??
    MESSAGES[`${namespace} ${status}`] ??
    MESSAGES[status] ??
    `Planned failure ${status}`;
  const field = status === 422 ? FIELDS[endpointId] : undefined;
  if (field !== undefined) {
    return { status, body: { message, errors: [{ field, message: 'is not valid' }] } };
  }
  return { status, body: errorBodyOf(endpointId, message) };
}

/** Returns the body of an error in the form that the contract documents for an endpoint. */
export function errorBodyOf(endpointId: string, message: string): unknown {
  return endpointId.startsWith('consent.') ? { error: message, details: [message] } : { message };
}

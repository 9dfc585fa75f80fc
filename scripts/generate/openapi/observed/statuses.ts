import type { Endpoint } from '../../../../src/contract/endpoint.js';

/** Refusals that the mock platform has beyond those that were seen, by the id of the call. */
const FURTHER: Readonly<Record<string, readonly number[]>> = {
  'auth.oauth.initiate': [400],
  'auth.oauth.authorize': [400],
  'auth.oauth.exchangeCode': [400],
  'auth.oauth2.exchangeCode': [400, 401, 403],
  'auth.oauth2.refresh': [400, 401, 403],
  'auth.oauth2.revoke': [400],
  'auth.passwordReset.request': [422],
  'user.registration.sendEmailCode': [422],
  'user.registration.verifyEmail': [400, 422],
  'user.registration.sendPhoneCode': [400, 422],
  'user.registration.verifyPhone': [400, 404, 422],
  'user.registration.startVerification': [400, 404, 422],
  'user.registration.submitPersonalDetails': [400, 403, 404, 422],
  'user.registration.submitAddress': [400, 404, 422],
  'user.registration.submitMailingAddress': [400, 404, 422],
  'user.registration.get': [404, 422],
  'consent.getByUser': [404],
  'wallets.internal.setLinkedPriority': [422],
  'wallets.reward.estimateWithdrawal': [404],
  'wallets.reward.withdraw': [404],
  'card.statement': [404, 422],
  'card.provisioning.apple': [400, 404, 422],
  'card.provisioning.google': [400, 404],
  'webhooks.events.list': [400],
  'webhooks.events.logs': [404, 503],
};

/** Returns the error statuses of a call, except those that refuse its credentials. */
export function observedStatusesOf({ id, errors }: Endpoint): readonly number[] {
  // A stale token is refused even if the call needs none.
  return [...new Set([...errors, ...(FURTHER[id] ?? []), 401])].sort((one, other) => one - other);
}

/**
 * The ids of the calls that deployed clients make beyond the contract. The platform responds to
 * them when it is created with `observed: true`.
 */
export const OBSERVED_IDS = [
  'auth.oauth.initiate',
  'auth.oauth.authorize',
  'auth.oauth.exchangeCode',
  'auth.oauth.refresh',
  'auth.oauth.revoke',
  'auth.oauth2.authorizeUrl',
  'auth.oauth2.exchangeCode',
  'auth.oauth2.refresh',
  'auth.oauth2.revoke',
  'auth.logout',
  'auth.passwordReset.request',
  'auth.passwordReset.verify',
  'auth.passwordReset.confirm',
  'user.registration.settings',
  'user.registration.sendEmailCode',
  'user.registration.verifyEmail',
  'user.registration.sendPhoneCode',
  'user.registration.verifyPhone',
  'user.registration.startVerification',
  'user.registration.submitPersonalDetails',
  'user.registration.submitAddress',
  'user.registration.submitMailingAddress',
  'user.registration.get',
  'consent.getByOnboarding',
  'consent.getByUser',
  'wallets.external.getPriority',
  'wallets.external.setPriority',
  'wallets.internal.setLinkedPriority',
  'wallets.reward.get',
  'wallets.reward.estimateWithdrawal',
  'wallets.reward.withdraw',
  'card.cashback',
  'card.statement',
  'card.provisioning.apple',
  'card.provisioning.google',
  'webhooks.events.list',
  'webhooks.events.status',
  'webhooks.events.logs',
  'webhooks.events.retry',
] as const;

/** Id of a call that was observed beyond the contract: `auth.oauth.refresh`. */
export type ObservedId = (typeof OBSERVED_IDS)[number];

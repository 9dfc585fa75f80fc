import { cardStatement, getCashback } from './card.js';
import { getConsentByOnboarding, getConsentByUser } from './consent.js';
import { logout } from './logout.js';
import {
  authorizeOAuth,
  exchangeOAuthCode,
  initiateOAuth,
  refreshOAuth,
  revokeOAuth,
} from './oauth.js';
import { exchangeOAuth2Code, refreshOAuth2, revokeOAuth2 } from './oauth2.js';
import {
  confirmPasswordReset,
  requestPasswordReset,
  verifyPasswordReset,
} from './password-reset.js';
import { provisionApple, provisionGoogle } from './provisioning.js';
import {
  getRegistration,
  getRegistrationSettings,
  startRegistrationVerification,
  submitAddress,
  submitMailingAddress,
  submitPersonalDetails,
} from './registration.js';
import {
  sendRegistrationEmailCode,
  sendRegistrationPhoneCode,
  verifyRegistrationEmail,
  verifyRegistrationPhone,
} from './registration-contact.js';
import { withdrawReward } from './reward.js';
import { estimateRewardWithdrawal, getRewardWallet } from './reward-reads.js';
import {
  getExternalWalletPriority,
  setExternalWalletPriority,
  setLinkedWalletPriority,
} from './wallet-priority.js';
import {
  listWebhookEvents,
  retryWebhookEvent,
  webhookEventLogs,
  webhookEventStatus,
} from './webhook-events.js';

/**
 * Every observed call by its id, which is also the path to its method below `observe(client)`.
 * `auth.oauth2.authorizeUrl` is not a call: see {@link oauth2AuthorizeUrl}.
 *
 * @experimental
 */
export const observedEndpoints = {
  'auth.oauth.initiate': initiateOAuth,
  'auth.oauth.authorize': authorizeOAuth,
  'auth.oauth.exchangeCode': exchangeOAuthCode,
  'auth.oauth.refresh': refreshOAuth,
  'auth.oauth.revoke': revokeOAuth,
  'auth.oauth2.exchangeCode': exchangeOAuth2Code,
  'auth.oauth2.refresh': refreshOAuth2,
  'auth.oauth2.revoke': revokeOAuth2,
  'auth.logout': logout,
  'auth.passwordReset.request': requestPasswordReset,
  'auth.passwordReset.verify': verifyPasswordReset,
  'auth.passwordReset.confirm': confirmPasswordReset,
  'user.registration.settings': getRegistrationSettings,
  'user.registration.sendEmailCode': sendRegistrationEmailCode,
  'user.registration.verifyEmail': verifyRegistrationEmail,
  'user.registration.sendPhoneCode': sendRegistrationPhoneCode,
  'user.registration.verifyPhone': verifyRegistrationPhone,
  'user.registration.startVerification': startRegistrationVerification,
  'user.registration.submitPersonalDetails': submitPersonalDetails,
  'user.registration.submitAddress': submitAddress,
  'user.registration.submitMailingAddress': submitMailingAddress,
  'user.registration.get': getRegistration,
  'consent.getByOnboarding': getConsentByOnboarding,
  'consent.getByUser': getConsentByUser,
  'wallets.external.getPriority': getExternalWalletPriority,
  'wallets.external.setPriority': setExternalWalletPriority,
  'wallets.internal.setLinkedPriority': setLinkedWalletPriority,
  'wallets.reward.get': getRewardWallet,
  'wallets.reward.estimateWithdrawal': estimateRewardWithdrawal,
  'wallets.reward.withdraw': withdrawReward,
  'card.cashback': getCashback,
  'card.statement': cardStatement,
  'card.provisioning.apple': provisionApple,
  'card.provisioning.google': provisionGoogle,
  'webhooks.events.list': listWebhookEvents,
  'webhooks.events.status': webhookEventStatus,
  'webhooks.events.logs': webhookEventLogs,
  'webhooks.events.retry': retryWebhookEvent,
} as const;

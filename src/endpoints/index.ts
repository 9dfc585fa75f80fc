export { login, sendLoginOtp } from '../contract/auth.js';
export {
  cardStatus,
  cardTransactions,
  freezeCard,
  orderCard,
  unfreezeCard,
} from '../contract/card.js';
export { createDetailsToken, createPinToken, createSetPinToken } from '../contract/card-tokens.js';
export type { NoInput } from '../contract/common.js';
export {
  createOnboardingConsent,
  getConsentAudit,
  getConsentSet,
  linkConsentToUser,
} from '../contract/consent.js';
export {
  estimateCreditWithdrawal,
  getCreditWallet,
  withdrawCredit,
} from '../contract/credit-wallet.js';
export {
  chainConfig,
  getDelegationToken,
  submitEvmApproval,
  submitSolanaApproval,
} from '../contract/delegation.js';
export type {
  Endpoint,
  Interpretation as Reading,
  ResponseShape as Answer,
  RetryResolution as Replay,
  Routing,
} from '../contract/endpoint.js';
export { listExternalWallets } from '../contract/external-wallets.js';
export {
  createInternalWallets,
  linkWalletToCard,
  listInternalWallets,
  listLinkedWallets,
  unlinkWalletFromCard,
  withdrawFromInternalWallet,
} from '../contract/internal-wallets.js';
export { createOrder, getOrder, listProducts } from '../contract/orders.js';
export { getReferral, validateReferral } from '../contract/referral.js';
export type { RetryPolicy as RepeatPolicy } from '../contract/retry-policy.js';
export { getUser, startVerification } from '../contract/user.js';
export { walletHistory } from '../contract/wallet-history.js';
export {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookKey,
  updateWebhook,
  webhookLogs,
} from '../contract/webhooks.js';
export type { Send } from '../transport/send.js';
export type { Sender } from '../transport/sender.js';
export { call } from './call.js';
export { createClient, type EndpointClient } from './create-client.js';

import * as auth from './auth.js';
import * as card from './card.js';
import * as consent from './consent.js';
import * as credit from './credit-wallet.js';
import * as delegation from './delegation.js';
import type { Endpoint } from './endpoint.js';
import * as external from './external-wallets.js';
import * as internal from './internal-wallets.js';
import * as orders from './orders.js';
import * as referral from './referral.js';
import * as user from './user.js';
import * as history from './wallet-history.js';
import * as webhooks from './webhooks.js';

/** Every endpoint of the service. */
export const ENDPOINTS: readonly Endpoint[] = [
  auth.login,
  auth.sendLoginOtp,
  card.orderCard,
  card.cardStatus,
  card.freezeCard,
  card.unfreezeCard,
  card.createDetailsToken,
  card.createPinToken,
  card.createSetPinToken,
  card.cardTransactions,
  delegation.getDelegationToken,
  delegation.submitEvmApproval,
  delegation.submitSolanaApproval,
  delegation.chainConfig,
  internal.listInternalWallets,
  internal.createInternalWallets,
  internal.linkWalletToCard,
  internal.listLinkedWallets,
  internal.unlinkWalletFromCard,
  internal.withdrawFromInternalWallet,
  credit.withdrawCredit,
  credit.getCreditWallet,
  credit.estimateCreditWithdrawal,
  external.listExternalWallets,
  history.walletHistory,
  orders.createOrder,
  orders.listProducts,
  orders.getOrder,
  consent.createOnboardingConsent,
  consent.linkConsentToUser,
  consent.getConsentSet,
  consent.getConsentAudit,
  webhooks.updateWebhook,
  webhooks.rotateWebhookKey,
  webhooks.deleteWebhook,
  webhooks.listWebhooks,
  webhooks.createWebhook,
  webhooks.getWebhook,
  webhooks.webhookLogs,
  user.startVerification,
  user.getUser,
  referral.getReferral,
  referral.validateReferral,
];

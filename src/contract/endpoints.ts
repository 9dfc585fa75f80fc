import * as auth from './auth.js';
import * as card from './card.js';
import * as cardTokens from './card-tokens.js';
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

/** Every endpoint of the service, by its id. */
const ENDPOINT_BY_ID = {
  'auth.login': auth.login,
  'auth.sendLoginOtp': auth.sendLoginOtp,
  'card.order': card.orderCard,
  'card.status': card.cardStatus,
  'card.freeze': card.freezeCard,
  'card.unfreeze': card.unfreezeCard,
  'card.createDetailsToken': cardTokens.createDetailsToken,
  'card.createPinToken': cardTokens.createPinToken,
  'card.createSetPinToken': cardTokens.createSetPinToken,
  'card.transactions': card.cardTransactions,
  'delegation.getToken': delegation.getDelegationToken,
  'delegation.submitEvmApproval': delegation.submitEvmApproval,
  'delegation.submitSolanaApproval': delegation.submitSolanaApproval,
  'delegation.chainConfig': delegation.chainConfig,
  'wallets.internal.list': internal.listInternalWallets,
  'wallets.internal.create': internal.createInternalWallets,
  'wallets.internal.linkToCard': internal.linkWalletToCard,
  'wallets.internal.listLinked': internal.listLinkedWallets,
  'wallets.internal.unlinkFromCard': internal.unlinkWalletFromCard,
  'wallets.internal.withdraw': internal.withdrawFromInternalWallet,
  'wallets.credit.withdraw': credit.withdrawCredit,
  'wallets.credit.get': credit.getCreditWallet,
  'wallets.credit.estimateWithdrawal': credit.estimateCreditWithdrawal,
  'wallets.external.list': external.listExternalWallets,
  'wallets.history.list': history.walletHistory,
  'orders.create': orders.createOrder,
  'orders.listProducts': orders.listProducts,
  'orders.get': orders.getOrder,
  'consent.createOnboarding': consent.createOnboardingConsent,
  'consent.linkUser': consent.linkConsentToUser,
  'consent.getSet': consent.getConsentSet,
  'consent.getUserAudit': consent.getConsentAudit,
  'webhooks.update': webhooks.updateWebhook,
  'webhooks.rotateKey': webhooks.rotateWebhookKey,
  'webhooks.delete': webhooks.deleteWebhook,
  'webhooks.list': webhooks.listWebhooks,
  'webhooks.create': webhooks.createWebhook,
  'webhooks.get': webhooks.getWebhook,
  'webhooks.logs': webhooks.webhookLogs,
  'user.startVerification': user.startVerification,
  'user.get': user.getUser,
  'referral.get': referral.getReferral,
  'referral.validate': referral.validateReferral,
} satisfies Readonly<Record<string, Endpoint>>;

/** The id of an endpoint: the path to its client method. */
export type EndpointId = keyof typeof ENDPOINT_BY_ID;

/** Every endpoint of the service. */
export const ENDPOINTS: readonly Endpoint[] = /* @__PURE__ */ Object.values(ENDPOINT_BY_ID);

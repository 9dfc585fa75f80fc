import * as auth from '../contract/auth.js';
import * as card from '../contract/card.js';
import * as cardTokens from '../contract/card-tokens.js';
import * as consent from '../contract/consent.js';
import * as credit from '../contract/credit-wallet.js';
import * as delegation from '../contract/delegation.js';
import type { Endpoint } from '../contract/endpoint.js';
import * as external from '../contract/external-wallets.js';
import * as internal from '../contract/internal-wallets.js';
import * as orders from '../contract/orders.js';
import { useZod } from '../contract/provide-zod.js';
import * as referral from '../contract/referral.js';
import type { Schema } from '../contract/schema.js';
import * as user from '../contract/user.js';
import * as history from '../contract/wallet-history.js';
import * as webhooks from '../contract/webhooks.js';

useZod();

/** The schemas of one endpoint: Standard Schema v1, to use with any library that takes it. */
export type EndpointSchemas<Input> = {
  /** What a call may say, in the names that callers use. */
  request: Schema<Input>;
  /** What the service answers with each success status, in the names on the wire. */
  responses: Readonly<Record<number, Schema>>;
};

function schemasOf<Input, Output>(endpoint: Endpoint<Input, Output>): EndpointSchemas<Input> {
  const shapes = Object.entries(endpoint.responses);
  const responses = Object.fromEntries(shapes.map(([status, { schema }]) => [status, schema]));
  return { request: endpoint.input, responses };
}

/**
 * The request and response schemas of every endpoint, by endpoint id. Preview endpoints have
 * response schemas that accept anything of the right kind, because the contract does not show more.
 *
 * @example
 * ```ts
 * import { schemas } from 'card-platform-sdk/schemas';
 *
 * const result = schemas['wallets.credit.withdraw'].request['~standard'].validate({ amount: '1e3' });
 * ```
 */
export const schemas = {
  'auth.login': schemasOf(auth.login),
  'auth.sendLoginOtp': schemasOf(auth.sendLoginOtp),
  'card.order': schemasOf(card.orderCard),
  'card.status': schemasOf(card.cardStatus),
  'card.freeze': schemasOf(card.freezeCard),
  'card.unfreeze': schemasOf(card.unfreezeCard),
  'card.createDetailsToken': schemasOf(cardTokens.createDetailsToken),
  'card.createPinToken': schemasOf(cardTokens.createPinToken),
  'card.createSetPinToken': schemasOf(cardTokens.createSetPinToken),
  'card.transactions': schemasOf(card.cardTransactions),
  'delegation.getToken': schemasOf(delegation.getDelegationToken),
  'delegation.submitEvmApproval': schemasOf(delegation.submitEvmApproval),
  'delegation.submitSolanaApproval': schemasOf(delegation.submitSolanaApproval),
  'delegation.chainConfig': schemasOf(delegation.chainConfig),
  'wallets.internal.list': schemasOf(internal.listInternalWallets),
  'wallets.internal.create': schemasOf(internal.createInternalWallets),
  'wallets.internal.linkToCard': schemasOf(internal.linkWalletToCard),
  'wallets.internal.listLinked': schemasOf(internal.listLinkedWallets),
  'wallets.internal.unlinkFromCard': schemasOf(internal.unlinkWalletFromCard),
  'wallets.internal.withdraw': schemasOf(internal.withdrawFromInternalWallet),
  'wallets.credit.withdraw': schemasOf(credit.withdrawCredit),
  'wallets.credit.get': schemasOf(credit.getCreditWallet),
  'wallets.credit.estimateWithdrawal': schemasOf(credit.estimateCreditWithdrawal),
  'wallets.external.list': schemasOf(external.listExternalWallets),
  'wallets.history.list': schemasOf(history.walletHistory),
  'orders.create': schemasOf(orders.createOrder),
  'orders.listProducts': schemasOf(orders.listProducts),
  'orders.get': schemasOf(orders.getOrder),
  'consent.createOnboarding': schemasOf(consent.createOnboardingConsent),
  'consent.linkUser': schemasOf(consent.linkConsentToUser),
  'consent.getSet': schemasOf(consent.getConsentSet),
  'consent.getUserAudit': schemasOf(consent.getConsentAudit),
  'webhooks.update': schemasOf(webhooks.updateWebhook),
  'webhooks.rotateKey': schemasOf(webhooks.rotateWebhookKey),
  'webhooks.delete': schemasOf(webhooks.deleteWebhook),
  'webhooks.list': schemasOf(webhooks.listWebhooks),
  'webhooks.create': schemasOf(webhooks.createWebhook),
  'webhooks.get': schemasOf(webhooks.getWebhook),
  'webhooks.logs': schemasOf(webhooks.webhookLogs),
  'user.startVerification': schemasOf(user.startVerification),
  'user.get': schemasOf(user.getUser),
  'referral.get': schemasOf(referral.getReferral),
  'referral.validate': schemasOf(referral.validateReferral),
} as const;

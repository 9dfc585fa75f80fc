import type { EndpointId } from '../contract/endpoints.js';
import type { Look } from './look.js';
import {
  lookAtCardOrder,
  lookAtCreatedWallets,
  lookAtCreatedWebhook,
  lookAtLink,
  lookAtRegistration,
  lookAtUnfreeze,
  lookAtUnlink,
} from './look-at-states.js';
import { lookAtCreditWithdrawal, lookAtInternalWithdrawal } from './look-at-withdrawals.js';

/**
 * How to look up each request that must not be sent twice, or why no read shows it. A test requires a
 * row for every such endpoint.
 */
export const LOOKS: { readonly [Id in EndpointId]?: Look | string } = {
  'auth.login': 'a login leaves nothing that can be read; logging in again is safe',
  'auth.sendLoginOtp': 'no read shows whether a code was sent; ask the user',
  'card.order': lookAtCardOrder,
  'card.unfreeze': lookAtUnfreeze,
  'delegation.getToken':
    'no read shows whether the faucet paid out; look at the balance of the wallet on its network',
  'delegation.submitEvmApproval': lookAtRegistration,
  'delegation.submitSolanaApproval': lookAtRegistration,
  'orders.create':
    'no read lists orders, and the order id was in the lost response; an order that nobody pays expires',
  'wallets.credit.withdraw': lookAtCreditWithdrawal,
  'wallets.internal.create': lookAtCreatedWallets,
  'wallets.internal.linkToCard': lookAtLink,
  'wallets.internal.unlinkFromCard': lookAtUnlink,
  'wallets.internal.withdraw': lookAtInternalWithdrawal,
  'webhooks.create': lookAtCreatedWebhook,
  'webhooks.rotateKey': 'no read shows the new key, so it is lost in any case; rotate again',
};

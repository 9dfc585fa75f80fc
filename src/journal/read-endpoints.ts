import { cardStatus } from '../contract/card.js';
import { getCreditWallet } from '../contract/credit-wallet.js';
import { listExternalWallets } from '../contract/external-wallets.js';
import { listInternalWallets, listLinkedWallets } from '../contract/internal-wallets.js';
import { getUser } from '../contract/user.js';
import { walletHistory } from '../contract/wallet-history.js';
import { listWebhooks } from '../contract/webhooks.js';

/**
 * The endpoints that a reconciliation reads. The code that a page loads at once passes them on: if the
 * part that is loaded later imported declarations, a bundler would load them at once in every page.
 */
export const READ_ENDPOINTS = {
  cardStatus,
  getCreditWallet,
  getUser,
  listExternalWallets,
  listInternalWallets,
  listLinkedWallets,
  listWebhooks,
  walletHistory,
};

export type ReadEndpoints = typeof READ_ENDPOINTS;

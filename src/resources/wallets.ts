import type { Send } from '../transport/send.js';
import { CreditWalletResource } from './credit-wallet.js';
import { ExternalWalletsResource } from './external-wallets.js';
import { InternalWalletsResource } from './internal-wallets.js';
import { WalletHistoryResource } from './wallet-history.js';

/** All wallets of a user. */
export class WalletsResource {
  /** Custodial wallets. */
  readonly internal: InternalWalletsResource;
  /** The credit wallet. */
  readonly credit: CreditWalletResource;
  /** Wallets of the user's own. */
  readonly external: ExternalWalletsResource;
  /** Transactions of a wallet. */
  readonly history: WalletHistoryResource;

  constructor(send: Send) {
    this.internal = new InternalWalletsResource(send);
    this.credit = new CreditWalletResource(send);
    this.external = new ExternalWalletsResource(send);
    this.history = new WalletHistoryResource(send);
    Object.freeze(this);
  }
}

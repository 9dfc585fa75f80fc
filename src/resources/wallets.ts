import type { Clock } from '../transport/attempts/clock.js';
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
  /** The user's own wallets. */
  readonly external: ExternalWalletsResource;
  /** Transactions of a wallet. */
  readonly history: WalletHistoryResource;

  constructor(send: Send, clock: Clock) {
    this.internal = new InternalWalletsResource(send, clock);
    this.credit = new CreditWalletResource(send, clock);
    this.external = new ExternalWalletsResource(send, clock);
    this.history = new WalletHistoryResource(send, clock);
    Object.freeze(this);
  }
}

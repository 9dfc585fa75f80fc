import { type CardPlatformClient, isCardPlatformError } from 'card-platform-sdk';

/** How a payout ended, in what an app can show. */
export type Payout = 'sent' | 'not enough' | 'try again' | 'being checked';

/** The app under test: pays a user's credit out, and never twice. */
export class Payouts {
  readonly #user: CardPlatformClient;
  #isLocked = false;

  constructor(user: CardPlatformClient) {
    this.#user = user;
  }

  async pay(amount: string): Promise<Payout> {
    if (this.#isLocked) return 'being checked';
    const { ok, error } = await this.#user.wallets.credit.withdraw({ amount }).safe();
    if (ok) return 'sent';
    if (error.code === 'insufficient_balance') return 'not enough';
    if (error.outcome === 'not_sent') return 'try again';
    if (error.outcome === 'rejected') throw error;
    // It may have been paid: from here on a person decides.
    this.#isLocked = true;
    return 'being checked';
  }
}

/** Whether the user has to log in again: only 401 says so. */
export function isSessionOver(error: unknown): boolean {
  return isCardPlatformError(error) && error.code === 'not_authenticated';
}

import { type CardPlatformClient, isCardPlatformError } from 'card-platform-sdk';

/** The result of a payout, as the app shows it. */
export type Payout = 'sent' | 'not enough' | 'try again' | 'being checked';

/** The app under test: pays out a user's credit, never twice. */
export class Payouts {
  readonly #user: CardPlatformClient;
  #isLocked = false;

  constructor(userClient: CardPlatformClient) {
    this.#user = userClient;
  }

  async pay(amount: string): Promise<Payout> {
    if (this.#isLocked) return 'being checked';
    const { ok, error } = await this.#user.wallets.credit.withdraw({ amount }).safe();
    if (ok) return 'sent';
    if (error.code === 'insufficient_balance') return 'not enough';
    if (error.outcome === 'not_sent') return 'try again';
    if (error.outcome === 'rejected') throw error;
    // It may have been paid: a person must decide.
    this.#isLocked = true;
    return 'being checked';
  }
}

/** Returns whether the user must log in again, which only a 401 requires. */
export function isSessionOver(error: unknown): boolean {
  return isCardPlatformError(error) && error.code === 'not_authenticated';
}

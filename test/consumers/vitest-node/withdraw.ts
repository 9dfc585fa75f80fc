import { type CardPlatformClient, isCardPlatformError } from 'card-platform-sdk';

/** What a partner's server does with a withdrawal: it tells whether the money may have moved. */
export async function withdraw(user: CardPlatformClient, amount: string) {
  try {
    await user.wallets.credit.withdraw({ amount });
    return 'done';
  } catch (error) {
    if (!isCardPlatformError(error)) throw error;
    return error.outcome === 'unknown' ? 'look at the history before repeating' : error.code;
  }
}

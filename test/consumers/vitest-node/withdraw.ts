import { type CardPlatformClient, isCardPlatformError } from 'card-platform-sdk';

/** Withdraws as a partner's server would, and returns whether the money may have moved. */
export async function withdraw(userClient: CardPlatformClient, amount: string) {
  try {
    await userClient.wallets.credit.withdraw({ amount });
    return 'done';
  } catch (error) {
    if (!isCardPlatformError(error)) throw error;
    return error.outcome === 'unknown' ? 'check the history before you try again' : error.code;
  }
}

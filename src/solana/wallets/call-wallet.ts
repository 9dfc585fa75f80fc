import { UserRejectedError } from '../../delegation/flow-wallet-errors.js';
import { isUserRejection } from '../../delegation/user-rejection.js';
import { WalletError } from '../../delegation/wallet-errors.js';
import { isCardPlatformError, type Outcome } from '../../errors/index.js';

/** Calls a wallet. Its errors become errors of this package, without the wallet's message. */
export async function callWallet<T>(
  what: string,
  outcome: Outcome,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isCardPlatformError(error)) throw error;
    throw isUserRejection(error)
      ? new UserRejectedError(error)
      : new WalletError(what, outcome, error);
  }
}

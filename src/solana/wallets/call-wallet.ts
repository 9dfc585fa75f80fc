import { errorCauses } from '../../delegation/error-causes.js';
import { UserRejectedError } from '../../delegation/flow-wallet-errors.js';
import { isUserRejection } from '../../delegation/user-rejection.js';
import { WalletError } from '../../delegation/wallet-errors.js';
import { isCardPlatformError, type Outcome } from '../../errors/index.js';
import { refusalOf } from '../flow/refusals.js';

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
    // Some wallets throw a text.
    const thrown = typeof error === 'string' ? { message: error } : error;
    if (isUserRejection(thrown)) throw new UserRejectedError(error);
    // A wallet that sends has the transaction simulated too: then nothing was sent.
    const effect = hasNotSigned(error) ? 'not_sent' : outcome;
    throw (
      refusalOf(error) ?? new WalletError(isPromptOpen(error) ? PROMPT_OPEN : what, effect, error)
    );
  }
}

const PROMPT_OPEN = 'a prompt is already open: open the wallet and respond to it';

/** Wallet adapters throw these before they send, also from `sendTransaction`. */
const UNSIGNED = /^Wallet(?:SignTransaction|NotConnected|NotReady)Error$/;

/** Whether an error proves that the wallet has signed nothing, so that it has sent nothing either. */
function hasNotSigned(error: unknown): boolean {
  return errorCauses(error).some(({ name }) => UNSIGNED.test(name));
}

function isPromptOpen(error: unknown): boolean {
  return errorCauses(error).some(({ code }) => code === -32002);
}

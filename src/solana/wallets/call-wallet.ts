import { errorCauses } from '../../delegation/error-causes.js';
import { WalletError } from '../../delegation/wallet-errors.js';
import {
  hasDeviceRefused,
  isPromptOpen,
  knownErrorOf,
  OPEN_PROMPT,
} from '../../delegation/wallet-refusals.js';
import type { Outcome } from '../../errors/index.js';
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
    const asked = outcome === 'not_sent' ? 'only-signs' : 'may-have-sent';
    // A wallet that sends has the transaction simulated too: then nothing was sent.
    const refusal = knownErrorOf(error, asked) ?? refusalOf(error);
    if (refusal !== undefined) throw refusal;
    const detail = isPromptOpen(error) ? OPEN_PROMPT : what;
    throw new WalletError(detail, hasNotSigned(error) ? 'not_sent' : outcome, error);
  }
}

/** Wallet adapters throw these before they send, also from `sendTransaction`. */
const UNSIGNED =
  /^Wallet(?:Account|Config|Connection|Keypair|Load|NotConnected|NotReady|PublicKey|SignTransaction|WindowBlocked)Error$/;

/** Whether an error proves that the wallet has signed nothing, so that it has sent nothing either. */
function hasNotSigned(error: unknown): boolean {
  return hasDeviceRefused(error) || errorCauses(error).some(({ name }) => UNSIGNED.test(name));
}

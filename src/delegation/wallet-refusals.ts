import { isCardPlatformError } from '../errors/index.js';
import { errorCauses } from './error-causes.js';
import { UserRejectedError } from './flow-wallet-errors.js';
import { isUserRejection } from './user-rejection.js';

/** EIP-1193: an earlier prompt is still open. It may be the one of this approval. */
const PROMPT_OPEN = -32002;

/** What the user must do before the wallet can be asked again. */
export const OPEN_PROMPT =
  'another prompt is open: open your wallet and answer the prompt that is there';

/** Whether an earlier prompt of the wallet is still open. */
export function isPromptOpen(error: unknown): boolean {
  return errorCauses(error).some(({ code }) => code === PROMPT_OPEN);
}

/** How Ledger's libraries, and wallets with a Ledger behind them, report a status word of the device. */
const DEVICE_STATUS =
  /\bLedger device: [^(]{0,120}\([^()]{0,60}(?:\)[^(]{0,60}\()?0x[0-9a-f]{4}\)/i;
const DEVICE_ERRORS =
  /^(?:TransportStatusError|LockedDeviceError|TransportOpenUserCancelled|(?:Eth|Sol)AppPleaseEnableContractData)$/;

/**
 * Whether a hardware wallet refused to sign: it is locked, another app or none is open, blind signing
 * is off, or the user declined. Then there is nothing to send.
 */
export function hasDeviceRefused(error: unknown): boolean {
  return errorCauses(error).some(
    ({ name, message }) => DEVICE_ERRORS.test(name) || DEVICE_STATUS.test(message),
  );
}

/** The error of this package for a user who declined, or one that was thrown by this package. */
export function ownErrorOf(error: unknown): unknown {
  if (isCardPlatformError(error)) return error;
  return isUserRejection(error) ? new UserRejectedError(error) : undefined;
}

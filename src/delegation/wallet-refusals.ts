import { isCardPlatformError } from '../errors/index.js';
import { type ErrorCause, errorCauses } from './error-causes.js';
import { UserRejectedError } from './wallet-errors.js';

/** viem, other clients, and Ledger's library, whose message may be only the name. */
const NAMES = /^(UserRejectedRequestError|UserRejectedError|UserRefusedOnDevice)$/;
/** EIP-1193, WalletConnect and ethers. */
const CODES: readonly unknown[] = [4001, 5000, '4001', '5000', 'ACTION_REJECTED'];
/** "User denied transaction signature", "Rejected by the user", and 0x6985 and 0x5501 of Ledger devices. */
const BY_USER =
  /\buser (has )?(rejected|denied|declined|disapproved|refused|cancell?ed)\b|\b(rejected|denied|declined|refused|cancell?ed) by (the )?user\b|\b0x(6985|5501)\b/i;
/** The whole text of wallets that do not name the user: "Transaction was rejected". */
const BARE =
  /^((the )?(transaction|request|signature|signing|message|approval)( request| signature)? (was |has been |is )?)?(rejected|denied|declined|cancell?ed)[.!]?$/i;
/** "User closed popup". */
const CLOSED_BY_USER = /\buser (has )?(dismissed|closed)\b|\b(dismissed|closed) by (the )?user\b/i;
/** The error of a wallet adapter whose window was closed. */
const WINDOW_CLOSED = 'WalletWindowClosedError';
/** The whole text: "Popup closed". */
const CLOSED =
  /^(the )?(login )?(pop-?up|modal|dialog)( window)? (was |has been |is )?(closed|dismissed)[.!]?$/i;
/** A text that does not name the user counts only without a code, or with that of an internal error. */
const UNSPECIFIC: readonly unknown[] = [undefined, null, -32603];

/** What the wallet can have done before it throws. With `may-have-sent`, it sends transactions by itself. */
type Asked = 'only-signs' | 'may-have-sent';

/**
 * Whether an error that a wallet threw means that the user declined, in the error or in one of its
 * causes: a code, a name, or a text. A text without the user in it counts only as a whole and only
 * without another code: a network also cancels requests, and a node also rejects transactions. The user can
 * close a window after the wallet has sent, so that counts only where it sends nothing.
 */
export function isUserRejection(error: unknown, asked: Asked = 'only-signs'): boolean {
  return errorCauses(error).some(
    (cause) => isRejection(cause) || (asked === 'only-signs' && isClosed(cause)),
  );
}

function isRejection({ code, name, message }: ErrorCause): boolean {
  if (CODES.includes(code) || NAMES.test(name) || BY_USER.test(message)) return true;
  return BARE.test(message) && isUnspecific({ code, name });
}

function isClosed({ code, name, message }: ErrorCause): boolean {
  if (name === WINDOW_CLOSED || CLOSED_BY_USER.test(message)) return true;
  return CLOSED.test(message) && isUnspecific({ code, name });
}

function isUnspecific({ code, name }: Pick<ErrorCause, 'code' | 'name'>): boolean {
  return UNSPECIFIC.includes(code) && name !== 'AbortError';
}

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
export function knownErrorOf(error: unknown, asked?: Asked): unknown {
  if (isCardPlatformError(error)) return error;
  return isUserRejection(error, asked) ? new UserRejectedError(error) : undefined;
}

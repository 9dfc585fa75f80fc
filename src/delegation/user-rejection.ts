import { type ErrorCause, errorCauses } from './error-causes.js';

/** viem, other clients, and Ledger's library, whose message may be only the name. */
const NAMES = /^(UserRejectedRequestError|UserRejectedError|UserRefusedOnDevice)$/;
/** EIP-1193, WalletConnect and ethers. */
const CODES: readonly unknown[] = [4001, 5000, '4001', '5000', 'ACTION_REJECTED'];
/**
 * "User denied transaction signature", "Rejected by the user", "User closed popup", and 0x6985 and
 * 0x5501 of Ledger devices.
 */
const BY_USER =
  /\buser (has )?(rejected|denied|declined|disapproved|refused|dismissed|closed|cancell?ed)\b|\b(rejected|denied|declined|refused|dismissed|closed|cancell?ed) by (the )?user\b|\b0x(6985|5501)\b/i;
/** The whole text of wallets that do not name the user: "Transaction was rejected", "Popup closed". */
const BARE =
  /^((the )?(transaction|request|signature|signing|message|approval)( request| signature)? (was |has been |is )?)?(rejected|denied|declined|cancell?ed)[.!]?$|^(the )?(login )?(pop-?up|modal|dialog)( window)? (was |has been |is )?(closed|dismissed)[.!]?$/i;
/** A text that does not name the user counts only without a code, or with that of an internal error. */
const UNSPECIFIC: readonly unknown[] = [undefined, null, -32603];

/**
 * Whether an error that a wallet threw means that the user declined, in the error or in one of its
 * causes: a code, a name, or a text. A text without the user in it counts only as a whole and only
 * without another code: a network also cancels requests, and a node also rejects transactions.
 */
export function isUserRejection(error: unknown): boolean {
  return errorCauses(error).some(isRejection);
}

function isRejection({ code, name, message }: ErrorCause): boolean {
  if (CODES.includes(code) || NAMES.test(name) || BY_USER.test(message)) return true;
  return BARE.test(message) && UNSPECIFIC.includes(code) && name !== 'AbortError';
}

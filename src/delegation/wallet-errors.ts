import type { Outcome } from '../errors/index.js';
import { ChainError } from './chain-error.js';

/**
 * The effect of a step in which the wallet was not asked, or did not sign. It covers this step
 * only: an earlier one may have reset the limit, and an earlier run may have sent the approval.
 */
export const NOTHING_SENT = 'This step sent nothing and cost no fee.';

/** The signature was not made by the address that delegates. */
export class SignerMismatchError extends ChainError {
  override readonly name = 'SignerMismatchError';

  constructor() {
    super({
      code: 'signer_mismatch',
      outcome: 'not_sent',
      message: `another account signed the message. ${NOTHING_SENT} Choose the right account in the wallet, then resume.`,
    });
  }
}

/**
 * The kind of an account whose signature is not made with its own key: a contract wallet
 * (`eip-1271`), one that is not deployed yet (`eip-6492`), or an account with a key that has
 * delegated to a contract (`eip-7702`).
 */
export type SmartAccountKind = 'eip-1271' | 'eip-6492' | 'eip-7702';

/** The service does not accept this kind of signature, for example one of a smart account. */
export class UnsupportedSignatureError extends ChainError {
  override readonly name = 'UnsupportedSignatureError';
  /** The kind of smart account; `undefined` if it is not known to be one. */
  readonly accountKind: SmartAccountKind | undefined;

  constructor(detail: string, accountKind?: SmartAccountKind) {
    super({
      code: 'unsupported_signature',
      outcome: 'not_sent',
      message: `the service does not accept this signature (${detail}). ${NOTHING_SENT} Use an account with its own private key.`,
    });
    this.accountKind = accountKind;
  }
}

/** The wallet failed, and not because the user declined. */
export class WalletError extends ChainError {
  override readonly name = 'WalletError';

  constructor(detail: string, outcome: Outcome, cause?: unknown) {
    const effect =
      outcome === 'not_sent'
        ? NOTHING_SENT
        : 'The approval may have been sent. Resume to search the chain before the wallet is asked again.';
    super(
      { code: 'wallet_failed', outcome, message: `the wallet failed (${detail}). ${effect}` },
      cause,
    );
  }
}

/** The chain could not be read: the node failed, stalled, or returned an invalid response. */
export class ChainReadError extends ChainError {
  override readonly name = 'ChainReadError';

  constructor(what: string, outcome: Outcome, cause?: unknown) {
    super(
      {
        code: 'chain_unreadable',
        outcome,
        message: `the chain could not be read (${what}). Read again, or resume the flow: no approval is sent twice.`,
      },
      cause,
    );
  }
}

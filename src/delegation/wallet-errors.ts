import type { Outcome } from '../errors/index.js';
import { ChainError } from './chain-error.js';

const NOTHING_SENT = 'Nothing was sent and no fee was paid.';

/** The user declined in the wallet (EIP-1193 code 4001). Ask again only when the user wants to. */
export class UserRejectedError extends ChainError {
  override readonly name = 'UserRejectedError';

  constructor(cause?: unknown) {
    super(
      {
        code: 'user_rejected',
        outcome: 'not_sent',
        message: `the user declined in the wallet. ${NOTHING_SENT} Resume when the user wants to try again.`,
      },
      cause,
    );
  }
}

/** The wallet, or the node that reads the chain, is on another chain than the requested one. */
export class WrongChainError extends ChainError {
  override readonly name = 'WrongChainError';
  /** The requested chain. */
  readonly expected: string;
  /** The chain that the wallet or node is on. */
  readonly actual: string;

  constructor(who: string, expected: string, actual: string, outcome: Outcome = 'not_sent') {
    const effect = outcome === 'not_sent' ? NOTHING_SENT : 'An approval may be on the chain.';
    super({
      code: 'wrong_chain',
      outcome,
      message: `${who} is on chain ${actual}, not on ${expected}. ${effect} Switch the network, then resume.`,
    });
    this.expected = expected;
    this.actual = actual;
  }
}

/** Another address than the delegating one made the signature. */
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

/** The service does not accept this kind of signature, for example one of a smart account. */
export class UnsupportedSignatureError extends ChainError {
  override readonly name = 'UnsupportedSignatureError';

  constructor(detail: string) {
    super({
      code: 'unsupported_signature',
      outcome: 'not_sent',
      message: `the service does not accept this signature (${detail}). ${NOTHING_SENT} Use an account with its own private key.`,
    });
  }
}

/** The service's nonce is not valid in the message that the wallet signs. */
export class NonceNotAllowedError extends ChainError {
  override readonly name = 'NonceNotAllowedError';

  constructor(rule: string) {
    super({
      code: 'nonce_not_allowed',
      outcome: 'not_sent',
      message: `the service's nonce does not fit the message (${rule}). The wallet was not asked. Resume to get a new nonce, or allow this one explicitly.`,
    });
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
        message: `the chain could not be read (${what}). Resume to try again; no approval is sent twice.`,
      },
      cause,
    );
  }
}

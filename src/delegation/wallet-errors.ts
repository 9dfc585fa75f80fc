import type { Outcome } from '../errors/index.js';
import { ChainError } from './chain-error.js';

/**
 * The effect of a step in which the wallet was not asked, or did not sign. It covers this step
 * only: an earlier one may have reset the limit, and an earlier run may have sent the approval.
 */
const NOTHING_SENT = 'This step sent nothing and cost no fee.';

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

/**
 * The user declined in the wallet, for example with code 4001 of EIP-1193. Ask again only when the
 * user wants to.
 */
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

/** The wallet did not respond to a prompt in time. Its session may have ended. */
export class PromptTimeoutError extends ChainError {
  override readonly name = 'PromptTimeoutError';

  constructor(limitMs: number, outcome: Outcome) {
    const effect =
      outcome === 'not_sent'
        ? `${NOTHING_SENT} Connect the wallet again, then resume.`
        : 'The prompt may still be open, and the transaction may still be sent. Resume to search the chain before the wallet is asked again.';
    super({
      code: 'prompt_timeout',
      outcome,
      message: `the wallet did not respond within ${limitMs} ms. ${effect}`,
    });
  }
}

/** The wallet, or the node that reads the chain, is not on the requested chain. */
export class WrongChainError extends ChainError {
  override readonly name = 'WrongChainError';
  /** The requested chain. */
  readonly expected: string;
  /** The chain that the wallet or node is on; `another one` if the wallet did not say which. */
  readonly actual: string;

  constructor(
    who: string,
    expected: string,
    actual: string,
    outcome: Outcome = 'not_sent',
    advice = 'Switch the network, then resume.',
  ) {
    const effect = outcome === 'not_sent' ? NOTHING_SENT : 'An approval may be on the chain.';
    super({
      code: 'wrong_chain',
      outcome,
      message: `${who} is not on chain ${expected}, but on ${actual}. ${effect} ${advice}`,
    });
    this.expected = expected;
    this.actual = actual;
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

/** The wallet does not have the coins that the network fee costs. */
export function insufficientFunds(cause?: unknown): ChainError {
  const message = `the wallet cannot pay the network fee. ${NOTHING_SENT} The service’s faucet was not asked, or did not help. Add some of the network’s native coin, then resume. If somebody else pays the fee, set checkFunds to false.`;
  return new ChainError({ code: 'insufficient_funds', outcome: 'not_sent', message }, cause);
}

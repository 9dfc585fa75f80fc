import type { Outcome } from '../errors/index.js';
import { ChainError } from './chain-error.js';
import { NOTHING_SENT } from './wallet-errors.js';

// In a file of their own, because only a flow needs them. `/evm` loads `wallet-errors.ts` at once.
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
  /** The chain that the wallet or node is on. */
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

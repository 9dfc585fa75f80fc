import { ChainError } from '../../delegation/chain-error.js';
import type { Outcome } from '../../errors/index.js';

/** Another delegate may spend from the token account, and this approval would replace it. */
export class DelegateInUseError extends ChainError {
  override readonly name = 'DelegateInUseError';
  /** The delegate that may spend now. */
  readonly delegate: string;
  /** How much, in base units. */
  readonly delegatedAmount: string;

  constructor(delegate: string, delegatedAmount: bigint) {
    super({
      code: 'delegate_in_use',
      outcome: 'not_sent',
      message:
        'the token account has another delegate, and can have only one. Nothing was sent. Ask the user, then pass replaceSpender: true.',
    });
    this.delegate = delegate;
    this.delegatedAmount = delegatedAmount.toString();
  }
}

/** The mint or the token account does not allow the approval. */
export class TokenAccountError extends ChainError {
  override readonly name = 'TokenAccountError';
  /** The problem that was found. */
  readonly reason: TokenAccountProblem;

  constructor(reason: TokenAccountProblem, cause?: unknown, outcome: Outcome = 'not_sent') {
    super(
      {
        code: 'token_account_unusable',
        outcome,
        message:
          outcome === 'not_sent'
            ? `nothing can be approved (${PROBLEMS[reason]}). Nothing was sent.`
            : `the approval cannot be checked (${PROBLEMS[reason]}). It may be on the chain. Resume when that has changed; nothing is approved twice.`,
      },
      cause,
    );
    this.reason = reason;
  }
}

const PROBLEMS: Readonly<Record<TokenAccountProblem, string>> = {
  mint_not_found: 'this chain has no such mint: check the cluster of the connection',
  wrong_decimals: 'the mint does not have the given decimals',
  wrong_program:
    'the mint belongs to a program that is not the given one, or is not a token program',
  not_found: 'the wallet has no account for this token: it must receive some first',
  wrong_owner: 'the token account belongs to another wallet',
  wrong_mint: 'the token account is for another mint',
  frozen: 'the issuer has frozen the token account',
  unusable_delegate: 'the delegate is a program, a mint or a token account, which cannot spend',
};

/** The problems that a mint or a token account can have. */
export type TokenAccountProblem =
  | 'mint_not_found'
  | 'wrong_decimals'
  | 'wrong_program'
  | 'not_found'
  | 'wrong_owner'
  | 'wrong_mint'
  | 'frozen'
  | 'unusable_delegate';

/** The node simulated the transaction and refused it before it reached the chain. */
export class TransactionRefusedError extends ChainError {
  override readonly name = 'TransactionRefusedError';

  constructor(transactionId: string | undefined, cause: unknown) {
    super(
      {
        code: 'transaction_refused',
        outcome: 'rejected',
        message:
          'the node simulated the approval, and it failed. Nothing was sent and no fee was paid. Resume to approve again.',
        transactionId,
      },
      cause,
    );
  }
}

import {
  CardPlatformError,
  type ChainErrorCode,
  type ErrorFacts,
  isCardPlatformError,
  type NextStep,
  type Outcome,
} from '../errors/index.js';
import { readable } from './error-causes.js';

/** The facts of a delegation error. */
export type ChainErrorFacts = Omit<ErrorFacts, 'code' | 'operation' | 'attempts'> & {
  code: ChainErrorCode;
  /** The transaction concerned. */
  transactionId?: string | undefined;
};

/**
 * The base class of delegation errors: failures of the wallet, the chain or the service.
 *
 * `outcome` is the failed step's outcome: `not_sent` (it never happened), `rejected` (the chain or
 * the service refused it), `unknown` (it may have happened), `executed` (it is on the chain). The
 * message and `delegationStateOf(error)?.approval` show whether an approval is on the chain.
 *
 * @example
 * ```ts
 * import { isChainError } from 'card-platform-sdk/evm';
 *
 * function userDeclined(error: unknown): boolean {
 *   return isChainError(error, 'user_rejected');
 * }
 * ```
 */
export class ChainError extends CardPlatformError {
  override readonly name: string = 'ChainError';
  declare readonly code: ChainErrorCode;
  /** The transaction concerned; `undefined` if there is none. */
  readonly transactionId: string | undefined;

  constructor(facts: ChainErrorFacts, cause?: unknown) {
    const next = facts.next ?? stepAfterChainError(facts.code, facts.outcome);
    super({ ...facts, next }, cause === undefined ? undefined : withoutSecrets(cause));
    this.transactionId = facts.transactionId;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), transactionId: this.transactionId };
  }
}

/**
 * A copy of a foreign error that is safe to keep. Messages of wallets and nodes contain the URL of
 * the node with its key, so the copy has only the name and the code.
 */
function withoutSecrets(cause: unknown): unknown {
  if (isCardPlatformError(cause)) return cause;
  const [name, code] = readable(Object(cause), ['name', 'code']);
  // Either may be any text, such as the URL of the node.
  const isCode =
    typeof code === 'number' || (typeof code === 'string' && /^[A-Z_]{1,60}$/.test(code));
  const rebuilt = new Error(isCode ? `${code}` : '');
  rebuilt.name = typeof name === 'string' && /^[A-Za-z]{1,60}$/.test(name) ? name : 'Error';
  return rebuilt;
}

/** The step after every code. A new code does not compile without one. */
const STEPS: Readonly<Record<ChainErrorCode, NextStep>> = {
  user_rejected: 'retry',
  wrong_chain: 'retry',
  signer_mismatch: 'retry',
  unsupported_signature: 'replace',
  nonce_not_allowed: 'retry',
  insufficient_funds: 'retry',
  approval_would_revert: 'replace',
  token_decimals_differ: 'contact',
  spender_without_code: 'contact',
  wallet_failed: 'retry',
  prompt_timeout: 'retry',
  chain_unreadable: 'retry',
  chain_config_unusable: 'contact',
  clock_unusable: 'retry',
  approval_unknown: 'resume',
  approval_mismatch: 'contact',
  allowance_raced: 'replace',
  transaction_reverted: 'retry',
  transaction_replaced: 'retry',
  transaction_cancelled: 'retry',
  transaction_expired: 'retry',
  transaction_refused: 'retry',
  delegate_in_use: 'replace',
  token_unusable: 'retry',
  token_account_unusable: 'replace',
  confirmation_timeout: 'resume',
  delegation_token_expired: 'resume',
  delegation_in_progress: 'retry',
  delegation_not_saved: 'retry',
  state_mismatch: 'resume',
  proof_unknown: 'resume',
  proof_refused: 'resume',
  limit_not_updated: 'resume',
  revocation_not_registered: 'resume',
  spender_not_confirmed: 'retry',
};

/** The step after a delegation error. An approval that may have been sent is not asked for again. */
function stepAfterChainError(code: ChainErrorCode, outcome: Outcome): NextStep {
  const step = STEPS[code];
  return outcome === 'unknown' && step !== 'contact' ? 'resume' : step;
}

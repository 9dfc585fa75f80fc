import {
  type CardPlatformError,
  type ChainErrorCode,
  type ErrorCode,
  isCardPlatformError,
} from '../errors/index.js';
import { readable } from './error-causes.js';
import { isChainError } from './is-chain-error.js';
import { delegationStateOf } from './state-of-error.js';

/**
 * What to offer after a failed delegation:
 *
 * - `retry`: nothing is under way. Start again, once the user has done what the sentence says.
 * - `resume`: something may be under way or on the chain. Continue: no second approval is sent.
 * - `replace`: continuing does not help. Start over with something else: another wallet, or a new
 *   approval in place of the one that is there.
 * - `contact`: the user cannot solve it.
 */
export type NextStep = 'retry' | 'resume' | 'replace' | 'contact';

type Advice = readonly [next: NextStep, sentence: string];

const OUR_FAULT = 'Something went wrong on our side. Please try again later.';

/** One sentence and one step for every code. A new code does not compile without them. */
const ADVICE: Readonly<Record<ChainErrorCode, Advice>> = {
  user_rejected: ['retry', 'You declined in your wallet. Continue when you are ready.'],
  wrong_chain: ['retry', 'Your wallet is on another network. Switch it, then continue.'],
  signer_mismatch: ['retry', 'Another account signed. Choose the account that you started with.'],
  unsupported_signature: ['replace', 'This kind of wallet is not supported yet. Use another one.'],
  nonce_not_allowed: ['retry', 'Something went wrong on our side. Please try again.'],
  insufficient_funds: [
    'retry',
    'Your wallet lacks coins for the network fee. Add some, then continue.',
  ],
  approval_would_revert: ['replace', 'This token cannot be approved with this wallet now.'],
  token_decimals_differ: ['contact', OUR_FAULT],
  spender_without_code: ['contact', OUR_FAULT],
  wallet_failed: ['retry', 'Your wallet reported an error. Open it, then continue.'],
  prompt_timeout: [
    'retry',
    'Your wallet does not respond. Open it, check its connection, then continue.',
  ],
  chain_unreadable: [
    'retry',
    'The network cannot be read right now. Continue later: nothing is lost.',
  ],
  chain_config_unusable: ['contact', OUR_FAULT],
  clock_unusable: ['retry', 'Something went wrong in this page. Reload it, then continue.'],
  approval_unknown: ['resume', 'Check in your wallet whether an approval was sent, then continue.'],
  approval_mismatch: [
    'contact',
    'Something else was approved. Revoke it in your wallet, and contact us.',
  ],
  allowance_raced: [
    'replace',
    'The limit was changed elsewhere. Check your wallet, then start again.',
  ],
  transaction_reverted: [
    'retry',
    'The approval failed, and the network fee was paid. Continue to try again.',
  ],
  transaction_replaced: [
    'retry',
    'You replaced the approval with something else. Continue to try again.',
  ],
  transaction_cancelled: ['retry', 'You cancelled the approval. Continue to try again.'],
  transaction_expired: [
    'retry',
    'The network was busy, and nothing was paid. Continue to approve again.',
  ],
  transaction_refused: [
    'retry',
    'The approval would have failed, so it was not sent. Please try again.',
  ],
  delegate_in_use: ['replace', 'Another app may spend from this account. Replace it?'],
  token_unusable: ['retry', OUR_FAULT],
  token_account_unusable: ['replace', 'This wallet cannot be used for this token.'],
  confirmation_timeout: ['resume', 'The network is slow. Continue later: nothing is lost.'],
  delegation_token_expired: ['resume', 'That took too long. Continue: you only sign once more.'],
  delegation_in_progress: ['retry', 'Finish the other delegation first, here or in another tab.'],
  delegation_not_saved: [
    'retry',
    'Your browser could not save the progress, so nothing was sent. Please try again.',
  ],
  state_mismatch: [
    'resume',
    'An earlier approval is not finished. Continue that one first, then change it.',
  ],
  proof_unknown: [
    'resume',
    'We do not know yet whether your wallet was registered. Continue to check.',
  ],
  proof_refused: [
    'resume',
    'Your wallet was not registered. Continue to try again, or contact us.',
  ],
  limit_not_updated: ['resume', 'Your new limit is not active yet. Continue later to check again.'],
  revocation_not_registered: [
    'resume',
    'Nothing can be spent any more. The card may still show the old limit.',
  ],
  spender_not_confirmed: ['retry', 'Something changed since you looked. Please start again.'],
};

const NOT_REGISTERED: Advice = [
  'resume',
  'Your wallet was not registered. Continue, or contact us.',
];
const STOPPED: Advice = ['resume', 'Stopped. If your wallet still asks, decline there.'];
const LOG_IN: Advice = ['retry', 'Please log in again, then continue.'];
const UNREACHABLE: Advice = ['retry', 'We cannot be reached right now. Continue in a moment.'];
const NOT_ALLOWED: Advice = ['contact', 'Your account cannot do this. Please contact us.'];
const MISCONFIGURED: Advice = ['contact', OUR_FAULT];
const REFUSED: Advice = ['contact', 'This was refused. Please contact us.'];
const UNCLEAR: Advice = [
  'contact',
  'We do not know whether this was done. Check before you try again, or contact us.',
];
const UNEXPECTED: Advice = ['contact', 'Something unexpected happened. Please contact us.'];

/** Errors of the client whose step does not follow from their outcome. */
const CLIENT_ADVICE: Readonly<Partial<Record<ErrorCode, Advice>>> = {
  not_authenticated: LOG_IN,
  otp_required: LOG_IN,
  session_ended: LOG_IN,
  session_mismatch: LOG_IN,
  session_not_renewed: UNREACHABLE,
  rate_limited: ['retry', 'There were too many attempts. Wait a moment, then continue.'],
  configuration_invalid: MISCONFIGURED,
  invalid_client_key: MISCONFIGURED,
  missing_client_key: MISCONFIGURED,
  tls_failed: MISCONFIGURED,
  not_authorized: NOT_ALLOWED,
  account_locked: NOT_ALLOWED,
  account_disabled: NOT_ALLOWED,
  user_not_verified: ['contact', 'Your identity is not verified yet. Finish that first.'],
};

/**
 * Returns one English sentence for the user about an error that a delegation or another call of this
 * package ended with. It contains nothing secret and no text of the service or a wallet.
 *
 * @example
 * ```ts
 * import { next, say } from 'card-platform-sdk/evm';
 *
 * function show(error: unknown): string {
 *   return next(error) === 'contact' ? `${say(error)} help@example.com` : say(error);
 * }
 * ```
 */
export function say(error: unknown): string {
  return adviceFor(error)[1];
}

/**
 * Returns what to offer the user after an error that a delegation or another call of this package
 * ended with.
 *
 * @example
 * ```ts
 * import { next } from 'card-platform-sdk/evm';
 *
 * const LABELS = {
 *   retry: 'Try again',
 *   resume: 'Continue',
 *   replace: 'Start over',
 *   contact: 'Contact us',
 * };
 *
 * function labelFor(error: unknown): string {
 *   return LABELS[next(error)];
 * }
 * ```
 */
export function next(error: unknown): NextStep {
  return adviceFor(error)[0];
}

function adviceFor(error: unknown): Advice {
  if (isChainError(error)) return adviceOfChain(error);
  const isUnderWay = delegationStateOf(error)?.approval !== undefined;
  if (!isCardPlatformError(error)) return isStop(error) || isUnderWay ? STOPPED : UNEXPECTED;
  const advice = adviceOfClient(error);
  if (!isUnderWay) return advice;
  // An approval that may be on the chain is continued, whatever has failed after it.
  return advice[0] === 'retry' ? ['resume', advice[1]] : NOT_REGISTERED;
}

function adviceOfChain(error: CardPlatformError & { code: ChainErrorCode }): Advice {
  const [step, sentence] = ADVICE[error.code];
  if (isChainError(error, 'approval_mismatch')) {
    if (error.approvedAmount !== undefined) {
      const words = `You approved ${error.approvedAmount} in your wallet. Continue to use that limit.`;
      return ['resume', words];
    }
    if (error.field === 'transaction') {
      return ['resume', 'We are still looking for your approval. Continue later.'];
    }
  }
  if (isChainError(error, 'state_mismatch')) return adviceOfState(error.fields);
  // An approval may have been sent, so it is not asked for again.
  const isUnderWay = error.outcome === 'unknown' && step !== 'contact';
  return [isUnderWay ? 'resume' : step, sentence];
}

const LIMIT = ['amount', 'allowance'];
const PLACE = ['address', 'network', 'currency', 'chainId', 'spender', 'mint', 'delegate'];

/** @param fields the fields of a saved state that differ from the request, or that are damaged */
function adviceOfState(fields: readonly string[]): Advice {
  if (fields.some((field) => LIMIT.includes(field))) return ADVICE.state_mismatch;
  if (fields.some((field) => PLACE.includes(field))) {
    return ['resume', 'This does not fit what you started. Use the same wallet and account.'];
  }
  // Nothing of a state that cannot be read can be continued.
  return ['replace', 'What was saved cannot be read. Check your wallet, then start again.'];
}

function adviceOfClient(error: CardPlatformError): Advice {
  const known = CLIENT_ADVICE[error.code];
  if (known !== undefined) return known;
  if (error.code === 'request_invalid') {
    const { issues = [] } = error as { issues?: readonly { path: string }[] };
    const isAmount = issues.some(({ path }) => path === 'amount' || path === 'cap');
    return isAmount ? ['retry', 'Please correct the amount.'] : MISCONFIGURED;
  }
  if (error.isRetryable || error.outcome === 'not_sent') return UNREACHABLE;
  if (error.outcome === 'rejected') return REFUSED;
  // A delegation looks before it sends anything again.
  if (delegationStateOf(error) !== undefined) return ['resume', UNREACHABLE[1]];
  return UNCLEAR;
}

/** Whether somebody stopped the call: with `AbortController`, or a signal that timed out. */
function isStop(error: unknown): boolean {
  const [name] = readable(Object(error), ['name']);
  return name === 'AbortError' || name === 'TimeoutError';
}

import {
  type CardPlatformError,
  type ChainErrorCode,
  type ErrorCode,
  isCardPlatformError,
  type NextStep,
} from '../errors/index.js';
import { readable } from './error-causes.js';
import { differenceOfState } from './flow-errors.js';
import { isChainError } from './is-chain-error.js';
import { delegationStateOf } from './state.js';

type Advice = readonly [next: NextStep, sentence: string];

const OUR_FAULT = 'Something went wrong on our side. Please try again later.';

/** One sentence for every code. A new code does not compile without one. */
const SENTENCES: Readonly<Record<ChainErrorCode, string>> = {
  user_rejected: 'You declined in your wallet. Continue when you are ready.',
  wrong_chain: 'Your wallet is on another network. Switch it, then continue.',
  signer_mismatch: 'Another account signed. Choose the account that you started with.',
  unsupported_signature: 'This kind of wallet is not supported yet. Use another one.',
  nonce_not_allowed: 'Something went wrong on our side. Please try again.',
  insufficient_funds: 'Your wallet lacks coins for the network fee. Add some, then continue.',
  approval_would_revert: 'This token cannot be approved with this wallet now.',
  token_decimals_differ: OUR_FAULT,
  spender_without_code: OUR_FAULT,
  wallet_failed: 'Your wallet reported an error. Open it, then continue.',
  prompt_timeout: 'Your wallet does not respond. Open it, check its connection, then continue.',
  chain_unreadable: 'The network cannot be read right now. Continue later: nothing is lost.',
  chain_config_unusable: OUR_FAULT,
  clock_unusable: 'Something went wrong in this page. Reload it, then continue.',
  approval_unknown: 'Check in your wallet whether an approval was sent, then continue.',
  approval_mismatch: 'Something else was approved. Revoke it in your wallet, and contact us.',
  allowance_raced: 'The limit was changed elsewhere. Check your wallet, then start again.',
  transaction_reverted: 'The approval failed, and the network fee was paid. Continue to try again.',
  transaction_replaced: 'You replaced the approval with something else. Continue to try again.',
  transaction_cancelled: 'You cancelled the approval. Continue to try again.',
  transaction_expired: 'The network was busy, and nothing was paid. Continue to approve again.',
  transaction_refused: 'The approval would have failed, so it was not sent. Please try again.',
  delegate_in_use: 'Another app may spend from this account. Replace it?',
  token_unusable: OUR_FAULT,
  token_account_unusable: 'This wallet cannot be used for this token.',
  confirmation_timeout: 'The network is slow. Continue later: nothing is lost.',
  delegation_token_expired: 'That took too long. Continue: you only sign once more.',
  delegation_in_progress: 'Finish the other delegation first, here or in another tab.',
  delegation_not_saved:
    'Your browser could not save the progress, so nothing was sent. Please try again.',
  state_mismatch: 'An earlier approval is not finished. Continue that one first, then change it.',
  proof_unknown: 'We do not know yet whether your wallet was registered. Continue to check.',
  proof_refused: 'Your wallet was not registered. Continue to try again, or contact us.',
  limit_not_updated: 'Your new limit is not active yet. Continue later to check again.',
  revocation_not_registered:
    'Nothing can be spent any more. The card may still show the old limit.',
  spender_not_confirmed: 'Something changed since you looked. Please start again.',
};

const SENTENCES_OF_STATE: Readonly<Record<ReturnType<typeof differenceOfState>, string>> = {
  limit: SENTENCES.state_mismatch,
  place: 'This does not fit what you started. Use the same wallet and account.',
  damaged: 'What was saved cannot be read. Check your wallet, then start again.',
};

const NOT_REGISTERED: Advice = [
  'resume',
  'Your wallet was not registered. Continue, or contact us.',
];
const STOPPED: Advice = ['resume', 'Stopped. If your wallet still asks, decline there.'];
/** Nothing was asked for that could be continued. */
const STOPPED_EARLY: Advice = ['retry', STOPPED[1]];
const UNEXPECTED: Advice = ['contact', 'Something unexpected happened. Please contact us.'];

const UNREACHABLE = 'We cannot be reached right now. Continue in a moment.';
const NOT_ALLOWED = 'Your account cannot do this. Please contact us.';

/** The sentence for each step after another call of this package. */
const BY_STEP: Readonly<Record<NextStep, string>> = {
  retry: UNREACHABLE,
  resume: UNREACHABLE,
  replace: 'This was refused. Please start again.',
  log_in: 'Please log in again, then continue.',
  look_up: 'We do not know whether this was done. Check before you try again, or contact us.',
  show_user: 'This was refused. Check what you entered, or contact us.',
  contact: OUR_FAULT,
  done: 'This was done. Do not send it again.',
};

/** Errors of the client for which there is more to say. */
const BY_CODE: Readonly<Partial<Record<ErrorCode, string>>> = {
  session_not_renewed: UNREACHABLE,
  rate_limited: 'There were too many attempts. Wait a moment, then continue.',
  not_authorized: NOT_ALLOWED,
  account_locked: NOT_ALLOWED,
  account_disabled: NOT_ALLOWED,
  user_not_verified: 'Your identity is not verified yet. Finish that first.',
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
 * ended with. That is `error.next`, with these exceptions:
 *
 * - `resume` for every error but a `ChainError` while an approval is under way.
 * - If the call was stopped: `retry` if the wallet was not asked for an approval before, otherwise
 *   `resume`, also for an error that has no state: after `start`, `getState` of `createDelegation` shows
 *   `retry` there.
 * - `retry` in place of the `look_up` of a call within a delegation, which looks by itself.
 * - Otherwise `contact` for an invalid option other than the amount, and for an error that is not of
 *   this package.
 *
 * @example
 * ```ts
 * import { next } from 'card-platform-sdk/evm';
 *
 * function labelFor(error: unknown): string {
 *   const step = next(error);
 *   if (step === 'log_in') return 'Log in';
 *   if (step === 'retry') return 'Try again';
 *   if (step === 'resume') return 'Continue';
 *   if (step === 'show_user') return 'Correct it';
 *   return step === 'replace' ? 'Start over' : 'Contact us';
 * }
 * ```
 */
export function next(error: unknown): NextStep {
  return adviceFor(error)[0];
}

function adviceFor(error: unknown): Advice {
  if (isChainError(error)) return [error.next, sentenceOfChain(error)];
  const state = delegationStateOf(error);
  const isUnderWay = state?.approval !== undefined;
  if (!isCardPlatformError(error)) {
    if (isUnderWay) return STOPPED;
    if (!isStop(error)) return UNEXPECTED;
    return state === undefined ? STOPPED : STOPPED_EARLY;
  }
  const advice = adviceOfClient(error);
  if (!isUnderWay) return advice;
  // An approval that may be on the chain is continued, whatever has failed after it.
  const [step, sentence] = advice;
  return step === 'retry' || step === 'log_in' ? ['resume', sentence] : NOT_REGISTERED;
}

function sentenceOfChain(error: CardPlatformError & { code: ChainErrorCode }): string {
  if (isChainError(error, 'approval_mismatch')) {
    const { approvedAmount, field } = error;
    if (approvedAmount !== undefined) {
      const then = error.next === 'resume' ? 'Continue to use that limit' : 'Please start again';
      return `You approved ${approvedAmount} in your wallet. ${then}.`;
    }
    if (field === 'transaction') return 'We are still looking for your approval. Continue later.';
  }
  if (isChainError(error, 'state_mismatch')) {
    // A server of an older version does not report them to a page.
    const { fields }: { fields?: readonly string[] } = error;
    if (fields !== undefined) return SENTENCES_OF_STATE[differenceOfState(fields)];
  }
  return SENTENCES[error.code];
}

function adviceOfClient(error: CardPlatformError): Advice {
  if (error.code === 'request_invalid') {
    const { issues = [] } = error as { issues?: readonly { path: string }[] };
    const isAmount = issues.some(({ path }) => path === 'amount' || path === 'cap');
    return isAmount ? [error.next, 'Please correct the amount.'] : ['contact', OUR_FAULT];
  }
  // A delegation looks before it sends anything again.
  const isLookedUp = error.next === 'look_up' && delegationStateOf(error) !== undefined;
  const step = isLookedUp ? 'retry' : error.next;
  return [step, BY_CODE[error.code] ?? BY_STEP[step]];
}

/** Whether somebody stopped the call: with `AbortController`, or a signal that timed out. */
function isStop(error: unknown): boolean {
  const [name] = readable(Object(error), ['name']);
  return name === 'AbortError' || name === 'TimeoutError';
}

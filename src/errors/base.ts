import type { ErrorCode } from './error-codes.js';

/**
 * The known effect of a failed call. Code that moves money must check it.
 *
 * - `not_sent`: the request provably never reached the service. Safe to send again.
 * - `rejected`: the service refused it. Nothing was done.
 * - `unknown`: the service may have acted on it. Look it up with `client.journal.reconcile` before you
 *   send it again.
 * - `executed`: the service said that it was done, and a later step failed, such as your own schema. Do
 *   not send it again.
 */
export type Outcome = 'not_sent' | 'rejected' | 'unknown' | 'executed';

/**
 * What to do after a failed call, or after a delegation that failed.
 *
 * - `retry`: make the same call again, after a moment. It can do no harm, and may help. A delegation:
 *   start again, once the user has done what `say(error)` says. Nothing is under way.
 * - `resume`: only after a delegation. Something may be under way or on the chain: continue, and no
 *   second approval is sent.
 * - `replace`: only after a delegation. Continuing does not help: start over with something else, such
 *   as another wallet, or a new approval in place of the one that is there.
 * - `log_in`: the user must log in again.
 * - `look_up`: it may have been done. Look before anybody tries again, as
 *   `client.journal.reconcile` does.
 * - `show_user`: it was refused, and nothing was done. The user can change something: correct a field,
 *   enter a code, add money.
 * - `contact`: neither the program nor the user can solve it: a wrong key, a missing permission, a
 *   response in an unknown form.
 * - `done`: the service said that it was done, and only a later step failed. Do not send it again.
 */
export type NextStep =
  | 'retry'
  | 'resume'
  | 'replace'
  | 'log_in'
  | 'look_up'
  | 'show_user'
  | 'contact'
  | 'done';

/** The facts of every error of this package. */
export type ErrorFacts = {
  /** A sentence about what happened. A value that the caller sent is in it only if the service repeats it. */
  message: string;
  /** Stable, machine-readable reason. */
  code: ErrorCode;
  /** The known effect of the call. */
  outcome: Outcome;
  /** Endpoint id, for example `card.freeze`; absent where no endpoint was involved. */
  operation?: string | undefined;
  /** How many requests were handed to the network for this call. */
  attempts?: number | undefined;
  /** The more likely effect behind an `unknown` outcome, if there is evidence for one. */
  probableOutcome?: Outcome | undefined;
  /** Advice to use in the message, where the advice for `outcome` would mislead. */
  advice?: string | undefined;
  /** The next step, where it does not follow from the other facts. */
  next?: NextStep | undefined;
  /**
   * Whether a proxy reported the failure: it happened between the proxy and the service, and the
   * message says so.
   */
  isBehindProxy?: boolean | undefined;
  /** Whether the call only reads, so that repeating it can do no harm. */
  isRead?: boolean | undefined;
  /** Whether the call logs in, so that a new login replaces it. */
  isLogin?: boolean | undefined;
  /** Whether the response was an HTML page of a server in front of the service. */
  isPage?: boolean | undefined;
  /** Whether the service itself refused. If a proxy did, its own message says what to change. */
  isOfService?: boolean | undefined;
  /** Whether the journal of the client has an entry of the call, which it can look up. */
  isRecorded?: boolean | undefined;
  /** Whether the same call may be sent again and may then succeed. */
  isRetryable?: boolean | undefined;
};

const BRAND = Symbol.for('card-platform-sdk.error');
const DOCS = 'https://unpkg.com/card-platform-sdk/docs/reference/error-catalogue.md';

/** Replaces the secrets of a call in the parts of its error that come from elsewhere. */
export type Redactor = {
  /** In a text of this package that may quote other texts. */
  readonly text: (text: string) => string;
  /** In a value of this package that may contain other texts. */
  readonly values: (value: unknown) => unknown;
  /** In JSON of the service, values under secret names included. */
  readonly json: (value: unknown) => unknown;
  /** In a thrown value: returns an error that is safe to keep. */
  readonly cause: (cause: unknown) => unknown;
};

/**
 * The method with which a call redacts the contents of the error that it throws. The symbol is in
 * the global registry, because the cause may be an error of the other module format.
 *
 * @internal
 */
export const REDACT: unique symbol = Symbol.for('card-platform-sdk.redact');

/** Fields with data of the service, under its own names. */
const NAMED: ReadonlySet<string> = new Set(['body', 'headers']);

/** Fields with values of this package only. A secret that looks like one must not change them. */
const CLOSED: ReadonlySet<string> = new Set([
  'name',
  'code',
  'operation',
  'outcome',
  'probableOutcome',
  'attempts',
  'isRetryable',
  'next',
  'status',
  'phase',
  'timeoutMs',
  'retryAfterMs',
  'page',
  'isPage',
  'isJson',
]);

const ADVICE: Record<Outcome, string> = {
  not_sent: 'Nothing reached the service, so nothing was done.',
  rejected: 'The service refused it, so nothing was done.',
  unknown: 'The service may have acted on it: check the current state before you try again.',
  executed: 'The service acted on it: do not send it again.',
};

/** The same for a withdrawal: whoever reads it asks about the money first. */
const MONEY_ADVICE: Record<Outcome, string> = {
  not_sent: 'Nothing reached the service, so no money moved.',
  rejected: 'The service refused it, so no money moved.',
  unknown:
    'Money may have moved: do not send it again. Look for the debit in the history: if it is missing, it may still appear. A client with a journal looks it up.',
  executed: 'Money moved: do not send it again.',
};

/** Codes of failures that are no refusal: with `rejected`, the refusal came before the failure. */
const NO_REFUSAL: ReadonlySet<ErrorCode> = new Set(['connection_failed', 'tls_failed', 'timeout']);

const RECORDED = 'journal.recover of this client looks up what became of it.';

/** The advice after an outcome that is not known. */
function adviceIfUnknown({ operation, isLogin, isRecorded }: ErrorFacts, next: NextStep): string {
  // A page does not know that a route of its server logs in.
  if (isLogin || next === 'log_in') {
    return 'Nobody knows whether the login was counted. Log in again, with a new one-time password if there was one.';
  }
  const isMoney = isWithdrawal(operation);
  if (isRecorded) {
    return `${isMoney ? 'Money may have moved' : 'The service may have acted on it'}: do not send it again. ${RECORDED}`;
  }
  return (isMoney ? MONEY_ADVICE : ADVICE).unknown;
}

const isWithdrawal = (operation: string | undefined) => operation?.endsWith('.withdraw') === true;

/** What the caller can do about a refusal, where it is not plain from the words of the service. */
const REMEDY: Partial<Record<ErrorCode, string>> = {
  otp_required: 'Send a code with auth.sendLoginOtp(error.otpRequest), then log in with otpCode.',
  invalid_credentials: 'Check e-mail address and password: failed logins can lock the account.',
  invalid_otp: 'Ask for the code again.',
  card_not_found: 'The user has no card: order one with card.order().',
  user_not_verified: 'Verify the identity first: user.startVerification().',
  user_already_has_card: 'Read it with card.status().',
  rate_limited: 'Wait before you try again: for error.retryAfterMs, if the service said how long.',
  invalid_network_or_currency:
    'Pass a network and a currency that belong together, as the service spells them.',
  insufficient_balance: 'Read the balance, and send a smaller amount.',
};

const READ_AGAIN = 'The call only reads, so reading again is safe.';
const LOG_IN_ADVICE = 'Log in again.';
const ONLY_READ = 'Nothing was changed: the call only reads.';

/** Who must act before another call can succeed, where the outcome does not say so. */
const LOG_IN: ReadonlySet<ErrorCode> = new Set([
  'not_authenticated',
  'session_ended',
  'session_mismatch',
  'oauth_refused',
]);

/** What a developer or the support of the service must change, by code. */
const CONTACT: Partial<Record<ErrorCode, string>> = {
  invalid_client_key: 'Check the client key.',
  missing_client_key: 'Set the client key.',
  not_authorized: 'This user or this client may not do it.',
  notification_service_not_configured: 'Ask the operator of the service to set up webhooks.',
  custodial_platform_required: 'Only custodial platforms have internal wallets.',
  no_phone_number: 'The user has no phone number that a code could be sent to.',
  configuration_invalid: '',
  tls_failed: '',
  response_invalid: '',
  response_too_large: '',
  body_unreadable: '',
  fetch_response_invalid: '',
  redirect_refused: '',
  pagination_stuck: '',
};

/** The only place where the facts of a failed call become a step. */
function stepAfter(facts: ErrorFacts): NextStep {
  const { code, outcome, isRead, isLogin, isRetryable, next, isPage } = facts;
  if (next !== undefined) return next;
  if (isRetryable) return 'retry';
  if (outcome === 'executed' && !isRead) return 'done';
  if (outcome === 'unknown' && !isRead) return isLogin ? 'log_in' : 'look_up';
  if (isPage) return 'contact';
  if (LOG_IN.has(code)) return 'log_in';
  return code in CONTACT ? 'contact' : 'show_user';
}

function effectOf({ code, operation, outcome, isRead }: ErrorFacts, next: NextStep): string {
  if (isRead) return next === 'retry' ? READ_AGAIN : ONLY_READ;
  const isMoney = isWithdrawal(operation);
  return outcome === 'rejected' && NO_REFUSAL.has(code)
    ? `The service had already refused the call, so ${isMoney ? 'no money moved' : 'nothing was done'}.`
    : (isMoney ? MONEY_ADVICE : ADVICE)[outcome];
}

function adviceOf(facts: ErrorFacts, next: NextStep): string {
  if (facts.advice !== undefined) return facts.advice;
  if (facts.isRead && next === 'log_in') return LOG_IN_ADVICE;
  if (!facts.isRead && facts.outcome === 'unknown') return adviceIfUnknown(facts, next);
  const isHelped = next === 'show_user' || facts.code === 'rate_limited';
  const remedy = isHelped && facts.outcome === 'rejected' && REMEDY[facts.code];
  const isContact = next === 'contact' && facts.isOfService !== false;
  const step = next === 'log_in' ? LOG_IN_ADVICE : isContact && CONTACT[facts.code];
  return [effectOf(facts, next), step, remedy].filter(Boolean).join(' ');
}

/**
 * The base of every error that this package throws.
 *
 * Its message says what happened, to which operation, whether it may have had an effect, and what
 * to do next. Neither the error nor its cause contains a credential. A value of the request is in it only if the
 * service repeats it, as a refusal of a field may.
 */
export class CardPlatformError extends Error {
  override readonly name: string = 'CardPlatformError';
  /** Stable, machine-readable reason, for example `card_already_frozen`. */
  readonly code: ErrorCode;
  /** Endpoint id, for example `wallets.credit.withdraw`; `undefined` outside a call. */
  readonly operation: string | undefined;
  /** The known effect of the call. */
  readonly outcome: Outcome;
  /** The more likely effect behind an `unknown` outcome, if there is evidence for one. */
  readonly probableOutcome: Outcome | undefined;
  /**
   * How many requests were handed to the network for this call; 0 when none was. An error of a session counts
   * none.
   */
  readonly attempts: number;
  /**
   * Whether you can make the same call again without harm, and it may then succeed. `true` if the
   * failure may be temporary, and the call did nothing, only reads, has the same effect when it is
   * sent twice, or at most leaves another short-lived token or URL. `false` wherever money might
   * move a second time, and where the endpoint is not retried after such a failure because the first
   * request may have had an effect: a card token or verification session may have been issued unseen, a
   * consent created, or a card frozen that somebody has unfrozen since.
   */
  readonly isRetryable: boolean;
  /**
   * What to do next. After a call, `retry` exactly where `isRetryable` is `true`. After a delegation,
   * `next(error)` of `/evm` and `/solana` says the same, and also knows whether an approval is under way
   * when the service failed.
   */
  readonly next: NextStep;

  constructor(facts: ErrorFacts, cause?: unknown) {
    const where = facts.operation === undefined ? '' : `${facts.operation}: `;
    const next = stepAfter(facts);
    const advice = facts.operation === undefined ? '' : ` ${adviceOf(facts, next)}`;
    const hop = facts.isBehindProxy === true ? 'between the proxy and the service: ' : '';
    super(`${where}${hop}${facts.message}${advice}`, cause === undefined ? undefined : { cause });
    this.code = facts.code;
    this.operation = facts.operation;
    this.outcome = facts.outcome;
    this.probableOutcome = facts.probableOutcome;
    this.attempts = facts.attempts ?? 0;
    this.isRetryable = facts.isRetryable ?? false;
    this.next = next;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /**
   * Replaces secrets in everything that this error contains: message, stack, causes and fields,
   * also those behind getters. A subclass extends it for its private fields.
   *
   * @internal
   */
  [REDACT](redactor: Redactor): void {
    const define = (name: string, value: unknown) =>
      Object.defineProperty(this, name, { value, writable: true, configurable: true });
    define('message', redactor.text(this.message));
    define('stack', redactor.text(this.stack ?? ''));
    if (this.cause !== undefined) define('cause', redactor.cause(this.cause));
    for (const [name, value] of Object.entries(this)) {
      if (CLOSED.has(name) || value === undefined) continue;
      const redacted = NAMED.has(name) ? redactor.json(value) : redactor.values(value);
      Reflect.set(this, name, Object.isFrozen(value) ? Object.freeze(redacted) : redacted);
    }
  }

  /** Address of the documentation of this `code`. */
  get docsUrl(): string {
    return `${DOCS}#${this.code}`;
  }

  /**
   * The facts as plain data, for logs. It contains no credential, and a value of the request only if the
   * service repeats it.
   *
   * @example
   * ```ts
   * const { error } = await userClient.card.freeze().safe();
   * console.log(JSON.stringify(error)); // for a log: it contains no secret
   * ```
   */
  toJSON(): Record<string, unknown> {
    return {
      name: this.name,
      code: this.code,
      message: this.message,
      operation: this.operation,
      outcome: this.outcome,
      next: this.next,
      ...(this.probableOutcome !== undefined && { probableOutcome: this.probableOutcome }),
      attempts: this.attempts,
      isRetryable: this.isRetryable,
      docsUrl: this.docsUrl,
    };
  }
}

/**
 * Whether a value is an error of this package. Works across its ESM and CommonJS copies, where
 * `instanceof` fails.
 *
 * @example
 * ```ts
 * import { isCardPlatformError } from 'card-platform-sdk';
 *
 * function mayRetry(error: unknown): boolean {
 *   return isCardPlatformError(error) && error.outcome === 'not_sent';
 * }
 * ```
 */
export function isCardPlatformError(error: unknown): error is CardPlatformError {
  try {
    return typeof error === 'object' && error !== null && BRAND in error;
  } catch {
    // A proxy may throw on every access.
    return false;
  }
}

import { BUSINESS_ERRORS } from '../../contract/business-errors.js';
import { isObject } from '../../contract/formats/is-object.js';
import { RECOGNISED_ERRORS, type RefusalCode } from '../../contract/recognised-errors.js';
import type {
  CardPlatformError,
  ErrorCode,
  NextStep,
  Outcome,
  TimeoutPhase,
} from '../../errors/index.js';
import type { ResponseHeaders } from './http-response.js';
import type { SecretValues } from './redact.js';

/** The member of a response body in which a proxy of `card-platform-sdk/server` reports an error. */
export const REPORT = 'cardPlatformError';

const OUTCOMES: readonly Outcome[] = ['not_sent', 'rejected', 'unknown', 'executed'];

/** Returns the value if it is an outcome. */
function outcomeIn(value: unknown): Outcome | undefined {
  return OUTCOMES.find((outcome) => outcome === value);
}

/** What a code belongs to, and so the class of its error. */
export type CodeKind =
  | 'refusal'
  | 'status'
  | 'rejected'
  | 'connection'
  | 'protocol'
  | 'timeout'
  | 'input'
  | 'configuration'
  | 'paging'
  | 'webhook'
  | 'chain'
  | 'session'
  | 'oauth'
  | 'client';

const kinds = <Kind extends CodeKind, const Codes extends readonly string[]>(
  kind: Kind,
  ...codes: Codes
) => Object.fromEntries(codes.map((code) => [code, kind])) as Record<Codes[number], Kind>;

/** Every code but the refusals, which the contract lists. The compiler asks for each. */
const KINDS: Readonly<Record<Exclude<ErrorCode, RefusalCode>, CodeKind>> = {
  ...kinds('status', 'otp_required', 'bad_request', 'not_found', 'conflict', 'validation_failed'),
  ...kinds('status', 'rate_limited', 'invalid_client_key', 'missing_client_key', 'server_error'),
  ...kinds('status', 'api_error'),
  ...kinds('rejected', 'operation_rejected'),
  ...kinds('connection', 'connection_failed', 'tls_failed'),
  ...kinds('protocol', 'response_invalid', 'response_too_large', 'body_unreadable'),
  ...kinds('protocol', 'fetch_response_invalid', 'redirect_refused'),
  ...kinds('timeout', 'timeout'),
  ...kinds('input', 'request_invalid'),
  ...kinds('configuration', 'configuration_invalid'),
  ...kinds('paging', 'pagination_stuck'),
  ...kinds('client', 'journal_failed', 'mutation_restored'),
  ...kinds('webhook', 'webhook_body_not_raw', 'webhook_body_too_large', 'webhook_header_missing'),
  ...kinds('webhook', 'webhook_timestamp_invalid', 'webhook_timestamp_outside_tolerance'),
  ...kinds('webhook', 'webhook_signature_invalid', 'webhook_payload_invalid'),
  ...kinds('session', 'session_ended', 'session_not_renewed', 'session_store_failed'),
  ...kinds('session', 'session_mismatch'),
  ...kinds('oauth', 'oauth_refused', 'oauth_state_mismatch', 'oauth_redirect_invalid'),
  ...kinds('oauth', 'oauth_redirect_error'),
  ...kinds('chain', 'user_rejected', 'wrong_chain', 'signer_mismatch', 'unsupported_signature'),
  ...kinds('chain', 'nonce_not_allowed', 'insufficient_funds', 'approval_would_revert'),
  ...kinds('chain', 'token_decimals_differ', 'spender_without_code', 'wallet_failed'),
  ...kinds('chain', 'prompt_timeout', 'chain_unreadable', 'chain_config_unusable'),
  ...kinds('chain', 'clock_unusable', 'approval_unknown', 'approval_mismatch'),
  ...kinds('chain', 'allowance_raced', 'transaction_reverted', 'transaction_replaced'),
  ...kinds('chain', 'transaction_cancelled', 'transaction_expired', 'transaction_refused'),
  ...kinds('chain', 'delegate_in_use', 'token_unusable', 'token_account_unusable'),
  ...kinds('chain', 'confirmation_timeout', 'delegation_token_expired', 'delegation_in_progress'),
  ...kinds(
    'chain',
    'state_mismatch',
    'delegation_not_saved',
    'proof_unknown',
    'proof_refused',
    'limit_not_updated',
  ),
  ...kinds('chain', 'revocation_not_registered', 'spender_not_confirmed'),
};

/** What a code belongs to; `undefined` for a text that is not a code of this package. */
export function kindOfCode(code: string): CodeKind | undefined {
  if (Object.hasOwn(KINDS, code)) return KINDS[code as keyof typeof KINDS];
  const isRefusal =
    Object.hasOwn(BUSINESS_ERRORS, code) || RECOGNISED_ERRORS.some((rule) => rule.code === code);
  return isRefusal ? 'refusal' : undefined;
}

const PHASES: readonly unknown[] = [
  'credentials',
  'journal',
  'middleware',
  'connect',
  'headers',
  'body',
  'schema',
  'backoff',
  'polling',
] satisfies TimeoutPhase[];

// A record, so that the compiler asks for each step.
const STEPS: Readonly<Record<NextStep, true>> = {
  retry: true,
  resume: true,
  replace: true,
  log_in: true,
  look_up: true,
  show_user: true,
  contact: true,
  done: true,
};

/** Returns the value if it is a step. */
function stepIn(value: unknown): NextStep | undefined {
  return typeof value === 'string' && Object.hasOwn(STEPS, value) ? (value as NextStep) : undefined;
}

const MOST = 50;

/** Reads one field as it may be on the wire; `undefined` where it has another form. */
type Read<T> = (value: unknown, secrets: SecretValues) => T | undefined;

const text =
  (length: number): Read<string> =>
  (value, secrets) =>
    typeof value === 'string' ? secrets.clean(value, length) : undefined;

const number =
  (least: number, most: number): Read<number> =>
  (value) =>
    Number.isFinite(value) && Number(value) >= least && Number(value) <= most
      ? Number(value)
      : undefined;

const flag: Read<true> = (value) => (value === true ? value : undefined);

/** An array of objects that have exactly these texts. */
const list =
  <Name extends string>(
    lengths: Readonly<Record<Name, number>>,
  ): Read<readonly Record<Name, string>[]> =>
  (value, secrets) => {
    if (!Array.isArray(value)) return undefined;
    const names = Object.keys(lengths) as Name[];
    return value.slice(0, MOST).flatMap((one: unknown) => {
      const texts = names.map((name) => text(lengths[name])(Object(one)[name], secrets));
      if (texts.some((each) => each === undefined)) return [];
      return [Object.fromEntries(names.map((name, index) => [name, texts[index]]))];
    }) as Record<Name, string>[];
  };

const texts: Read<readonly string[]> = (value, secrets) =>
  Array.isArray(value)
    ? value.slice(0, MOST).flatMap((one: unknown) => text(300)(one, secrets) ?? [])
    : undefined;

const named: Read<Readonly<Record<string, string>>> = (value, secrets) =>
  isObject(value) && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .slice(0, 10)
          .flatMap(([name, one]) =>
            typeof one === 'string' ? [[secrets.clean(name, 200), secrets.clean(one, 200)]] : [],
          ),
      )
    : undefined;

/**
 * The fields of errors that travel from a server to a page, beside `name`, `code`, the outcomes and
 * `isRetryable`. This table is their only definition: the server writes with it, and the page reads
 * with it. Everything else stays on the server: bodies, headers, causes and messages of the log.
 */
const FIELDS = {
  next: stepIn,
  status: number(100, 599),
  serverMessage: text(500),
  serverCode: text(100),
  fieldErrors: list({ field: 100, message: 300 }),
  details: texts,
  requestId: text(200),
  retryAfterMs: number(0, Number.MAX_SAFE_INTEGER),
  userId: text(200),
  phoneNumber: text(200),
  evidence: named,
  issues: list({ path: 300, message: 300 }),
  phase: ((value) => (PHASES.includes(value) ? value : undefined)) as Read<TimeoutPhase>,
  timeoutMs: number(0, Number.MAX_SAFE_INTEGER),
  option: text(60),
  page: number(0, Number.MAX_SAFE_INTEGER),
  reason: text(60),
  transactionId: text(120),
  fields: texts,
  field: text(60),
  expected: text(100),
  actual: text(100),
  approvedAmount: text(100),
  registeredAmount: text(100),
  accountKind: text(60),
  delegate: text(120),
  delegatedAmount: text(100),
  redirectError: text(60),
  isPage: flag,
  isJson: flag,
};

type Fields = {
  -readonly [Name in keyof typeof FIELDS]?: (typeof FIELDS)[Name] extends Read<infer T> ? T : never;
};

/** An error as it travels. */
export type ErrorReport = Fields & {
  /** Name of the class. */
  name: string;
  code: ErrorCode;
  outcome: Outcome;
  probableOutcome?: Outcome;
  isRetryable: boolean;
};

const CLASS_NAME = /^[A-Z][A-Za-z0-9]{2,59}$/;

/** Reads the fields that travel from an error, or from its report. */
function fieldsOf(from: object, secrets: SecretValues, left: readonly string[]): Fields {
  const read = Object.entries(FIELDS)
    .filter(([name]) => !left.includes(name))
    .map(([name, reader]) => [name, reader(Reflect.get(from, name), secrets)]);
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

/** Reads a report, or an error as one. `undefined` where it has an unknown code or no outcome. */
function read(
  from: object,
  secrets: SecretValues,
  left: readonly string[] = [],
): ErrorReport | undefined {
  const { name, code, outcome: given, probableOutcome, isRetryable } = from as Partial<ErrorReport>;
  const outcome = outcomeIn(given);
  const probably = outcomeIn(probableOutcome);
  if (typeof name !== 'string' || !CLASS_NAME.test(name)) return undefined;
  if (typeof code !== 'string' || kindOfCode(code) === undefined) return undefined;
  if (outcome === undefined) return undefined;
  return {
    ...fieldsOf(from, secrets, left),
    name,
    code,
    outcome,
    ...(probably !== undefined && { probableOutcome: probably }),
    isRetryable: isRetryable === true,
  };
}

/**
 * Returns what travels of an error to a page.
 *
 * @param left - fields that the page must not see
 */
export function reportOf(
  error: CardPlatformError,
  secrets: SecretValues,
  left: readonly (keyof Fields)[],
): ErrorReport | undefined {
  return read(error, secrets, left);
}

/** Who sent an error response to a page, as far as its body shows it. */
export type Reported = {
  /**
   * `service`: it is the error of a call that the server made. `proxy`: the proxy refused the request of
   * the page itself. `server`: your own code, or nothing shows it: another route, or a server in front of
   * the proxy.
   */
  readonly by: 'service' | 'proxy' | 'server';
  /** Of the error of a call. */
  readonly report?: ErrorReport;
  /** The step after the failure. An older server does not report it. */
  readonly next?: NextStep | undefined;
};

/** The body that marks a refusal of the proxy itself. */
export const REFUSED_BY_PROXY = { by: 'proxy' } as const;

/** What the body reports of a call that your own code ended with an error of its own. */
export const endedByServer = (next: NextStep) => ({ by: 'server', next }) as const;

/** Reads who sent an error response to a page. What is forged or unknown says nothing. */
export function readReport(body: unknown, secrets: SecretValues): Reported {
  const found = isObject(body) ? body[REPORT] : undefined;
  if (!isObject(found)) return { by: 'server' };
  if (found['by'] === REFUSED_BY_PROXY.by) return REFUSED_BY_PROXY;
  const report = read(found, secrets);
  return report === undefined
    ? { by: 'server', next: stepIn(found['next']) }
    : { by: 'service', report, next: report.next };
}

/** The header in which a proxy of `card-platform-sdk/server` reports the outcome of a failed call. */
export const OUTCOME_HEADER = 'x-card-platform-outcome';

/**
 * The outcome that a proxy reports. Only a client with `throughProxy` reads it, and never retries
 * because of it. A forged header adds no risk: whoever can forge it can also forge a refusal, which looks
 * the same to the user, and only the user could then send the request again.
 */
export function reportedOutcome(headers: Pick<ResponseHeaders, 'get'>): Outcome | undefined {
  return outcomeIn(headers.get(OUTCOME_HEADER));
}

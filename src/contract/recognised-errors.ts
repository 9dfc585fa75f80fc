import type { BusinessErrorCode } from './business-errors.js';
import type { EndpointId } from './endpoints.js';
import { type DocumentedRefusal, statedRefusal } from './refusals.js';

/** Code of a refusal that the contract describes without a message. */
export type RecognisedErrorCode =
  | 'invalid_credentials'
  | 'invalid_otp'
  | 'account_locked'
  | 'account_disabled'
  | 'user_not_verified'
  | 'webhook_limit_reached'
  | 'consent_set_exists'
  | 'consent_already_linked'
  | 'consent_set_not_found'
  | 'no_credit_wallet';

/** Code of any refusal that is known by name. */
export type RefusalCode = BusinessErrorCode | RecognisedErrorCode;

/** When a refusal has a code. */
type RecognitionRule = {
  readonly code: RefusalCode;
  readonly endpoints: readonly EndpointId[] | '*';
  readonly statuses: readonly number[];
  /** The whole message, or the service's own code. Without `words` and `ownCode`, the status decides. */
  readonly words?: RegExp;
  /** The service's own code. Messages are not compared. */
  readonly ownCode?: RegExp;
  /** An input field that the call must have sent. */
  readonly withInput?: string;
};

const LOGIN = ['auth.login'] as const;
const LOGIN_REFUSED = [400, 401, 403] as const;
const CARD = [
  'card.status',
  'card.freeze',
  'card.unfreeze',
  'card.createDetailsToken',
  'card.createPinToken',
  'card.createSetPinToken',
  'card.transactions',
] as const;
const WEBHOOK = [
  'webhooks.update',
  'webhooks.rotateKey',
  'webhooks.delete',
  'webhooks.get',
  'webhooks.logs',
] as const;

/**
 * Refusals that the contract describes without their messages, each with a stable code. The first
 * rule that fits applies. The words occur in practice or are plausible. They are in lower case and
 * without punctuation. A message must match as a whole: a longer sentence may mean something else.
 */
export const RECOGNISED_ERRORS: readonly RecognitionRule[] = [
  {
    code: 'account_locked',
    endpoints: LOGIN,
    statuses: LOGIN_REFUSED,
    words:
      /^(?:(?:(?:the|this|your) )?(?:user )?(?:account|user)(?: has been| is| was)?(?: temporarily| currently)? locked(?: out)?(?: (?:due to|because of|after) too many (?:failed |invalid |wrong )?(?:login |password )?attempts)?|too many (?:failed|invalid|incorrect|unsuccessful) (?:login |sign in |password )?attempts)$/,
  },
  {
    code: 'account_disabled',
    endpoints: LOGIN,
    statuses: LOGIN_REFUSED,
    words:
      /^(?:(?:the|this|your) )?(?:user )?(?:account|user)(?: has been| is| was)?(?: temporarily| currently)? (?:disabled|deactivated|suspended|inactive|not active)$/,
  },
  {
    code: 'invalid_otp',
    endpoints: LOGIN,
    statuses: LOGIN_REFUSED,
    withInput: 'otpCode',
    words:
      /^(?:(?:invalid|wrong|incorrect|expired|invalid or expired) (?:otp|(?:otp |one time |verification |security |sms |login )(?:code|password|passcode|pin)|code)|(?:(?:the|this|your) )?(?:(?:provided|entered) )?(?:otp|(?:otp |one time |verification |security |sms |login )(?:code|password|passcode|pin)|code)(?: you entered)?(?: is| was| has)?(?: already)? (?:invalid|wrong|incorrect|expired|used|not valid|not correct|invalid or expired|mismatch|verification failed))$/,
  },
  {
    code: 'invalid_credentials',
    endpoints: LOGIN,
    statuses: LOGIN_REFUSED,
    words:
      /^(?:(?:invalid|wrong|incorrect|bad) (?:(?:login|user) )?(?:credentials?|(?:(?:email|email address|username|user name|login)(?: or| and)? )?password)|(?:(?:the|your) )?(?:credentials?|(?:(?:email|email address|username|user name|login)(?: or| and)? )?password)(?: you entered| provided)?(?: is| are| was| were)? (?:invalid|wrong|incorrect|not valid|not correct)|(?:user|account)(?: is| was)? (?:not found|does not exist)|no (?:such )?(?:user|account)(?: found)?)$/,
  },
  // In practice the response to a wrong code may also be a plain 401.
  { code: 'invalid_otp', endpoints: LOGIN, statuses: [401], withInput: 'otpCode' },
  {
    code: 'user_not_verified',
    endpoints: ['card.order', 'wallets.internal.withdraw'],
    statuses: [400, 403],
    words:
      /^(?:(?:(?:the|this|your) )?(?:user|account|customer|identity|user identity|user s identity)(?: is| has| was)? (?:not(?: yet)?(?: been)? verified(?: yet)?|unverified)|(?:(?:the|your) )?(?:user|identity|account|kyc)(?: must be verified| verification(?: is)? (?:required|not completed?)|(?: is)? not (?:completed?|approved)))$/,
  },
  {
    code: 'user_not_verified',
    endpoints: '*',
    statuses: [400, 403],
    ownCode: /^user not verified$/,
  },
  {
    code: 'webhook_limit_reached',
    endpoints: ['webhooks.create'],
    statuses: [400],
    words:
      /^(?:maximum webhook limit(?: \d{1,4})? (?:reached|exceeded)(?: for this tenant)?|(?:the )?(?:maximum|max)(?: number)?(?: of)?(?: \d{1,4})? webhooks?(?: configs?| configurations?| endpoints?)?(?: is| are| was| has been| have been)?(?: allowed| reached| exceeded)?(?: per tenant)?|webhooks? (?:limit|maximum|quota)(?: of \d{1,4})?(?: is| was| has been)? (?:reached|exceeded)|(?:you can (?:have|create) )?(?:at most|up to|only|no more than|a maximum of) \d{1,4} webhooks?(?: configs?| configurations?| endpoints?)?(?: are| can be)?(?: allowed| created)?(?: per tenant)?|(?:the )?limit of \d{1,4} webhooks?(?: is| was| has been)?(?: reached| exceeded)?|too many webhooks)$/,
  },
  { code: 'card_not_found', endpoints: CARD, statuses: [404] },
  { code: 'webhook_not_found', endpoints: WEBHOOK, statuses: [404] },
  {
    code: 'consent_set_not_found',
    endpoints: ['consent.linkUser', 'consent.getSet'],
    statuses: [404],
  },
  { code: 'consent_set_exists', endpoints: ['consent.createOnboarding'], statuses: [409] },
  { code: 'consent_already_linked', endpoints: ['consent.linkUser'], statuses: [409] },
  { code: 'no_credit_wallet', endpoints: ['wallets.credit.get'], statuses: [404] },
];

/** A refusal of the service, as it was read. */
export type Refusal = {
  readonly endpoint: { readonly id: string; readonly businessErrors: readonly DocumentedRefusal[] };
  /** `undefined` for `success: false` beside a success status. */
  readonly status: number | undefined;
  readonly texts: readonly string[];
  readonly serverCode: string | undefined;
  /** Whether the body has a form of the service, so that the status is its own and not a proxy's. */
  readonly isDocumentedForm: boolean;
  /** Returns whether the call sent an input field. */
  readonly hasInput: (name: string) => boolean;
};

/** A 404 of a router: the path is wrong, which says nothing about the user's data. */
const NO_ROUTE =
  /^(?:cannot (?:get|post|put|patch|delete)\b.*|no route .*|(?:(?:route|endpoint|path|page) )?not found)$/;

/** The words of a text, without prefixes, endings or punctuation that carry no meaning. */
function words(text: string): string {
  const spaced = text.slice(0, 300).replace(/([a-z])([A-Z])/g, '$1 $2');
  const plain = spaced.toLowerCase().replace(/[^a-z0-9]+/g, ' ');
  return plain
    .trim()
    .replace(/^error /, '')
    .replace(
      / (?:please )?(?:try again(?: later)?|contact support|request a new (?:one|code))$/,
      '',
    );
}

/** The words of a code; for a URI, as in RFC 9457, those of its last part. */
const codeWords = (code: string) => words(code.split(/[/#:]/).at(-1) ?? '');

function fits(
  rule: RecognitionRule,
  refusal: Refusal,
  texts: readonly string[],
  own: string,
): boolean {
  const { endpoint, status, isDocumentedForm, hasInput } = refusal;
  const isWorded = rule.words !== undefined || rule.ownCode !== undefined;
  if (rule.endpoints !== '*' && !rule.endpoints.some((id) => id === endpoint.id)) return false;
  if (status === undefined ? !isWorded : !rule.statuses.includes(status)) return false;
  if (rule.withInput !== undefined && !hasInput(rule.withInput)) return false;
  if (rule.ownCode?.test(own)) return true;
  if (isWorded) return [...texts, own].some((text) => rule.words?.test(text));
  return isDocumentedForm && !texts.some((text) => NO_ROUTE.test(text));
}

/**
 * Finds the code of a refusal: a message that the contract documents, the service's own code of the
 * same name, or a refusal that the contract describes without a message. It names what happened, and
 * never decides whether a request may be sent again.
 */
export function refusalCodeOf(refusal: Refusal): RefusalCode | undefined {
  const { endpoint, status = 400, serverCode = '' } = refusal;
  const stated = statedRefusal(refusal.texts, endpoint.businessErrors)?.code;
  if (stated !== undefined || status >= 500) return stated;
  const own = codeWords(serverCode);
  const texts = refusal.texts.map(words);
  return (
    endpoint.businessErrors.find(({ code }) => code.replaceAll('_', ' ') === own)?.code ??
    RECOGNISED_ERRORS.find((rule) => fits(rule, refusal, texts, own))?.code
  );
}

import { requireKnownOptions } from './check-options.js';
import { EVENT_ENVELOPES } from './event-envelope.js';

/**
 * The behaviours that the contract leaves open, or where the live service differs from it. A choice
 * applies to the whole platform; the statuses of a single user take precedence.
 */
export type MockChoices = {
  /** Status of a login that needs a one-time password. Default 400. */
  otpRequiredStatus: 400 | 200;
  /**
   * Whether that response has `userId` and `phoneNumber`. The contract shows the 400 without them.
   * Default `shown`.
   */
  otpRequest: 'shown' | 'absent';
  /** Status of a rejected one-time password; 200 asks for another one. Default 400. */
  otpRejectedStatus: 400 | 401 | 200;
  /** Status of a login with wrong credentials, or to a locked or disabled account. Default 400. */
  loginRejectedStatus: 400 | 401 | 403;
  /** A withdrawal without the memo that its network uses. Default `refused`. */
  missingMemo: 'refused' | 'accepted';
  /**
   * Whether logins and requests for a code are limited, with the header `Retry-After` or without it.
   * Default `off`.
   */
  loginRateLimit: 'off' | 'with-retry-after' | 'without-retry-after';
  /** Whether a custodial wallet pays only recipients of `allowedRecipients`. Default `any`. */
  recipients: 'any' | 'allowed-only';
  /** Whether a user who is not verified can withdraw from a custodial wallet. Default `anyone`. */
  withdrawals: 'anyone' | 'verified-only';
  /** Which responses about a consent set have `_links`. Default `documented`. */
  consentLinks: 'documented' | 'absent' | 'on-reads-too';
  /** Status of a card order when the user is not verified. Default 400. */
  notVerifiedStatus: 400 | 403;
  /** Whether the card status shows a card that is not provisioned yet. Default `shown`. */
  pendingCard: 'shown' | 'not-found';
  /** Whether a webhook that is created without `is_active` is active. Default `inactive`. */
  newWebhook: 'inactive' | 'active';
  /** The effect of a proof for a wallet that is already registered. Default `replaces-limit`. */
  secondApproval: 'replaces-limit' | 'refused';
  /** A proof whose signed message has expired. Default `accepted`, as in practice. */
  expiredMessage: 'accepted' | 'refused';
  /** A body without the header `Content-Type: application/json`. Default `refused`. */
  untypedBody: 'refused' | 'accepted';
  /** When a verification becomes `PENDING`. Default `on-submission`, as the contract documents. */
  verificationPending: 'on-submission' | 'on-session';
  /** Whether a new order has a `paymentConfig`. Default `shown`. */
  paymentConfig: 'shown' | 'absent';
  /** The fields around the data of an event. Default `vendor`: as on the vendor's pages. */
  eventEnvelope: 'vendor' | 'snake_case' | 'camelCase';
  /** Observed: the effect of a refresh token that is sent again. Default `ends-session`. */
  refreshTokenReuse: 'ends-session' | 'refused';
  /** Observed: status of a rejected code or refresh token. Default 401. */
  grantRejectedStatus: 401 | 400 | 403;
  /** Observed: whether the exchange checks its `redirect_uri`. Default `compared`. */
  redirectUri: 'compared' | 'unchecked';
  /** Observed: whether the lifetime of a refresh token is in the response. Default `shown`. */
  refreshTokenLifetime: 'shown' | 'null';
  /** Observed: status of a rejected code of a registration or a password reset. Default 400. */
  codeRejectedStatus: 400 | 422;
  /** Observed: where a response has the data for adding a card to a phone. Default `top`. */
  provisioningBody: 'top' | 'data';
};

type AllowedValues = { readonly [Name in keyof MockChoices]: readonly MockChoices[Name][] };

/** The values of each choice, the default first. */
const VALUES: AllowedValues = {
  otpRequiredStatus: [400, 200],
  otpRequest: ['shown', 'absent'],
  otpRejectedStatus: [400, 401, 200],
  loginRejectedStatus: [400, 401, 403],
  missingMemo: ['refused', 'accepted'],
  loginRateLimit: ['off', 'with-retry-after', 'without-retry-after'],
  recipients: ['any', 'allowed-only'],
  withdrawals: ['anyone', 'verified-only'],
  consentLinks: ['documented', 'absent', 'on-reads-too'],
  notVerifiedStatus: [400, 403],
  pendingCard: ['shown', 'not-found'],
  newWebhook: ['inactive', 'active'],
  secondApproval: ['replaces-limit', 'refused'],
  expiredMessage: ['accepted', 'refused'],
  untypedBody: ['refused', 'accepted'],
  verificationPending: ['on-submission', 'on-session'],
  paymentConfig: ['shown', 'absent'],
  eventEnvelope: EVENT_ENVELOPES,
  refreshTokenReuse: ['ends-session', 'refused'],
  grantRejectedStatus: [401, 400, 403],
  redirectUri: ['compared', 'unchecked'],
  refreshTokenLifetime: ['shown', 'null'],
  codeRejectedStatus: [400, 422],
  provisioningBody: ['top', 'data'],
};

/** The names of all choices. */
export const CHOICE_NAMES = Object.keys(VALUES) as (keyof MockChoices)[];

const isChoice = (name: string): name is keyof MockChoices => Object.hasOwn(VALUES, name);

/** The values that a choice has, the default first; none of an unknown one. */
export const valuesOf = (name: string): readonly unknown[] => (isChoice(name) ? VALUES[name] : []);

function checkChoice(name: string, value: unknown): void {
  requireKnownOptions('choices', { [name]: value }, CHOICE_NAMES);
  const values = valuesOf(name);
  if (values.includes(value)) return;
  throw new TypeError(`choices: ${name} must be one of ${values.join(', ')}`);
}

/**
 * Returns every choice: the given ones, and the default of the others.
 *
 * @throws TypeError for a name or a value that is not a choice
 */
export function choicesFrom(given: Partial<MockChoices> = {}): MockChoices {
  const chosen = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name, value] of chosen) checkChoice(name, value);
  const defaults = CHOICE_NAMES.map((name) => [name, VALUES[name][0]] as const);
  return Object.fromEntries([...defaults, ...chosen]) as MockChoices;
}

/**
 * Reads one choice from text, as forms and command lines contain it.
 *
 * @throws TypeError for a name or a value that is not a choice
 */
export function readChoice(name: string, text: string): Partial<MockChoices> {
  const value = valuesOf(name).find((one) => String(one) === text);
  checkChoice(name, value);
  return { [name]: value };
}

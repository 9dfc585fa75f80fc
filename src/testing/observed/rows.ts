import type { Credential, Endpoint } from '../../contract/endpoint.js';
import type { Fields } from '../../contract/field.js';
import {
  anyEmail,
  calendarDay,
  callingCode,
  codeChallenge,
  codeVerifier,
  decimalAmount,
  digits,
  flag,
  input,
  integer,
  list,
  maybe,
  nineDigits,
  notBlank,
  oneOf,
  otpCode,
  twoLetters,
  uuid,
  wholeNumberFrom,
} from '../../contract/fields.js';
import type { ObservedId } from '../observed-ids.js';
import { type PathPattern, toPathPattern } from '../path-pattern.js';
import { routeOf } from '../served-routes.js';
import { SIGN_IN_PATH } from './sign-in.js';
import { EVENT_STATUSES } from './webhook-events.js';

/** One observed call: its request line, its credentials and its fields. */
export type ObservedRow = {
  endpoint: Endpoint;
  pattern: PathPattern;
  /** Fields of query and body, by their names on the wire. */
  fields: Fields;
  /** The `grant_type` by which two calls at one path differ. */
  grant?: string | undefined;
};

type Extra = {
  credentials?: readonly Credential[];
  query?: Fields;
  body?: Fields;
  grant?: string;
  routing?: Endpoint['routing'];
};

function row(id: ObservedId, line: string, extra: Extra = {}): ObservedRow {
  const [method = '', path = ''] = line.split(' ');
  const { credentials = ['clientKey'], query = {}, body = {}, grant, routing = 'header' } = extra;
  return {
    endpoint: { ...routeOf(method, path), id, credentials, routing, query: Object.keys(query) },
    pattern: toPathPattern(path),
    fields: { ...query, ...body },
    grant,
  };
}

const SIGNED_IN: Extra = { credentials: ['clientKey', 'accessToken'] };

const CODE_GRANT = { grant_type: oneOf(['authorization_code']), code: notBlank };
const REFRESH = {
  body: { grant_type: oneOf(['refresh_token']), refresh_token: notBlank },
  grant: 'refresh_token',
};

const ADDRESS = {
  onboardingId: notBlank,
  addressLine1: notBlank,
  addressLine2: maybe(notBlank),
  city: notBlank,
  zip: notBlank,
};
const PHONE = {
  phoneCountryCode: callingCode,
  phoneNumber: digits,
  contactVerificationId: notBlank,
};

/** The calls that start and end a session, and those that reset a password. */
const SESSION_ROWS: readonly ObservedRow[] = [
  row('auth.oauth.initiate', 'GET /v1/auth/oauth/authorize/initiate', {
    query: {
      client_id: notBlank,
      redirect_uri: notBlank,
      response_type: oneOf(['code']),
      state: notBlank,
      code_challenge: codeChallenge,
      code_challenge_method: oneOf(['S256']),
      mode: maybe(notBlank),
    },
  }),
  row('auth.oauth.authorize', 'POST /v1/auth/oauth/authorize', {
    ...SIGNED_IN,
    body: { token: notBlank },
  }),
  row('auth.oauth.refresh', 'POST /v1/auth/oauth/token', REFRESH),
  row('auth.oauth.exchangeCode', 'POST /v1/auth/oauth/token', {
    body: { ...CODE_GRANT, code_verifier: codeVerifier, redirect_uri: notBlank },
  }),
  row('auth.oauth.revoke', 'DELETE /v1/auth/oauth/revoke', SIGNED_IN),
  row('auth.oauth2.authorizeUrl', `GET ${SIGN_IN_PATH}`, { credentials: [], routing: 'none' }),
  // The form of that page.
  row('auth.oauth2.authorizeUrl', `POST ${SIGN_IN_PATH}`, { credentials: [], routing: 'none' }),
  row('auth.oauth2.refresh', 'POST /v1/auth/oauth2/token', REFRESH),
  row('auth.oauth2.exchangeCode', 'POST /v1/auth/oauth2/token', {
    body: {
      ...CODE_GRANT,
      code_verifier: codeVerifier,
      redirect_uri: maybe(notBlank),
      client_id: maybe(notBlank),
    },
  }),
  row('auth.oauth2.revoke', 'POST /v1/auth/oauth2/revoke', {
    body: { token: notBlank, token_hint: oneOf(['access_token', 'refresh_token']) },
  }),
  row('auth.logout', 'POST /v1/auth/logout', SIGNED_IN),
  row('auth.passwordReset.request', 'POST /v1/auth/password/reset/request', {
    body: { email: anyEmail },
  }),
  row('auth.passwordReset.verify', 'POST /v1/auth/password/reset/verify', {
    body: { email: anyEmail, code: notBlank },
  }),
  row('auth.passwordReset.confirm', 'POST /v1/auth/password/reset/confirm', {
    body: { token: notBlank, password: notBlank, confirmPassword: notBlank },
  }),
];

const REGISTRATION_ROWS: readonly ObservedRow[] = [
  row('user.registration.settings', 'GET /v1/auth/settings'),
  row('user.registration.sendEmailCode', 'POST /v1/auth/register/email/send', {
    body: { email: anyEmail },
  }),
  row('user.registration.verifyEmail', 'POST /v1/auth/register/email/verify', {
    body: {
      email: anyEmail,
      password: notBlank,
      verificationCode: otpCode,
      contactVerificationId: notBlank,
      countryOfResidence: twoLetters,
      allowMarketing: flag,
      allowSms: flag,
      userExternalId: maybe(notBlank),
    },
  }),
  row('user.registration.sendPhoneCode', 'POST /v1/auth/register/phone/send', { body: PHONE }),
  row('user.registration.verifyPhone', 'POST /v1/auth/register/phone/verify', {
    body: { ...PHONE, onboardingId: notBlank, verificationCode: otpCode },
  }),
  row('user.registration.startVerification', 'POST /v1/auth/register/verification', {
    body: { onboardingId: notBlank },
  }),
  row('user.registration.submitPersonalDetails', 'POST /v1/auth/register/personal-details', {
    body: {
      onboardingId: notBlank,
      firstName: notBlank,
      lastName: notBlank,
      dateOfBirth: calendarDay,
      countryOfNationality: twoLetters,
      ssn: maybe(nineDigits),
    },
  }),
  row('user.registration.submitAddress', 'POST /v1/auth/register/address', {
    body: { ...ADDRESS, usState: maybe(twoLetters), isSameMailingAddress: maybe(flag) },
  }),
  row('user.registration.submitMailingAddress', 'POST /v1/auth/register/mailing-address', {
    body: { ...ADDRESS, usState: twoLetters },
  }),
  row('user.registration.get', 'GET /v1/auth/register', { query: { onboardingId: notBlank } }),
];

const PERIOD = { dateFrom: maybe(calendarDay), dateTo: maybe(calendarDay) };
const EVENTS: Extra = { credentials: ['accessToken'], routing: 'none' };

const APPLE = {
  leafCertificate: notBlank,
  intermediateCertificate: notBlank,
  nonce: notBlank,
  nonceSignature: notBlank,
};

const OTHER_ROWS: readonly ObservedRow[] = [
  row('consent.getByOnboarding', 'GET /v2/consent/onboarding/{onboardingId}'),
  row('consent.getByUser', 'GET /v2/consent/user/{userId}', { query: { full: maybe(notBlank) } }),
  row('wallets.external.getPriority', 'GET /v1/wallet/external/priority', SIGNED_IN),
  row('wallets.external.setPriority', 'PUT /v1/wallet/external/priority', {
    ...SIGNED_IN,
    body: { wallets: list(input({ id: integer, priority: integer })) },
  }),
  row('wallets.internal.setLinkedPriority', 'PUT /v1/wallet/internal/card_linked/priority', {
    ...SIGNED_IN,
    body: { wallets: list(input({ addressId: notBlank, priority: integer })) },
  }),
  row('wallets.reward.get', 'GET /v1/wallet/reward', SIGNED_IN),
  row('wallets.reward.estimateWithdrawal', 'GET /v1/wallet/reward/withdraw-estimation', SIGNED_IN),
  row('wallets.reward.withdraw', 'POST /v1/wallet/reward/withdraw', {
    ...SIGNED_IN,
    body: { amount: decimalAmount },
  }),
  row('card.cashback', 'GET /v1/card/cashback', SIGNED_IN),
  row('card.statement', 'GET /v1/card/transactions/statement', {
    ...SIGNED_IN,
    query: PERIOD,
  }),
  row('card.provisioning.apple', 'POST /v1/card/wallet/provision/apple', {
    ...SIGNED_IN,
    body: APPLE,
  }),
  row('card.provisioning.google', 'POST /v1/card/wallet/provision/google', SIGNED_IN),
  row('webhooks.events.list', 'GET /v1/webhooks/events', {
    ...EVENTS,
    query: { status: maybe(oneOf(EVENT_STATUSES)), limit: maybe(wholeNumberFrom(1, 100)) },
  }),
  row('webhooks.events.status', 'GET /v1/webhooks/events/{eventId}/status', EVENTS),
  row('webhooks.events.logs', 'GET /v1/webhooks/events/{eventId}/logs', EVENTS),
  row('webhooks.events.retry', 'POST /v1/webhooks/events/{eventId}/retry', {
    ...EVENTS,
    body: { webhookId: maybe(uuid) },
  }),
];

/** Every observed call. Of two that match a request, the first one is used. */
export const ROWS: readonly ObservedRow[] = [...SESSION_ROWS, ...REGISTRATION_ROWS, ...OTHER_ROWS];

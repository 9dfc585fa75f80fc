import { defineEndpoint } from '../define-endpoint.js';
import {
  codeChallenge,
  codeVerifier,
  maybe,
  notBlank,
  number,
  optional,
  returnUrl,
} from '../fields.js';
import { command, inputOf, inputWith, noInput, responseOf } from './schema.js';

/** The start of an OAuth session in API mode. */
export type InitiateOAuthInput = {
  /** One observed client sends its client key here. */
  clientId: string;
  /**
   * The address that a browser would return to: https, http on this machine, or a link to your app
   * such as `myapp://signed-in`. Pass the same one to the exchange.
   */
  redirectUri: string;
  /** A random string that only this attempt knows; one client uses 8 characters or more. */
  state: string;
  /** SHA-256 of the code verifier in base64url, without padding. */
  codeChallenge: string;
  /** Default `api`: without it the service redirects, which is refused. */
  mode?: string | undefined;
  /** Sent in the URL, as one client does. Never pass a real secret. Default: not sent. */
  clientSecret?: string | undefined;
};

/** A started OAuth session. */
export type InitiatedOAuth = {
  /** The token for {@link authorizeOAuth}, a JWT that is valid for 10 minutes. Prints redacted. */
  token: string;
  /** The hosted page, which API mode does not use. Prints redacted. */
  url?: string | null | undefined;
};

/** The login to turn into an OAuth session. */
export type AuthorizeOAuthInput = {
  /** The token of {@link initiateOAuth}. */
  token: string;
};

/** An authorization code. */
export type AuthorizedOAuth = {
  /** Single use. Prints redacted. */
  code: string;
  /** Compare it with the one that you sent: a difference must stop the login. Prints redacted. */
  state: string;
  /** Prints redacted. */
  url?: string | null | undefined;
};

/** The authorization code to exchange for tokens. */
export type ExchangeOAuthCodeInput = {
  code: string;
  /** 43 to 128 of `A-Z a-z 0-9 - . _ ~`: the text whose SHA-256 was the code challenge. */
  codeVerifier: string;
  /** As in {@link initiateOAuth}. */
  redirectUri: string;
};

/** The refresh token to exchange for new tokens. It may be used up even if no response arrives. */
export type RefreshOAuthInput = { refreshToken: string };

/** The tokens of an OAuth session, named as in the response. */
export type OAuthTokens = {
  /** Prints redacted. */
  access_token: string;
  /**
   * Lifetime of the access token in **seconds**, as a number or a text. OAuth allows a response
   * without it.
   */
  expires_in?: number | string | null | undefined;
  /**
   * Replaces the previous one: store both tokens together, at once. If it is absent, the previous
   * one stays valid. Prints redacted.
   */
  refresh_token?: string | null | undefined;
  /**
   * Lifetime of the refresh token in **seconds**, as a number or a text. If it is absent, the
   * lifetime is unknown.
   */
  refresh_token_expires_in?: number | string | null | undefined;
  token_type?: string | null | undefined;
};

const tokens = responseOf<OAuthTokens>({
  access_token: notBlank,
  // A refusal of the response would throw away tokens that replaced a spent refresh token.
  expires_in: maybe(number),
  refresh_token: maybe(notBlank),
  refresh_token_expires_in: maybe(number),
  token_type: maybe(notBlank),
});

/** GET /v1/auth/oauth/authorize/initiate (certainty high; the place of the secret low) */
export const initiateOAuth = defineEndpoint({
  id: 'auth.oauth.initiate',
  certainty: 'high',
  method: 'GET',
  path: '/v1/auth/oauth/authorize/initiate',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'issues-token',
  input: inputWith<
    InitiateOAuthInput,
    { responseType: 'code'; codeChallengeMethod: 'S256'; mode: 'api' }
  >(
    {
      clientId: notBlank,
      redirectUri: returnUrl,
      state: notBlank,
      codeChallenge,
      mode: optional(notBlank),
      clientSecret: optional(notBlank),
    },
    { responseType: 'code', codeChallengeMethod: 'S256', mode: 'api' },
  ),
  query: [
    'clientId',
    'redirectUri',
    'responseType',
    'state',
    'codeChallenge',
    'codeChallengeMethod',
    'mode',
    'clientSecret',
  ],
  wireNames: {
    clientId: 'client_id',
    redirectUri: 'redirect_uri',
    responseType: 'response_type',
    codeChallenge: 'code_challenge',
    codeChallengeMethod: 'code_challenge_method',
    clientSecret: 'client_secret',
  },
  output: responseOf<InitiatedOAuth>({ token: notBlank, url: maybe(notBlank) }),
  secretInputs: ['clientSecret', 'state'],
  secrets: ['token', 'url'],
});

/** POST /v1/auth/oauth/authorize (certainty high). Needs the access token of the login. */
export const authorizeOAuth = defineEndpoint({
  id: 'auth.oauth.authorize',
  certainty: 'high',
  method: 'POST',
  path: '/v1/auth/oauth/authorize',
  pageAccess: 'never',
  retry: 'never',
  isRecorded: false,
  input: inputOf<AuthorizeOAuthInput>({ token: notBlank }),
  output: responseOf<AuthorizedOAuth>({ code: notBlank, state: notBlank, url: maybe(notBlank) }),
  renewsToken: false,
  secretInputs: ['token'],
  secrets: ['code', 'state', 'url'],
  errors: [401, 403],
});

/** POST /v1/auth/oauth/token with a code (certainty high) */
export const exchangeOAuthCode = defineEndpoint({
  id: 'auth.oauth.exchangeCode',
  certainty: 'high',
  method: 'POST',
  path: '/v1/auth/oauth/token',
  pageAccess: 'never',
  credentials: ['clientKey'],
  retry: 'never',
  isRecorded: false,
  input: inputWith<ExchangeOAuthCodeInput, { grantType: 'authorization_code' }>(
    { code: notBlank, codeVerifier, redirectUri: returnUrl },
    { grantType: 'authorization_code' },
  ),
  wireNames: {
    grantType: 'grant_type',
    codeVerifier: 'code_verifier',
    redirectUri: 'redirect_uri',
  },
  output: tokens,
  secretInputs: ['code', 'codeVerifier'],
  secrets: ['access_token', 'refresh_token'],
  errors: [401, 403],
});

/** POST /v1/auth/oauth/token with a refresh token (certainty high) */
export const refreshOAuth = defineEndpoint({
  id: 'auth.oauth.refresh',
  certainty: 'high',
  method: 'POST',
  path: '/v1/auth/oauth/token',
  pageAccess: 'never',
  credentials: ['clientKey'],
  retry: 'never',
  isRecorded: false,
  input: inputWith<RefreshOAuthInput, { grantType: 'refresh_token' }>(
    { refreshToken: notBlank },
    { grantType: 'refresh_token' },
  ),
  wireNames: { grantType: 'grant_type', refreshToken: 'refresh_token' },
  output: tokens,
  secretInputs: ['refreshToken'],
  secrets: ['access_token', 'refresh_token'],
  errors: [400, 401, 403],
});

/** DELETE /v1/auth/oauth/revoke (certainty medium) */
export const revokeOAuth = defineEndpoint({
  id: 'auth.oauth.revoke',
  certainty: 'medium',
  method: 'DELETE',
  path: '/v1/auth/oauth/revoke',
  pageAccess: 'on-request',
  retry: 'idempotent',
  input: noInput,
  output: command,
  mayBeEmpty: true,
  renewsToken: false,
  resultWhenRetried: { 401: { resolvedByRetry: true } },
});

import { defineEndpoint } from '../define-endpoint.js';
import { codeVerifier, maybe, notBlank, number, oneOf, optional, returnUrl } from '../fields.js';
import { command, inputOf, inputWith, responseOf } from './schema.js';

/** The authorization code of the hosted page to exchange for tokens. */
export type ExchangeOAuth2CodeInput = {
  code: string;
  /** 43 to 128 of `A-Z a-z 0-9 - . _ ~`: the text whose SHA-256 was the code challenge. */
  codeVerifier: string;
  /** An interim build of one client sends it. Default: not sent. */
  clientId?: string | undefined;
  /** An interim build of one client sends it. Default: not sent. */
  redirectUri?: string | undefined;
};

/** The refresh token to exchange for new tokens. It may be used up even if no response arrives. */
export type RefreshOAuth2Input = { refreshToken: string };

/** The token to revoke. */
export type RevokeOAuth2Input = {
  token: string;
  /** The kind of the token. Not the `token_type_hint` of the standard. */
  tokenHint: 'access_token' | 'refresh_token';
};

/** The tokens of an OAuth 2 session, named as in the response. */
export type OAuth2Tokens = {
  /** Prints redacted. */
  access_token: string;
  /**
   * Lifetime of the access token in **seconds**, as a number or a text. OAuth allows a response
   * without it.
   */
  expires_in?: number | string | null | undefined;
  /**
   * Absent unless the scope contained `offline_access`. Replaces the previous one, which stays
   * valid if a refresh returns none. Prints redacted.
   */
  refresh_token?: string | null | undefined;
  token_type?: string | null | undefined;
  scope?: string | null | undefined;
  /** Prints redacted. */
  id_token?: string | null | undefined;
};

const tokens = responseOf<OAuth2Tokens>({
  access_token: notBlank,
  expires_in: maybe(number),
  refresh_token: maybe(notBlank),
  token_type: maybe(notBlank),
  scope: maybe(notBlank),
  id_token: maybe(notBlank),
});

/** POST /v1/auth/oauth2/token with a code (certainty medium) */
export const exchangeOAuth2Code = defineEndpoint({
  id: 'auth.oauth2.exchangeCode',
  certainty: 'medium',
  method: 'POST',
  path: '/v1/auth/oauth2/token',
  pageAccess: 'never',
  credentials: ['clientKey'],
  retry: 'never',
  isRecorded: false,
  input: inputWith<ExchangeOAuth2CodeInput, { grantType: 'authorization_code' }>(
    {
      code: notBlank,
      codeVerifier,
      clientId: optional(notBlank),
      redirectUri: optional(returnUrl),
    },
    { grantType: 'authorization_code' },
  ),
  wireNames: {
    grantType: 'grant_type',
    codeVerifier: 'code_verifier',
    clientId: 'client_id',
    redirectUri: 'redirect_uri',
  },
  output: tokens,
  secretInputs: ['code', 'codeVerifier'],
  secrets: ['access_token', 'refresh_token', 'id_token'],
});

/** POST /v1/auth/oauth2/token with a refresh token (certainty medium) */
export const refreshOAuth2 = defineEndpoint({
  id: 'auth.oauth2.refresh',
  certainty: 'medium',
  method: 'POST',
  path: '/v1/auth/oauth2/token',
  pageAccess: 'never',
  credentials: ['clientKey'],
  retry: 'never',
  isRecorded: false,
  input: inputWith<RefreshOAuth2Input, { grantType: 'refresh_token' }>(
    { refreshToken: notBlank },
    { grantType: 'refresh_token' },
  ),
  wireNames: { grantType: 'grant_type', refreshToken: 'refresh_token' },
  output: tokens,
  secretInputs: ['refreshToken'],
  secrets: ['access_token', 'refresh_token', 'id_token'],
});

/** POST /v1/auth/oauth2/revoke (certainty low) */
export const revokeOAuth2 = defineEndpoint({
  id: 'auth.oauth2.revoke',
  certainty: 'low',
  method: 'POST',
  path: '/v1/auth/oauth2/revoke',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'idempotent',
  input: inputOf<RevokeOAuth2Input>({
    token: notBlank,
    tokenHint: oneOf(['access_token', 'refresh_token']),
  }),
  wireNames: { tokenHint: 'token_hint' },
  output: command,
  mayBeEmpty: true,
  secretInputs: ['token'],
});

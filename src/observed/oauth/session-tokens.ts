import type { SignInOptions } from '../../sessions/index.js';
import { withSecrets } from './with-secrets.js';

/** The region that a user belongs to. */
export type Region = SignInOptions['region'];

/** Which path family issued the tokens: `/v1/auth/oauth` or `/v1/auth/oauth2`. */
export type OAuthFamily = 'oauth' | 'oauth2';

/**
 * Tokens for `sessions.signIn`. The tokens themselves are never printed, nor copied by `{ ...tokens }`:
 * name them.
 */
export type OAuthSessionTokens = {
  readonly accessToken: string;
  /** `undefined` if the scope did not contain `offline_access`. */
  readonly refreshToken: string | undefined;
  /** The user, if the login returned one. */
  readonly userId: string | undefined;
  /** Lifetime of the access token in milliseconds; `undefined` if the response had none. */
  readonly expiresIn: number | undefined;
  /** Lifetime of the refresh token in milliseconds; `undefined` means unknown. */
  readonly refreshExpiresIn: number | undefined;
  /**
   * The family that issued the tokens. The session keeps it, so that the same family refreshes and
   * revokes them.
   */
  readonly kind: OAuthFamily;
};

/** The tokens as the service sends them. Lifetimes are in seconds. */
type TokenResponse = {
  readonly access_token: string;
  readonly refresh_token?: unknown;
  readonly expires_in?: unknown;
  readonly refresh_token_expires_in?: unknown;
};

/** A lifetime that is not a number above zero, or its text, counts as unknown. */
function milliseconds(given: unknown): number | undefined {
  const isDigits = typeof given === 'string' && /^\d{1,13}(?:\.\d{1,9})?$/.test(given.trim());
  const seconds = isDigits ? Number(given) : given;
  const isKnown = typeof seconds === 'number' && seconds > 0 && seconds < 9e12;
  return isKnown ? seconds * 1000 : undefined;
}

/**
 * Reads the response of a grant. Only its access token is needed (RFC 6749, 5.1 and 6).
 *
 * @param sent - the refresh token of the request, which stays valid unless the response replaces it
 */
export function sessionTokens(
  response: TokenResponse,
  kind: OAuthFamily,
  userId?: string | undefined,
  sent?: string,
): OAuthSessionTokens {
  const { refresh_token: refreshToken } = response;
  const isReplaced = typeof refreshToken === 'string' && /\S/.test(refreshToken);
  return withSecrets(
    {
      userId,
      expiresIn: milliseconds(response.expires_in),
      refreshExpiresIn: milliseconds(response.refresh_token_expires_in),
      kind,
    },
    { accessToken: response.access_token, refreshToken: isReplaced ? refreshToken : sent },
  );
}

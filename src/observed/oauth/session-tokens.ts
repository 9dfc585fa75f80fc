import type { SignInOptions } from '../../sessions/index.js';
import { withSecrets } from './with-secrets.js';

/** The region that a user belongs to. */
export type Region = SignInOptions['region'];

/** Which path family issued the tokens: `/v1/auth/oauth` or `/v1/auth/oauth2`. */
export type OAuthFamily = 'oauth' | 'oauth2';

/** Tokens for `sessions.signIn`. The tokens themselves are never printed. */
export type OAuthSessionTokens = {
  readonly accessToken: string;
  /** Absent if the scope held no `offline_access`. */
  readonly refreshToken: string | undefined;
  /** The user, where the login named one. */
  readonly userId: string | undefined;
  /** Lifetime of the access token in milliseconds; `undefined` if the response had none. */
  readonly expiresIn: number | undefined;
  /** Lifetime of the refresh token in milliseconds; `undefined` means unknown. */
  readonly refreshExpiresIn: number | undefined;
  /** The family, which the session keeps: it is refreshed and revoked where it began. */
  readonly kind: OAuthFamily;
};

/** The tokens as the service sends them. Lifetimes are in seconds. */
type TokenResponse = {
  readonly access_token: string;
  readonly refresh_token?: string | null | undefined;
  readonly expires_in?: unknown;
  readonly refresh_token_expires_in?: unknown;
};

/** A lifetime that is not above zero counts as unknown. */
function milliseconds(seconds: unknown): number | undefined {
  const isKnown = typeof seconds === 'number' && seconds > 0 && seconds < 9e12;
  return isKnown ? seconds * 1000 : undefined;
}

/** Reads the response of a grant. */
export function sessionTokens(
  response: TokenResponse,
  kind: OAuthFamily,
  userId?: string | undefined,
): OAuthSessionTokens {
  return withSecrets(
    {
      userId,
      expiresIn: milliseconds(response.expires_in),
      refreshExpiresIn: milliseconds(response.refresh_token_expires_in),
      kind,
    },
    { accessToken: response.access_token, refreshToken: response.refresh_token ?? undefined },
  );
}

import { logout } from '../../contract/observed/logout.js';
import { revokeOAuth } from '../../contract/observed/oauth.js';
import { revokeOAuth2 } from '../../contract/observed/oauth2.js';
import { call, isApiError, type Sender } from '../../endpoints/index.js';
import type { SignedOutTokens } from '../../sessions/index.js';

/** Rethrows every error but a 401: a token that the service refuses is dead already. */
function unlessDead(error: unknown): void {
  const isRefused = isApiError(error) && error.status === 401 && error.outcome === 'rejected';
  if (!isRefused || error.isPage) throw error;
}

/**
 * Returns a function for `sessions.signOut` that ends the tokens of a session at the service, in
 * the region and through the path family that issued them. `createSessions` ends the session on the
 * device first, so the user is logged out even if this fails. A 401 counts as done, except for `oauth2`, whose
 * call carries no bearer token.
 *
 * Endpoints: `DELETE /v1/auth/oauth/revoke` (vendor page, certainty medium; ends **all** tokens of your
 * client for this user), twice `POST /v1/auth/oauth2/revoke` (one interim build, certainty low), or
 * `POST /v1/auth/logout` for a plain login (two clients and the vendor page, certainty high).
 *
 * @experimental
 * @example
 * ```ts
 * import { revokeSession } from 'card-platform-sdk/observed';
 * import type { Sessions } from 'card-platform-sdk/sessions';
 *
 * declare const sessions: Sessions;
 *
 * await sessions.signOut(revokeSession(client));
 * ```
 */
export function revokeSession(client: Sender): (tokens: SignedOutTokens) => Promise<void> {
  return async ({ accessToken, refreshToken, region, kind }) => {
    if (kind !== 'oauth2') {
      const endpoint = kind === 'oauth' ? revokeOAuth : logout;
      // A token that is passed as a string is never renewed: a 401 must not start another session.
      await call(client, endpoint, {}, { region, accessToken }).then(undefined, unlessDead);
      return;
    }
    const revoke = (token: string, tokenHint: 'access_token' | 'refresh_token') =>
      call(client, revokeOAuth2, { token, tokenHint }, { region });
    const results = await Promise.allSettled([
      revoke(accessToken, 'access_token'),
      ...(refreshToken === undefined ? [] : [revoke(refreshToken, 'refresh_token')]),
    ]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  };
}

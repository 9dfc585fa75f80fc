import { ok, textOf } from '../behaviour.js';
import { findSession } from '../credentials.js';
import { endGrant, issueCode, issueTokens, redirectTo } from './grants.js';
import { newJwt } from './jwt.js';
import { exchangeCode, refreshGrant } from './oauth-tokens.js';
import { isAt, type ObservedBehaviours, type ObservedCall, oauthError } from './observed-call.js';
import type { MockOAuthGrant } from './state.js';

/** All sources agree on it. */
const SESSION_TOKEN_LIFETIME_MS = 10 * 60_000;

/** Whether an id names the client of a request. Clients send their client key. */
function isClient({ state, tenant }: ObservedCall, clientId: string): boolean {
  return state.tenants.some(
    (one) => one.name === tenant && [one.clientKey, one.clientId].includes(clientId),
  );
}

function tokenResponse(call: ObservedCall, grant: MockOAuthGrant) {
  const { tokens, refreshTokenLifetime } = issueTokens(call, grant);
  return ok({ ...tokens, refresh_token_expires_in: refreshTokenLifetime });
}

/** The OAuth calls of the family whose clients collect the login themselves. */
export const oauthBehaviours: ObservedBehaviours = {
  'auth.oauth.initiate': (call) => {
    const { observed, clock, place, baseUrl, input } = call;
    const clientId = textOf(call, 'client_id');
    if (!isClient(call, clientId)) {
      return oauthError(400, 'invalid_client', 'client_id is not known');
    }
    const token = newJwt(call, SESSION_TOKEN_LIFETIME_MS, { client_id: clientId });
    observed.authorizations.push({
      ...place,
      family: 'oauth',
      token,
      clientId,
      redirectUri: textOf(call, 'redirect_uri'),
      state: textOf(call, 'state'),
      scope: '',
      codeChallenge: textOf(call, 'code_challenge'),
      expiresAt: clock.now() + SESSION_TOKEN_LIFETIME_MS,
      code: null,
      userId: null,
      isUsed: false,
    });
    const url = `${baseUrl}/oauth/login?token=${token}`;
    // Without the mode, the user would sign in on a hosted page, which no client uses.
    if (input['mode'] !== 'api')
      return { status: 302, body: undefined, headers: { location: url } };
    return ok({ token, url });
  },

  'auth.oauth.authorize': (call) => {
    const { observed, clock, user, headers, state } = call;
    const session = findSession(headers, state)?.accessToken ?? '';
    if (observed.grants.some(({ accessTokens }) => accessTokens.includes(session))) {
      return oauthError(401, 'login_required', 'This needs the access token of a login');
    }
    const token = textOf(call, 'token');
    const found = observed.authorizations.find((one) => one.token === token && isAt(call, one));
    if (found === undefined || found.code !== null || found.expiresAt <= clock.now()) {
      return oauthError(401, 'invalid_request', 'The session token is unknown, used or expired');
    }
    const code = issueCode(call, found, user.id);
    // From now on, the client has permission on the account.
    user.isLinked = true;
    const { redirectUri, state: given } = found;
    return ok({ code, state: given, url: redirectTo(redirectUri, { code, state: given }) });
  },

  'auth.oauth.exchangeCode': exchangeCode('oauth', tokenResponse),
  'auth.oauth.refresh': refreshGrant('oauth', tokenResponse),

  'auth.oauth.revoke': (call) => {
    const { observed, state, user } = call;
    for (const grant of observed.grants) {
      const isOwn = grant.family === 'oauth' && grant.userId === user.id && isAt(call, grant);
      if (isOwn) endGrant(state, grant);
    }
    return ok({ success: true });
  },
};

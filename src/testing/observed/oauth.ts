import { type MockResponse, ok, textOf } from '../behaviour.js';
import { findSession } from '../credentials.js';
import {
  endAccessToken,
  endGrant,
  fitsChallenge,
  grantToRefresh,
  issueCode,
  issueTokens,
  newGrant,
  newJwt,
  redirectTo,
} from './grants.js';
import {
  isAt,
  type ObservedBehaviour,
  type ObservedBehaviours,
  type ObservedCall,
  oauthError,
} from './observed-call.js';
import type { MockAuthorization, MockOAuthGrant } from './state.js';

type Family = MockOAuthGrant['family'];
type TokenResponse = (call: ObservedCall, grant: MockOAuthGrant) => MockResponse;

function refusedGrant({ state }: ObservedCall, words: string): MockResponse {
  return oauthError(state.choices.grantRejectedStatus, 'invalid_grant', words);
}

/** Why an authorization cannot be exchanged with this request; `undefined` when it can. */
function problemOf(call: ObservedCall, authorization: MockAuthorization): string | undefined {
  const { clock, state, input } = call;
  if (authorization.isUsed) return 'The code was already used';
  if (authorization.expiresAt <= clock.now()) return 'The code has expired';
  const given = input['redirect_uri'] ?? null;
  // The current client of the second family sends none.
  const isOptional = authorization.family === 'oauth2' && given === null;
  const isCompared = state.choices.redirectUri === 'compared' && !isOptional;
  if (isCompared && given !== authorization.redirectUri) {
    return 'redirect_uri is not the one of the authorization';
  }
  const clientId = input['client_id'] ?? authorization.clientId;
  if (clientId !== authorization.clientId) return 'The code belongs to another client';
  if (!fitsChallenge(authorization, textOf(call, 'code_verifier'))) {
    return 'code_verifier does not match code_challenge';
  }
  return undefined;
}

/** The exchange of a code for tokens. The families differ only in the response. */
const exchangeCode =
  (family: Family, tokenResponse: TokenResponse): ObservedBehaviour =>
  (call) => {
    const code = textOf(call, 'code');
    const authorization = call.observed.authorizations.find(
      (one) => one.family === family && one.code === code && isAt(call, one),
    );
    if (authorization?.userId == null) return refusedGrant(call, 'The code is not known');
    const problem = problemOf(call, authorization);
    // A wrong verifier uses the code up too: whoever sent it may have stolen the code.
    authorization.isUsed = true;
    if (problem !== undefined) return refusedGrant(call, problem);
    const { userId } = authorization;
    return tokenResponse(call, newGrant(call, { ...authorization, userId }));
  };

/** The refresh of a grant. The families differ only in the response. */
const refreshGrant =
  (family: Family, tokenResponse: TokenResponse): ObservedBehaviour =>
  (call) => {
    const grant = grantToRefresh(call, family, textOf(call, 'refresh_token'));
    if (grant === undefined) return refusedGrant(call, 'The refresh token is not valid');
    return tokenResponse(call, grant);
  };

/** All sources agree on it. */
const SESSION_TOKEN_LIFETIME_MS = 10 * 60_000;

/** Whether an id names the client of a request. Clients send their client key. */
function isClient({ state, tenant }: ObservedCall, clientId: string): boolean {
  return state.tenants.some(
    (one) => one.name === tenant && [one.clientKey, one.clientId].includes(clientId),
  );
}

function oauthTokens(call: ObservedCall, grant: MockOAuthGrant) {
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

  'auth.oauth.exchangeCode': exchangeCode('oauth', oauthTokens),
  'auth.oauth.refresh': refreshGrant('oauth', oauthTokens),

  'auth.oauth.revoke': (call) => {
    const { observed, state, user } = call;
    for (const grant of observed.grants) {
      const isOwn = grant.family === 'oauth' && grant.userId === user.id && isAt(call, grant);
      if (isOwn) endGrant(state, grant);
    }
    return ok({ success: true });
  },
};

const ID_TOKEN_LIFETIME_MS = 60 * 60_000;

const hasScope = ({ scope }: MockOAuthGrant, name: string) => scope.split(' ').includes(name);

function oauth2Tokens(call: ObservedCall, grant: MockOAuthGrant) {
  const { scope, userId } = grant;
  const { tokens } = issueTokens(call, grant, hasScope(grant, 'offline_access'));
  const isOpenId = hasScope(grant, 'openid');
  const idToken = isOpenId && newJwt(call, ID_TOKEN_LIFETIME_MS, { sub: userId });
  return ok({ ...tokens, scope, ...(isOpenId && { id_token: idToken }) });
}

/** The OAuth calls of the family whose users sign in on a hosted page. */
export const oauth2Behaviours: ObservedBehaviours = {
  'auth.oauth2.exchangeCode': exchangeCode('oauth2', oauth2Tokens),
  'auth.oauth2.refresh': refreshGrant('oauth2', oauth2Tokens),

  'auth.oauth2.revoke': (call) => {
    const token = textOf(call, 'token');
    const own = call.observed.grants.filter((one) => one.family === 'oauth2' && isAt(call, one));
    for (const grant of own) {
      if (grant.accessTokens.includes(token)) endAccessToken(call.state, token);
      if (grant.refreshToken === token) grant.refreshToken = null;
    }
    // Revoking an unknown token succeeds, because such a token does not work anyway.
    return ok({ success: true });
  },
};

import { ok, textOf } from '../behaviour.js';
import { endAccessToken, issueTokens } from './grants.js';
import { newJwt } from './jwt.js';
import { exchangeCode, refreshGrant } from './oauth-tokens.js';
import { isAt, type ObservedBehaviours, type ObservedCall } from './observed-call.js';
import type { MockOAuthGrant } from './state.js';

const ID_TOKEN_LIFETIME_MS = 60 * 60_000;

const hasScope = ({ scope }: MockOAuthGrant, name: string) => scope.split(' ').includes(name);

function tokenResponse(call: ObservedCall, grant: MockOAuthGrant) {
  const { scope, userId } = grant;
  const { tokens } = issueTokens(call, grant, hasScope(grant, 'offline_access'));
  const isOpenId = hasScope(grant, 'openid');
  const idToken = isOpenId && newJwt(call, ID_TOKEN_LIFETIME_MS, { sub: userId });
  return ok({ ...tokens, scope, ...(isOpenId && { id_token: idToken }) });
}

/** The OAuth calls of the family whose users sign in on a hosted page. */
export const oauth2Behaviours: ObservedBehaviours = {
  'auth.oauth2.exchangeCode': exchangeCode('oauth2', tokenResponse),
  'auth.oauth2.refresh': refreshGrant('oauth2', tokenResponse),

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

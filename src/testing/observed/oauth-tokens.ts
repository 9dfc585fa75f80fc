import { type MockResponse, textOf } from '../behaviour.js';
import { fitsChallenge, grantToRefresh, newGrant } from './grants.js';
import { isAt, type ObservedBehaviour, type ObservedCall, oauthError } from './observed-call.js';
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
export const exchangeCode =
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
export const refreshGrant =
  (family: Family, tokenResponse: TokenResponse): ObservedBehaviour =>
  (call) => {
    const grant = grantToRefresh(call, family, textOf(call, 'refresh_token'));
    if (grant === undefined) return refusedGrant(call, 'The refresh token is not valid');
    return tokenResponse(call, grant);
  };

import { type MockResponse, textOf } from '../behaviour.js';
import { fitsChallenge } from './grants.js';
import { isAt, type ObservedCall, oauthError } from './observed-call.js';
import type { MockAuthorization, MockOAuthGrant } from './state.js';

/** Returns the refusal of a code or of a refresh token. */
export function refusedGrant({ state }: ObservedCall, words: string): MockResponse {
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
    return 'code_verifier does not fit code_challenge';
  }
  return undefined;
}

/** Spends the code of a request. Returns its authorization and its user, or the refusal. */
export function spendCode(
  call: ObservedCall,
  family: MockOAuthGrant['family'],
): { refusal: MockResponse } | { authorization: MockAuthorization; userId: string } {
  const code = textOf(call, 'code');
  const authorization = call.observed.authorizations.find(
    (one) => one.family === family && one.code === code && isAt(call, one),
  );
  if (authorization?.userId == null)
    return { refusal: refusedGrant(call, 'The code is not known') };
  const problem = problemOf(call, authorization);
  // One try: a code that met a wrong verifier may be in the wrong hands.
  authorization.isUsed = true;
  if (problem !== undefined) return { refusal: refusedGrant(call, problem) };
  return { authorization, userId: authorization.userId };
}

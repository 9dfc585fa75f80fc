import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { ACCESS_TOKEN_LIFETIME_MS } from '../../contract/formats/token-lifetimes.js';
import type { MockClock } from '../clock.js';
import { createSession } from '../credentials.js';
import type { Identifiers } from '../identifiers.js';
import type { MockState } from '../state.js';
import { isAt, type ObservedCall } from './observed-call.js';
import type { MockAuthorization, MockOAuthGrant } from './state.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Encodes bytes as base64url without padding. React Native has neither `btoa` nor `Buffer`. */
function base64url(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += 3) {
    const [one = 0, two = 0, three = 0] = bytes.subarray(start, start + 3);
    const group = (one << 16) | (two << 8) | three;
    for (const shift of [18, 12, 6, 0]) text += ALPHABET.charAt((group >> shift) & 63);
  }
  return text.slice(0, Math.ceil((bytes.length * 4) / 3));
}

const encode = (value: object) => base64url(utf8ToBytes(JSON.stringify(value)));

/** Returns a token in the form of a JWT, whose signature cannot be verified. */
export function newJwt(
  { ids, clock }: { ids: Identifiers; clock: MockClock },
  lifetimeMs: number,
  claims: Readonly<Record<string, unknown>>,
): string {
  const iat = Math.floor(clock.now() / 1000);
  const payload = { ...claims, jti: ids.token(), iat, exp: iat + lifetimeMs / 1000 };
  const signature = base64url(utf8ToBytes(ids.hex(32)));
  return `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(payload)}.${signature}`;
}

/** The vendor's page documents 184 days; one client's note says 7 days. */
const REFRESH_TOKEN_LIFETIME_MS = 184 * 24 * 60 * 60_000;
/** No source shows the lifetime of a code: it is the mock's own. */
const CODE_LIFETIME_MS = 10 * 60_000;

/** The parts of a call that create a grant and its tokens. */
export type GrantStore = Pick<ObservedCall, 'state' | 'observed' | 'clock' | 'ids'>;

/** Agrees to an authorization as a user, and returns its code. */
export function issueCode(
  { clock, ids }: Pick<GrantStore, 'clock' | 'ids'>,
  authorization: MockAuthorization,
  userId: string,
): string {
  const code = ids.secret('code');
  Object.assign(authorization, { code, userId, expiresAt: clock.now() + CODE_LIFETIME_MS });
  return code;
}

/** Returns the URL of the client, with fields added to its query. */
export function redirectTo(
  redirectUri: string,
  added: Readonly<Record<string, string | null>>,
): string {
  const given = Object.entries(added).filter(([, value]) => value !== null);
  const query = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query.join('&')}`;
}

/** Whether a verifier is the one whose hash the client sent first. */
export const fitsChallenge = ({ codeChallenge }: MockAuthorization, verifier: string): boolean =>
  base64url(sha256(utf8ToBytes(verifier))) === codeChallenge;

/** Ends the access token of a login or of a grant. */
export function endAccessToken({ sessions }: MockState, accessToken: string): void {
  const session = sessions.find((one) => one.accessToken === accessToken);
  // It stays in the list, so that its requests still belong to a user.
  if (session !== undefined) session.expiresAt = 0;
}

/** Ends a grant: its refresh token and all of its access tokens. */
export function endGrant(state: MockState, grant: MockOAuthGrant): void {
  grant.isEnded = true;
  for (const token of grant.accessTokens) endAccessToken(state, token);
}

/** Creates a grant without tokens. */
export function newGrant(
  { observed }: Pick<GrantStore, 'observed'>,
  facts: Pick<MockOAuthGrant, 'family' | 'tenant' | 'environment' | 'userId' | 'scope'>,
): MockOAuthGrant {
  const { family, tenant, environment, userId, scope } = facts;
  const grant: MockOAuthGrant = {
    family,
    tenant,
    environment,
    userId,
    scope,
    accessTokens: [],
    refreshToken: null,
    refreshTokenExpiresAt: 0,
    usedRefreshTokens: [],
    isEnded: false,
  };
  observed.grants.push(grant);
  return grant;
}

/** Issues an access token, and a refresh token that replaces the previous one. */
export function issueTokens(store: GrantStore, grant: MockOAuthGrant, hasRefreshToken = true) {
  const { clock, ids, state } = store;
  const accessToken = createSession(store, { id: grant.userId });
  grant.accessTokens.push(accessToken);
  if (hasRefreshToken) {
    if (grant.refreshToken !== null) grant.usedRefreshTokens.push(grant.refreshToken);
    grant.refreshToken = ids.secret('refresh');
    grant.refreshTokenExpiresAt = clock.now() + REFRESH_TOKEN_LIFETIME_MS;
  }
  const isShown = state.choices.refreshTokenLifetime === 'shown';
  return {
    tokens: {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_LIFETIME_MS / 1000,
      ...(hasRefreshToken && { refresh_token: grant.refreshToken }),
    },
    refreshTokenLifetime: isShown ? REFRESH_TOKEN_LIFETIME_MS / 1000 : null,
  };
}

/**
 * Returns the grant of a refresh token that still works. A token that was used before ends its grant:
 * whoever holds the newer one may not be its owner.
 */
export function grantToRefresh(
  call: ObservedCall,
  family: MockOAuthGrant['family'],
  token: string,
): MockOAuthGrant | undefined {
  const { observed, state, clock } = call;
  const grants = observed.grants.filter((one) => one.family === family && isAt(call, one));
  const reused = grants.find(({ usedRefreshTokens }) => usedRefreshTokens.includes(token));
  if (reused !== undefined && state.choices.refreshTokenReuse === 'ends-session') {
    endGrant(state, reused);
  }
  return grants.find(
    ({ refreshToken, refreshTokenExpiresAt, isEnded }) =>
      refreshToken === token && !isEnded && refreshTokenExpiresAt > clock.now(),
  );
}

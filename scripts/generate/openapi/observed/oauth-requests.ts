import { createHash } from 'node:crypto';
import type { MockPlatform } from '../../../../src/testing/index.js';

/** A code verifier. */
export const VERIFIER = 'verifier-verifier-verifier-verifier-verifier';
/** Its challenge. */
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
/** Where the pages of the examples return to. */
export const REDIRECT = 'https://app.example/callback';

/** The query of `auth.oauth.initiate`. */
export function initiateQuery(mock: MockPlatform): Record<string, string> {
  return {
    client_id: mock.credentials.clientKey,
    redirect_uri: REDIRECT,
    response_type: 'code',
    state: 'state-12345678',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    mode: 'api',
  };
}

/** The body of an exchange of the first family. */
export const exchangeBody = (code: unknown) => ({
  grant_type: 'authorization_code',
  code,
  code_verifier: VERIFIER,
  redirect_uri: REDIRECT,
});

/** The URL of the hosted page of the second family. */
export function pageUrl(mock: MockPlatform, changes: Record<string, string | undefined> = {}) {
  const query = {
    client_id: mock.credentials.clientKey,
    response_type: 'code',
    scope: 'openid profile email offline_access',
    redirect_uri: REDIRECT,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    prompt: 'consent',
    state: 'state-2',
    ...changes,
  };
  const given = Object.entries(query).filter(
    (one): one is [string, string] => one[1] !== undefined,
  );
  return `${mock.baseUrl}/v1/auth/oauth2/authorize?${new URLSearchParams(given)}`;
}

import { codeChallenge, notBlank, oneOf } from '../../contract/fields.js';
import type { Query } from '../query.js';
import type { MockState, MockTenant, MockUser } from '../state.js';
import { type GrantStore, issueCode, redirectTo } from './grants.js';
import { brokenFields } from './observed-call.js';

/** The path of the page on which users of the second OAuth family sign in. */
export const SIGN_IN_PATH = '/v1/auth/oauth2/authorize';

const FIELDS = {
  client_id: notBlank,
  response_type: oneOf(['code']),
  scope: notBlank,
  redirect_uri: notBlank,
  code_challenge: codeChallenge,
  code_challenge_method: oneOf(['S256']),
};

/** The authorization that the URL of the page requests. */
export type SignInRequest = {
  tenant: MockTenant;
  clientId: string;
  redirectUri: string;
  scope: string;
  codeChallenge: string;
  state: string | null;
};

/**
 * Reads the query of the page.
 *
 * @throws Error that says which field is not valid
 */
export function readSignIn(query: Query, { tenants }: MockState): SignInRequest {
  const given = Object.fromEntries(Object.keys(FIELDS).map((name) => [name, query.get(name)]));
  const [broken] = brokenFields(FIELDS, given);
  if (broken !== undefined) throw new Error(`${broken.field} ${broken.message}`);
  const clientId = String(given['client_id']);
  const tenant = tenants.find((one) => [one.clientKey, one.clientId].includes(clientId));
  if (tenant === undefined) throw new Error('client_id is not known');
  return {
    tenant,
    clientId,
    redirectUri: String(given['redirect_uri']),
    scope: String(given['scope']),
    codeChallenge: String(given['code_challenge']),
    state: query.get('state'),
  };
}

/** Signs a user in. Returns where the page redirects, with a code. */
export function acceptSignIn(store: GrantStore, request: SignInRequest, user: MockUser): string {
  const { tenant, state, redirectUri, ...facts } = request;
  const authorization = {
    ...facts,
    redirectUri,
    state,
    family: 'oauth2' as const,
    tenant: tenant.name,
    // Both environments share the page. The redirect names that of the user.
    environment: user.environment,
    token: null,
    expiresAt: 0,
    code: null,
    userId: null,
    isUsed: false,
  };
  store.observed.authorizations.push(authorization);
  user.isLinked = true;
  const code = issueCode(store, authorization, user.id);
  const app_id = `${tenant.name}-${user.environment}`;
  return redirectTo(redirectUri, { code, state, app_id });
}

/** Returns where the page redirects when the user declines. */
export function declineSignIn({ redirectUri, state }: SignInRequest): string {
  return redirectTo(redirectUri, { error: 'access_denied', state });
}

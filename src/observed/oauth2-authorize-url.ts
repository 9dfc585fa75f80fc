import { brokenRules } from '../contract/check.js';
import {
  codeChallenge,
  notBlank,
  optional,
  returnUrl,
  servicePath,
  serviceUrl,
} from '../contract/fields.js';
import { inputWith } from '../contract/observed/schema.js';
import { RequestValidationError } from '../endpoints/index.js';

/** The parameters of the hosted sign-in page. */
export type OAuth2AuthorizeUrlInput = {
  /** URL of the service, https only, without query and fragment. */
  baseUrl: string;
  clientId: string;
  /**
   * The address that the page returns to: https, http on this machine, or a link to your app such
   * as `myapp://signed-in`.
   */
  redirectUri: string;
  /** SHA-256 of the code verifier in base64url, without padding. */
  codeChallenge: string;
  /** Default `openid profile email offline_access`: without `offline_access` no refresh token came. */
  scope?: string | undefined;
  /** Compare it with the one in the redirect. One client sends none and relies on PKCE. */
  state?: string | undefined;
  /** Default `consent`, as one client sends. */
  prompt?: string | undefined;
  /** Default `/v1/auth/oauth2/authorize`. */
  path?: string | undefined;
};

const ID = 'auth.oauth2.authorizeUrl';

const schema = inputWith<OAuth2AuthorizeUrlInput, { scope: string; prompt: string; path: string }>(
  {
    baseUrl: serviceUrl,
    clientId: notBlank,
    redirectUri: returnUrl,
    codeChallenge,
    scope: optional(notBlank),
    state: optional(notBlank),
    prompt: optional(notBlank),
    path: optional(servicePath),
  },
  {
    scope: 'openid profile email offline_access',
    prompt: 'consent',
    path: '/v1/auth/oauth2/authorize',
  },
);

/**
 * Returns the URL of the hosted sign-in page, for a browser. The URL contains `state`: do not log
 * it.
 *
 * Page: `GET /v1/auth/oauth2/authorize`. One current client and an interim build of another open it;
 * certainty medium.
 *
 * @experimental
 * @throws RequestValidationError that says which field is wrong
 * @example
 * ```ts
 * import { oauth2AuthorizeUrl } from 'card-platform-sdk/observed';
 *
 * const url = oauth2AuthorizeUrl({
 *   baseUrl: 'https://api.example.com',
 *   clientId: 'your-client-key',
 *   redirectUri: 'https://app.example/signed-in',
 *   codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
 *   state: 'a-random-text-of-this-attempt',
 * });
 * console.log(new URL(url).pathname); // /v1/auth/oauth2/authorize
 * ```
 */
export function oauth2AuthorizeUrl(input: OAuth2AuthorizeUrlInput): string {
  // As in a call, a field that is undefined is left out.
  const given = Object.entries(Object(input)).filter(([, value]) => value !== undefined);
  const read = schema['~standard'].validate(Object.fromEntries(given));
  if (read.issues !== undefined) {
    throw new RequestValidationError(brokenRules(read.issues), ID);
  }
  const { baseUrl, path, clientId, redirectUri, codeChallenge: challenge, ...rest } = read.value;
  const query: Record<string, string | undefined> = {
    client_id: clientId,
    response_type: 'code',
    scope: rest.scope,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    prompt: rest.prompt,
    state: rest.state,
  };
  const sent = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = sent.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return `${withoutTrailingSlashes(baseUrl)}${path}?${text.join('&')}`;
}

/** A regular expression would take quadratic time for a text of slashes. */
function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '/') end--;
  return text.slice(0, end);
}

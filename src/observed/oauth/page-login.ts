import {
  type ExchangeOAuth2CodeInput,
  exchangeOAuth2Code,
  type OAuth2Tokens,
} from '../../contract/observed/oauth2.js';
import {
  ConfigurationError,
  call,
  type Endpoint,
  outcomeOf,
  type Sender,
} from '../../endpoints/index.js';
import { type OAuth2AuthorizeUrlInput, oauth2AuthorizeUrl } from '../oauth2-authorize-url.js';
import { GRANT_TIMEOUT_MS } from './api-login.js';
import { grantError, invalidRedirect, redirectError, stateMismatch } from './oauth-error.js';
import {
  type PendingLoginStore,
  readPendingLogin,
  returnPendingLogin,
  savePendingLogin,
  takePendingLogin,
} from './pending-login.js';
import { createPkce, createState, type RandomSource } from './pkce.js';
import { type OAuthSessionTokens, type Region, sessionTokens } from './session-tokens.js';

/** The fields that the sign-in page appends to the redirect URI. */
const NAMES = ['code', 'state', 'app_id', 'error', 'error_description'] as const;

type Redirect = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidRedirect();
  }
}

/**
 * Reads the URL that the sign-in page has opened. Not with `URL`, whose getters throw in React Native.
 *
 * @throws OAuthError with code `oauth_redirect_invalid` when the URL cannot be decoded, or repeats a field
 */
export function parseRedirect(url: unknown): Redirect {
  if (typeof url !== 'string') throw invalidRedirect();
  const [, query = ''] = url.replace(/#.*$/s, '').split(/\?(.*)/s);
  const read: Record<string, string> = {};
  for (const part of query.split('&')) {
    const [name = '', value = ''] = part.split(/=(.*)/s).map(decoded);
    if (!NAMES.some((known) => known === name)) continue;
    if (Object.hasOwn(read, name)) throw invalidRedirect();
    read[name] = value;
  }
  return read;
}

/** Options of {@link startOAuth2Login}. */
export type OAuth2LoginOptions = RandomSource &
  PendingLoginStore &
  Omit<OAuth2AuthorizeUrlInput, 'codeChallenge' | 'state'>;

/** Options of {@link finishOAuth2Login}. */
export type OAuth2RedirectOptions = PendingLoginStore & {
  /**
   * The region of the user, or a function that returns it for the `app_id` of the redirect. Its values
   * differ for each tenant, so only you know them.
   */
  region: Region | ((appId: string | undefined) => Region);
  /** Refuses a redirect without `state`. Default `false`: then PKCE alone protects the login. */
  requireState?: boolean | undefined;
  /** Sent with the code, as an interim build of one client does. Default: not sent. */
  clientId?: string | undefined;
  /** Sent with the code, as an interim build of one client does. Default: not sent. */
  redirectUri?: string | undefined;
  /** Declarations to use instead, for example with a body of form fields. */
  endpoints?:
    | { exchangeCode?: Endpoint<ExchangeOAuth2CodeInput, OAuth2Tokens> | undefined }
    | undefined;
};

/** The end of a login with the sign-in page. */
export type OAuth2Login = {
  /** Pass them to `sessions.signIn`. */
  readonly tokens: OAuthSessionTokens;
  /** The region that the user belongs to. */
  readonly region: Region;
};

/**
 * Starts a login on the service's sign-in page: returns the URL to open in a browser. The URL is
 * secret; do not log it. `state` and code verifier are kept in the store until the redirect.
 *
 * Page: `GET /v1/auth/oauth2/authorize`. One client and an interim build of another; certainty medium.
 *
 * @experimental
 * @throws ConfigurationError when there is no secure source of random bytes
 * @throws RequestValidationError that says which field is wrong
 * @throws the errors of the store
 * @example
 * ```ts
 * import type { KeyValueStore } from 'card-platform-sdk';
 * import { startOAuth2Login } from 'card-platform-sdk/observed';
 *
 * declare const store: KeyValueStore;
 *
 * const { url } = await startOAuth2Login({
 *   baseUrl: 'https://api.example.com',
 *   clientId: 'your-client-key',
 *   redirectUri: 'https://app.example/signed-in',
 *   store,
 * });
 * console.log(url.startsWith('https://api.example.com/')); // true
 * ```
 */
export async function startOAuth2Login(
  options: OAuth2LoginOptions,
): Promise<{ readonly url: string }> {
  const { randomBytes, store, key, ...page } = options;
  const [{ verifier, challenge }, state] = await Promise.all([
    createPkce({ randomBytes }),
    createState({ randomBytes }),
  ]);
  const url = oauth2AuthorizeUrl({ ...page, codeChallenge: challenge, state });
  await savePendingLogin({ store, key }, { verifier, state });
  return { url };
}

function regionOf(region: OAuth2RedirectOptions['region'], appId: string | undefined): Region {
  const chosen = typeof region === 'function' ? region(appId) : region;
  if (chosen === 'us' || chosen === 'global') return chosen;
  throw new ConfigurationError('region', "region must be, or return, 'us' or 'global'.");
}

/**
 * Ends a login on the sign-in page: checks the redirect, and exchanges its code for tokens. The code
 * can be used only once, so the stored login is removed before the code is sent. If the redirect
 * has no `state`, anybody may have made it up: when its code is refused or cannot be sent, the
 * login is put back and stays open.
 *
 * Endpoint: `POST /v1/auth/oauth2/token`. One client and an interim build of another; certainty
 * medium.
 *
 * @experimental
 * @param redirect - the URL that the page opened. It is secret; do not log it
 * @throws OAuthError with code `oauth_state_mismatch` or `oauth_redirect_invalid`, and no code was
 *   used; with `oauth_redirect_error` when the page returned an error, for example because the user
 *   declined; with `oauth_refused` when the service refused the code
 * @throws ConfigurationError when there is no region for the redirect; nothing was sent
 * @throws the errors of the store, and all other errors of the request
 * @example
 * ```ts
 * import type { KeyValueStore } from 'card-platform-sdk';
 * import { finishOAuth2Login } from 'card-platform-sdk/observed';
 * import type { Sessions } from 'card-platform-sdk/sessions';
 *
 * declare const store: KeyValueStore;
 * declare const sessions: Sessions;
 *
 * export async function onRedirect(url: string) {
 *   const { tokens, region } = await finishOAuth2Login(client, url, {
 *     store,
 *     region: (appId) => (appId === 'your-us-app' ? 'us' : 'global'),
 *   });
 *   return sessions.signIn(tokens, { region });
 * }
 * ```
 */
export async function finishOAuth2Login(
  client: Sender,
  redirect: string,
  options: OAuth2RedirectOptions,
): Promise<OAuth2Login> {
  const { clientId, redirectUri, requireState = false } = options;
  const { exchangeCode = exchangeOAuth2Code } = options.endpoints ?? {};
  const { code, state, app_id: appId, error, error_description } = parseRedirect(redirect);
  const pending = await readPendingLogin(options);
  // A redirect that somebody else has made up does not end the login that is open.
  if (state === undefined ? requireState : state !== pending.state) {
    throw stateMismatch();
  }
  if (error !== undefined) {
    // Without `state` anybody may have made it up, so the login stays open.
    if (state !== undefined) await takePendingLogin(options, pending);
    throw redirectError(error, error_description);
  }
  if (!code) throw invalidRedirect();
  const region = regionOf(options.region, appId);
  if (!(await takePendingLogin(options, pending))) throw invalidRedirect();
  const input = { code, codeVerifier: pending.verifier, clientId, redirectUri };
  try {
    const tokens = await call(client, exchangeCode, input, { region, timeout: GRANT_TIMEOUT_MS });
    return { tokens: sessionTokens(tokens, 'oauth2'), region };
  } catch (cause) {
    // As above: the redirect of the service may still come. A code that was perhaps accepted is not sent
    // again. The first error is the one to report.
    const isUnused = ['not_sent', 'rejected'].includes(outcomeOf(cause));
    if (state === undefined && isUnused) {
      await returnPendingLogin(options, pending).catch(() => undefined);
    }
    throw grantError(cause);
  }
}

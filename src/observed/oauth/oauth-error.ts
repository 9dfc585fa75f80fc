import {
  CardPlatformError,
  type ErrorCode,
  isApiError,
  isCardPlatformError,
} from '../../endpoints/index.js';
import { refusesLogin } from '../../errors/is-own-answer.js';

/** Codes of {@link OAuthError}. */
export type OAuthErrorCode = Extract<ErrorCode, `oauth_${string}`>;

/**
 * A login with OAuth or a refresh of its tokens stopped. Contains no code, state or token.
 *
 * @experimental
 */
export class OAuthError extends CardPlatformError {
  override readonly name = 'OAuthError';
  declare readonly code: OAuthErrorCode;
  /** The `error` of the redirect, such as `access_denied`; only with code `oauth_redirect_error`. */
  declare readonly redirectError: string | undefined;
  /** The `error_description` of the redirect, at most 200 characters, for a log. */
  declare readonly redirectDescription: string | undefined;
}

/**
 * Whether an error comes from a login with OAuth and, if you pass a code, has that code.
 *
 * @experimental
 * @example
 * ```ts
 * import { isOAuthError } from 'card-platform-sdk/observed';
 *
 * function hasDeclined(error: unknown): boolean {
 *   return isOAuthError(error, 'oauth_redirect_error') && error.redirectError === 'access_denied';
 * }
 * ```
 */
export function isOAuthError(error: unknown, code?: OAuthErrorCode): error is OAuthError {
  if (!isCardPlatformError(error) || error.name !== 'OAuthError') return false;
  return code === undefined || error.code === code;
}

/**
 * Returns the error of a grant. The service refuses in several forms, bare text among them, so the
 * status decides. An HTML page and an empty 400 or 403 do not count: a server in between may have sent them.
 */
export function grantError(error: unknown): unknown {
  if (!isApiError(error) || !refusesLogin(error)) return error;
  const message = 'the service refused the code or token. Ask the user to log in.';
  return new OAuthError({ code: 'oauth_refused', outcome: 'rejected', message }, error);
}

const CONTROL_CHARACTERS = /[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu;
const LONGEST_DESCRIPTION = 200;

/** The `state` that came back is not the one that was sent. */
export function stateMismatch(): OAuthError {
  return new OAuthError({
    code: 'oauth_state_mismatch',
    outcome: 'not_sent',
    message:
      'state is missing or does not match this login, so the code may belong to somebody else and was not used. Start the login again.',
  });
}

/** The redirect does not come from the sign-in page, or no login waits for it. */
export function invalidRedirect(): OAuthError {
  return new OAuthError({
    code: 'oauth_redirect_invalid',
    outcome: 'not_sent',
    message:
      'the redirect is not the end of a login that was started here, and nothing was sent. Start the login again.',
  });
}

/** The sign-in page returned an error. Anybody can make up a redirect, so its texts are limited. */
export function redirectError(error: string, description: string | undefined): OAuthError {
  const message = 'the sign-in page returned an error instead of a code. Start the login again.';
  return Object.assign(
    new OAuthError({ code: 'oauth_redirect_error', outcome: 'not_sent', message }),
    {
      redirectError: /^[\w.-]{1,60}$/.test(error) ? error : undefined,
      redirectDescription: description
        ?.replace(CONTROL_CHARACTERS, ' ')
        .slice(0, LONGEST_DESCRIPTION),
    },
  );
}

import {
  CardPlatformError,
  type ErrorCode,
  isApiError,
  isCardPlatformError,
} from '../../endpoints/index.js';

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
 * status decides. An HTML page does not count, because it comes from a proxy in between.
 */
export function grantError(error: unknown): unknown {
  const isRefusal =
    isApiError(error) &&
    [400, 401, 403].includes(error.status) &&
    !/^text\/html/i.test(`${error.headers['content-type']}`);
  if (!isRefusal) return error;
  const message = 'the service refused the code or token. Ask the user to log in.';
  return new OAuthError({ code: 'oauth_refused', outcome: 'rejected', message }, error);
}

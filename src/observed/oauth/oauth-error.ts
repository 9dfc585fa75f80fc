import {
  CardPlatformError,
  type ErrorCode,
  isApiError,
  isCardPlatformError,
  type Outcome,
} from '../../endpoints/index.js';

/** Codes of {@link OAuthError}. */
export type OAuthErrorCode = Extract<ErrorCode, `oauth_${string}`>;

const FACTS: Readonly<Record<OAuthErrorCode, readonly [Outcome, string]>> = {
  oauth_refused: [
    'rejected',
    'the service refused the authorization code or the refresh token. Ask the user to log in.',
  ],
  oauth_state_mismatch: [
    'not_sent',
    'state is not the one of this login, so the code belongs to somebody else and was not used. Start the login again.',
  ],
  oauth_redirect_invalid: [
    'not_sent',
    'the redirect is not the end of a login that was started here, and nothing was sent. Start the login again.',
  ],
  oauth_redirect_error: [
    'not_sent',
    'the sign-in page returned an error instead of a code. Start the login again.',
  ],
};

const CONTROL_CHARACTERS = /[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu;
const LONGEST_DESCRIPTION = 200;

/**
 * A login with OAuth stopped. Holds no code, state or token.
 *
 * @experimental
 */
export class OAuthError extends CardPlatformError {
  override readonly name = 'OAuthError';
  declare readonly code: OAuthErrorCode;
  /** The `error` of the redirect, such as `access_denied`; only with code `oauth_redirect_error`. */
  readonly redirectError: string | undefined;
  /** The `error_description` of the redirect, at most 200 characters, for a log. */
  readonly redirectDescription: string | undefined;

  constructor(
    code: OAuthErrorCode,
    { cause, error, description }: { cause?: unknown; error?: string; description?: string } = {},
  ) {
    const [outcome, message] = FACTS[code];
    super({ code, message, outcome }, cause);
    this.redirectError = error !== undefined && /^[\w.-]{1,60}$/.test(error) ? error : undefined;
    this.redirectDescription = description
      ?.replace(CONTROL_CHARACTERS, ' ')
      .slice(0, LONGEST_DESCRIPTION);
  }
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

const DEAD_GRANT: readonly number[] = [400, 401, 403];

/**
 * Returns the error of a grant. The service refuses in several forms, bare text among them, so the
 * status decides; a page of HTML comes from something else on the way.
 */
export function grantError(error: unknown): unknown {
  if (!isApiError(error) || !DEAD_GRANT.includes(error.status)) return error;
  const isPage = /^text\/html/i.test(error.headers['content-type'] ?? '');
  return isPage ? error : new OAuthError('oauth_refused', { cause: error });
}

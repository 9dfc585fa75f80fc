import { OAuthError } from './oauth-error.js';

// Not next to the error of a grant, because a page that only refreshes needs none of these.

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

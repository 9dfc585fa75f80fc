/** How long an access token lives: 6 hours, in milliseconds. */
export const ACCESS_TOKEN_LIFETIME_MS = 6 * 60 * 60 * 1000;

/** How long a delegation token lives: about 10 minutes, in milliseconds. */
export const DELEGATION_TOKEN_LIFETIME_MS = 10 * 60 * 1000;

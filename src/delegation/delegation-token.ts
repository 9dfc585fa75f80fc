import { DELEGATION_TOKEN_LIFETIME_MS } from '../contract/formats/token-lifetimes.js';
import { SERVICE_DATE_HEADER } from '../contract/proxy-headers.js';
import { ChainError } from './chain-error.js';
import { isTime } from './check-values.js';
import type { DelegationTokenResult, TokenCall } from './client.js';
import type { DelegationState } from './state.js';

/** The form of a delegation token, as the contract describes it. */
const TOKEN = /^[A-Za-z0-9_-]{1,200}$/;
const MAX_NONCE_LENGTH = 500;

type Issued = Pick<DelegationTokenResult, 'token' | 'nonce'>;

/** Whether a value has the form of a delegation token. */
export function isIssuedToken(value: unknown): value is string {
  return typeof value === 'string' && TOKEN.test(value);
}

/**
 * Returns token and nonce of a response, checked before the wallet is asked: with a token that cannot
 * be submitted, the user would pay the network fee for nothing.
 *
 * @throws ChainError with the code `token_unusable`
 */
export function parseIssuedToken(response: DelegationTokenResult): Issued {
  const { token, nonce } = Object(response) as Record<keyof Issued, unknown>;
  if (!isIssuedToken(token)) throw unusable('the token is not 1 to 200 letters, digits, _ or -');
  if (typeof nonce !== 'string' || nonce.length > MAX_NONCE_LENGTH) {
    throw unusable(`the nonce is not a string of at most ${MAX_NONCE_LENGTH} characters`);
  }
  return { token, nonce };
}

function unusable(detail: string): ChainError {
  return new ChainError({
    code: 'token_unusable',
    outcome: 'not_sent',
    message: `the delegation token cannot be used (${detail}). The wallet was not asked. Resume to get another token.`,
  });
}

/** A smaller difference may come from the age of the response's `Date`, so it is ignored. */
const SAME_CLOCK_MS = 30_000;

/** Whether a value is an offset that {@link readClockOffset} can return. */
export function isClockOffset(value: unknown): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  return value === 0 || Math.abs(value) > SAME_CLOCK_MS;
}

/**
 * Returns a token, and how far the service's clock is ahead of ours in milliseconds. The `Date`
 * header has whole seconds, and browsers hide it across origins unless the service allows it.
 * Without it the offset is 0. Behind a proxy it is that of the proxy, which passes on the service's.
 */
export async function readClockOffset(
  call: TokenCall,
  now: () => number,
): Promise<{ response: DelegationTokenResult; clockOffset: number }> {
  if (call.withResponse === undefined) return { response: await call, clockOffset: 0 };
  const { data, headers } = await call.withResponse();
  const serverTime = Date.parse(headers.get(SERVICE_DATE_HEADER) ?? headers.get('date') ?? '');
  const offset = isTime(serverTime) ? serverTime - now() : 0;
  return { response: data, clockOffset: isClockOffset(offset) ? offset : 0 };
}

/**
 * How long a saved token must still be valid before a message is built, in milliseconds: enough for
 * the user to sign and for the approval.
 */
export const MIN_TIME_TO_SIGN_MS = 420_000;

/** How long a token must still be valid before the wallet is asked to approve, in milliseconds. */
export const MIN_TIME_TO_APPROVE_MS = 300_000;

/** How long a token must still be valid before the proof is submitted, in milliseconds. */
export const MIN_TIME_TO_SUBMIT_MS = 15_000;

/**
 * How long a token is still valid, in milliseconds, counted from before it was requested. A token
 * from the future (the clock was set back) counts as expired.
 */
export function tokenTimeLeft(token: DelegationState['token'], now: number): number {
  if (token === undefined || token.requestedAt > now) return 0;
  return Math.max(0, token.requestedAt + DELEGATION_TOKEN_LIFETIME_MS - now);
}

/** A clock may have fractions of a millisecond; the text of a message cannot. */
const ROUNDING_MS = 1;

/** Whether a saved message has not expired, and expires no later than its token. */
export function isWithinToken(
  expiresAt: number,
  context: { serverNow(): number; tokenExpiresAt(): number },
): boolean {
  return expiresAt > context.serverNow() && expiresAt <= context.tokenExpiresAt() + ROUNDING_MS;
}

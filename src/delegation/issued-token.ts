import { ChainError } from './chain-error.js';
import type { DelegationTokenResult } from './client.js';

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

import { isPageHost, isPageOf } from '../contract/formats/url.js';
import { invalid, isTime } from '../delegation/check-values.js';
import { addressBytes } from './addresses.js';

/** The fields of the message. */
export type SolanaMessageInput = {
  /** The host that the user sees in the address bar, with its port if it has one. */
  domain: string;
  /** The wallet that signs. */
  address: string;
  /** The nonce of the delegation token. */
  nonce: string;
  /** When the message is made. */
  issuedAt: Date;
  /** The purpose that the message states, one line. Default `Prove address ownership`. */
  statement?: string | undefined;
  /** The page that asks, on the host of the domain. Default `https://` and the domain. */
  uri?: string | undefined;
  /** When the message stops being valid. Default never. */
  expirationTime?: Date | undefined;
};

/** The options of `buildSolanaMessage`. */
export type SolanaMessageOptions = {
  /**
   * `'siws'` accepts every URI and expiry that "Sign In With Solana" allows. Default `'strict'`: the
   * `uri` must be https, or http on a loopback host (`localhost`, `127.0.0.1`, `[::1]`), on the host and
   * port of `domain`, and `expirationTime` must be after `issuedAt`.
   *
   * **Warning:** wallets compare domain and URI with the page to recognise phishing. Set `'siws'` only
   * for a message whose fields no user, link or server response can influence, for example in an app
   * whose own scheme is the URI.
   */
  rules?: 'strict' | 'siws' | undefined;
};

const URI = /^[a-z][a-z\d+.-]*:\S+$/i;
/** Control and format characters, line and paragraph breaks, lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const MAX_FIELD_LENGTH = 500;

/**
 * Builds the text that the user signs to prove that they own the wallet, in the form of "Sign In With
 * Solana", which wallets recognise and check against the page.
 *
 * The contract requires a meaningful text of at least 10 characters and does not specify where the
 * nonce goes. Deployed clients use the `Nonce:` line.
 *
 * @throws RequestValidationError when a field is missing, too long, or would break out of its line, and
 * for a URI or an expiry that no wallet should sign: see `rules` of {@link SolanaMessageOptions}.
 *
 * @example
 * ```ts
 * import { buildSolanaMessage } from 'card-platform-sdk/solana';
 *
 * const text = buildSolanaMessage({
 *   domain: 'app.example.com',
 *   address: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
 *   nonce: '5f1d7a3e9b2c4d6f8a0b1c2d',
 *   issuedAt: new Date(),
 * });
 * ```
 */
export function buildSolanaMessage(
  input: SolanaMessageInput,
  options: SolanaMessageOptions = {},
): string {
  // Each field is read once: a getter could return one value to the check and another to the text.
  const { domain, address, nonce, issuedAt, expirationTime, ...rest } = { ...input };
  const isStrict = { ...options }.rules !== 'siws';
  requireText('domain', domain, isPageHost);
  const { statement = 'Prove address ownership', uri = `https://${domain}` } = rest;
  addressBytes(address, 'address');
  requireText('uri', uri, (text) => URI.test(text) && (!isStrict || isPageOf(text, domain)));
  requireText('statement', statement, (text) => /\S/.test(text));
  requireText('nonce', nonce, (text) => /^\S+$/.test(text));
  const issued = time('issuedAt', issuedAt);
  const expires = expirationTime === undefined ? '' : time('expirationTime', expirationTime);
  if (isStrict && expires && expires <= issued) invalid('expirationTime', 'must be after issuedAt');
  return [
    `${domain} wants you to sign in with your Solana account:`,
    address,
    '',
    statement,
    '',
    `URI: ${uri}`,
    'Version: 1',
    `Nonce: ${nonce}`,
    `Issued At: ${issued}`,
    ...(expires ? [`Expiration Time: ${expires}`] : []),
  ].join('\n');
}

function requireText(path: string, value: unknown, rule: (text: string) => boolean): void {
  const isGood =
    typeof value === 'string' &&
    value.length <= MAX_FIELD_LENGTH &&
    !UNPRINTABLE.test(value) &&
    rule(value);
  if (!isGood) invalid(path, 'is missing, too long or malformed');
}

/** ISO 8601 strings of these years sort as the times do. */
function time(path: string, date: unknown): string {
  const milliseconds = date instanceof Date && date.getTime();
  return isTime(milliseconds)
    ? new Date(milliseconds).toISOString()
    : invalid(path, 'must be a Date from 1970 to 9999');
}

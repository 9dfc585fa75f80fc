import { invalid } from '../delegation/invalid.js';
import { isTime } from '../delegation/numbers.js';
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
  /** The page that asks. Default `https://` and the domain. */
  uri?: string | undefined;
  /** When the message stops being valid. Default never. */
  expirationTime?: Date | undefined;
};

const HOST = /^(\[[\da-f:.]+\]|[a-z\d.-]+)(:\d{1,5})?$/i;
const URI = /^[a-z][a-z\d+.-]*:\S+$/i;
/** Control and format characters, line and paragraph breaks, lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const MAX_FIELD_LENGTH = 500;

/**
 * Builds the text that the user signs to prove that they own the wallet, in the form of "Sign In With
 * Solana", which wallets recognize and check against the page.
 *
 * The contract asks for a meaningful text of at least 10 characters and does not say where its nonce
 * goes. Deployed clients use the `Nonce:` line.
 *
 * @throws RequestValidationError when a field is missing, too long, or would break out of its line.
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
export function buildSolanaMessage(input: SolanaMessageInput): string {
  const { address, nonce, issuedAt, expirationTime } = input;
  const domain = field('domain', input.domain, HOST);
  addressBytes(address, 'address');
  const uri = field('uri', input.uri ?? `https://${domain}`, URI);
  const lines = [
    `${domain} wants you to sign in with your Solana account:`,
    address,
    '',
    field('statement', input.statement ?? 'Prove address ownership', /\S/),
    '',
    `URI: ${uri}`,
    'Version: 1',
    `Nonce: ${field('nonce', nonce, /^\S+$/)}`,
    `Issued At: ${time('issuedAt', issuedAt)}`,
  ];
  if (expirationTime !== undefined) {
    lines.push(`Expiration Time: ${time('expirationTime', expirationTime)}`);
  }
  return lines.join('\n');
}

function field(path: string, value: string, form: RegExp): string {
  const isGood =
    typeof value === 'string' &&
    value.length <= MAX_FIELD_LENGTH &&
    !UNPRINTABLE.test(value) &&
    form.test(value);
  return isGood ? value : invalid(path, 'is missing, too long, or not printable text of its form');
}

function time(path: string, date: Date): string {
  return date instanceof Date && isTime(date.getTime())
    ? date.toISOString()
    : invalid(path, 'must be a valid Date between 1970 and 9999');
}

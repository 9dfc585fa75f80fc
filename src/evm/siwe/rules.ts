import { isIpv6, isPageHost, isPageOf, pageOrigin } from '../../contract/formats/url.js';
import type { ValidationIssue } from '../../errors/index.js';
import { isEvmAddress } from '../address.js';

/** The fields of a Sign-In with Ethereum message (EIP-4361). */
export type SiweMessage = {
  /** Scheme of the origin that asks, for example `https`; left out of the message when absent. */
  scheme?: string | undefined;
  /** Host that asks, with its port if it has one: in a browser `location.host`. */
  domain: string;
  /** The account that signs, 0x and 40 hex characters. Written in its EIP-55 form. */
  address: string;
  /** The statement that the user agrees to: one line of ASCII by the grammar. */
  statement?: string | undefined;
  /** The resource that the signature is for, an RFC 3986 URI. */
  uri: string;
  /** Version of the message. There is only `'1'`. */
  version: '1';
  /** Chain id, for example 59144 for linea. */
  chainId: number;
  /** At least 8 letters and digits: the service's nonce. */
  nonce: string;
  /** When the message was made, RFC 3339, for example `2026-01-31T09:00:00.000Z`. */
  issuedAt: string;
  /** When the message expires, RFC 3339. */
  expirationTime?: string | undefined;
  /** When the message starts to be valid, RFC 3339. */
  notBefore?: string | undefined;
  /** An id of your own, with only the characters that one segment of a URI path may have. */
  requestId?: string | undefined;
  /** URIs that the signature is about. */
  resources?: readonly string[] | undefined;
};

/** Exceptions to EIP-4361. All are off by default. */
export type SiweLeniency = {
  /**
   * Accept a nonce that is not 8 or more letters and digits, as long as it is 1 to 200 characters of
   * printable ASCII without a space. In practice some nonces of the service are base64.
   */
  allowAnyNonce?: boolean | undefined;
  /** Accept an address in a message that is all lower or all upper case instead of EIP-55. */
  allowUncheckedAddress?: boolean | undefined;
};

const UNRESERVED = 'A-Za-z0-9\\-._~';
const SUB_DELIMS = "!$&'()*+,;=";
const REGISTERED = `${UNRESERVED}${SUB_DELIMS}`;

/** Rules of RFC 3986 and EIP-4361 as sources of regular expressions, under their names there. */
export const PCT_ENCODED = '%[0-9A-Fa-f]{2}';
export const SCHEME = '[A-Za-z][A-Za-z0-9+\\-.]*';
export const USERINFO = `(?:[${REGISTERED}:]|${PCT_ENCODED})*`;
export const REG_NAME = `(?:[${REGISTERED}]|${PCT_ENCODED})*`;
export const IP_FUTURE = `v[0-9A-Fa-f]+\\.[${REGISTERED}:]+`;
export const PCHAR = `(?:[${REGISTERED}:@]|${PCT_ENCODED})`;
export const FRAGMENT = `(?:[${REGISTERED}:@/?]|${PCT_ENCODED})*`;
export const STATEMENT = `[${REGISTERED}:/?#[\\]@ ]+`;

const PATHS = `(?:/${PCHAR}*)*`;
const ROOTED_OR_NOT = `/?(?:${PCHAR}+${PATHS})?`;

const URI = whole(
  `${SCHEME}:(?:\\/\\/([^/?#]*)${PATHS}|${ROOTED_OR_NOT})(?:\\?${FRAGMENT})?(?:#${FRAGMENT})?`,
);
const AUTHORITY = whole(`(?:${USERINFO}@)?(?:\\[([^\\]]*)\\]|${REG_NAME})(?::\\d*)?`);
const isFutureAddress = matches(IP_FUTURE);

/** A regular expression that matches a rule from end to end. */
export function whole(rule: string): RegExp {
  return new RegExp(`^${rule}$`);
}

/** Returns a function that tests a whole text against a rule. */
function matches(rule: string): (text: string) => boolean {
  const pattern = whole(rule);
  return (text) => pattern.test(text);
}

/** Whether a text is an RFC 3986 URI: with a scheme, and a valid authority if it has one. */
export function isUri(text: string): boolean {
  const match = URI.exec(text);
  return match !== null && (match[1] === undefined || isAuthority(match[1]));
}

/** Whether a text is an RFC 3986 authority: a host, with an optional user and port. May be empty. */
export function isAuthority(text: string): boolean {
  const match = AUTHORITY.exec(text);
  return match !== null && (match[1] === undefined || isIpLiteral(match[1]));
}

function isIpLiteral(text: string): boolean {
  return isFutureAddress(text) || isIpv6(text);
}

const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(\.\d+)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

/**
 * Parses an RFC 3339 date-time to milliseconds since 1970; `NaN` for anything else and for days
 * that do not exist.
 */
export function parseDateTime(text = ''): number {
  const match = DATE_TIME.exec(text) ?? [];
  const part = (index: number) => Number(match[index] ?? 0);
  const date = new Date(0);
  // `Date.UTC` takes a year below 100 for one of the 20th century.
  date.setUTCFullYear(part(1), part(2) - 1, part(3));
  if (date.getUTCMonth() !== part(2) - 1 || date.getUTCDate() !== part(3)) return Number.NaN;
  const offset = (part(9) * 60 + part(10)) * (match[8] === '-' ? -60_000 : 60_000);
  return date.setUTCHours(part(4), part(5), part(6), Math.trunc(part(7) * 1000)) - offset;
}

type Rule = [path: keyof SiweMessage, holds: boolean, message: string];

const NONCE = /^[A-Za-z0-9]{8,}$/;
const PRINTABLE = /^[\x21-\x7e]{1,200}$/;
const SCRIPT = /^(?:javascript|vbscript|data):/i;
const NOT_A_TIME = 'not an RFC 3339 time';

const isScheme = matches(SCHEME);
const isStatement = matches(STATEMENT);
const isRequestId = matches(`${PCHAR}*`);

/** The rule that a nonce breaks; `undefined` if it breaks none. */
export function nonceIssue(nonce: string, leniency: SiweLeniency): string | undefined {
  if (NONCE.test(nonce) || (leniency.allowAnyNonce === true && PRINTABLE.test(nonce))) return;
  return leniency.allowAnyNonce
    ? 'must be 1 to 200 printable ASCII characters without blanks'
    : 'must be at least 8 letters and digits (EIP-4361)';
}

/** Every field that breaks the grammar, with the rule that it breaks. */
export function grammarIssues(fields: SiweMessage, leniency: SiweLeniency): ValidationIssue[] {
  const { scheme, statement, chainId, expirationTime, notBefore, requestId, resources } = fields;
  const nonce = holds(fields.nonce, () => true) ? nonceIssue(fields.nonce, leniency) : 'missing';
  return broken([
    ['scheme', optional(scheme, isScheme), 'not a URI scheme'],
    ['domain', holds(fields.domain, isHost), 'not an RFC 3986 authority'],
    ['address', holds(fields.address, isEvmAddress), 'not an EVM address'],
    ['statement', optional(statement, isStatement), 'not one line of EIP-4361 characters'],
    ['uri', holds(fields.uri, isUri), 'not an RFC 3986 URI'],
    ['version', fields.version === '1', "not '1'"],
    ['chainId', Number.isSafeInteger(chainId) && chainId >= 0, 'not a chain id'],
    ['issuedAt', holds(fields.issuedAt, isDateTime), NOT_A_TIME],
    ['expirationTime', optional(expirationTime, isDateTime), NOT_A_TIME],
    ['notBefore', optional(notBefore, isDateTime), NOT_A_TIME],
    ['requestId', optional(requestId, isRequestId), 'not an RFC 3986 path'],
    ['resources', resources === undefined || areUris(resources), 'not RFC 3986 URIs'],
    ['nonce', nonce === undefined, `${nonce}`],
  ]);
}

/**
 * Every field that no wallet should sign, although the grammar allows it. The caller leaves out the
 * fields that break the grammar.
 */
export function strictIssues(fields: Partial<SiweMessage>): ValidationIssue[] {
  const { scheme, domain = '', uri = '', statement, chainId } = fields;
  const page = pageOrigin(uri);
  const isHost = isPageHost(domain);
  const expires = parseDateTime(fields.expirationTime);
  return broken([
    ['domain', isHost || domain === '', 'not a host, or host and port'],
    ['uri', page !== undefined || uri === '', 'not https, or http on a loopback host'],
    ['uri', !isHost || !page || isPageOf(uri, domain), 'not on the domain'],
    [
      'scheme',
      !scheme || !page || page.startsWith(`${scheme.toLowerCase()}:`),
      'not the scheme of the URI',
    ],
    ['statement', statement === undefined || /\S/.test(statement), 'blank'],
    ['chainId', chainId !== 0, 'not a chain id'],
    ['expirationTime', !(expires <= parseDateTime(fields.issuedAt)), 'not after issuedAt'],
    ['notBefore', !(parseDateTime(fields.notBefore) >= expires), 'not before expirationTime'],
    ['resources', !fields.resources?.some((uri) => SCRIPT.test(uri)), 'contains a script'],
  ]);
}

function broken(rules: readonly Rule[]): ValidationIssue[] {
  return rules.filter((rule) => !rule[1]).map(([path, , message]) => ({ path, message }));
}

function isHost(text: string): boolean {
  return text !== '' && isAuthority(text);
}

function isDateTime(text: string): boolean {
  return !Number.isNaN(parseDateTime(text));
}

function areUris(list: readonly string[]): boolean {
  return Array.isArray(list) && list.every((uri) => holds(uri, isUri));
}

function holds(value: unknown, rule: (text: string) => boolean): boolean {
  return typeof value === 'string' && rule(value);
}

function optional(value: unknown, rule: (text: string) => boolean): boolean {
  return value === undefined || holds(value, rule);
}

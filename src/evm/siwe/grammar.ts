import { isIpv6 } from '../../contract/formats/ip-address.js';

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
export function matches(rule: string): (text: string) => boolean {
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

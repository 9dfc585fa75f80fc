import { isPageHost, isPageOf, pageOrigin } from '../../contract/formats/page-origin.js';
import type { ValidationIssue } from '../../errors/index.js';
import { isEvmAddress } from '../address.js';
import { parseDateTime } from './date-time.js';
import { isAuthority, isUri, matches, PCHAR, SCHEME, STATEMENT } from './grammar.js';
import type { SiweLeniency, SiweMessage } from './types.js';

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

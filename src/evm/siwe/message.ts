import { RequestValidationError, type ValidationIssue } from '../../errors/index.js';
import { isEvmAddress, toChecksumAddress } from '../address.js';
import { parseDateTime } from './date-time.js';
import { isAuthority, isUri, matches, PCHAR, SCHEME, STATEMENT } from './grammar.js';

/** The fields of a Sign-In with Ethereum message (EIP-4361). */
export type SiweMessage = {
  /** Scheme of the origin that asks, for example `https`; left out of the message when absent. */
  scheme?: string | undefined;
  /** Host that asks, with its port if it has one: in a browser `location.host`. */
  domain: string;
  /** The account that signs, 0x and 40 hex characters. Written in its EIP-55 form. */
  address: string;
  /** What the user agrees to. One line of ASCII by the grammar. */
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
  /** An id of your own, of the characters that a URI path may have. */
  requestId?: string | undefined;
  /** URIs that the signature is about. */
  resources?: readonly string[] | undefined;
};

/** Exceptions from EIP-4361. All are off by default. */
export type SiweLeniency = {
  /**
   * Accept a nonce that is not 8 or more letters and digits, as long as it is printable ASCII
   * without a space. In practice the service issues base64 nonces.
   */
  allowAnyNonce?: boolean | undefined;
  /** Accept an address in a message that is all lower or all upper case instead of EIP-55. */
  allowUncheckedAddress?: boolean | undefined;
};

const NONCE = /^[A-Za-z0-9]{8,}$/;
const PRINTABLE = /^[\x21-\x7e]{1,200}$/;
const isScheme = matches(SCHEME);
const isStatement = matches(STATEMENT);
const isRequestId = matches(`${PCHAR}*`);

/** The rule for a nonce that a nonce breaks; `undefined` when it fits. */
export function nonceIssue(nonce: string, leniency: SiweLeniency): string | undefined {
  if (NONCE.test(nonce) || (leniency.allowAnyNonce === true && PRINTABLE.test(nonce))) return;
  return leniency.allowAnyNonce ? 'printable ASCII' : 'at least 8 letters and digits (EIP-4361)';
}

/** Every rule of the grammar that the fields break. */
export function fieldIssues(fields: SiweMessage, leniency: SiweLeniency): ValidationIssue[] {
  const rules: [path: keyof SiweMessage, holds: boolean, message: string][] = [
    ['scheme', optional(fields.scheme, isScheme), 'not a URI scheme'],
    ['domain', holds(fields.domain, isHost), 'not an RFC 3986 authority'],
    ['address', holds(fields.address, isEvmAddress), 'not an EVM address'],
    ['statement', optional(fields.statement, isStatement), NOT_A_LINE],
    ['uri', holds(fields.uri, isUri), 'not an RFC 3986 URI'],
    ['version', fields.version === '1', "not '1'"],
    ['chainId', Number.isSafeInteger(fields.chainId) && fields.chainId >= 0, 'not a chain id'],
    ['issuedAt', holds(fields.issuedAt, isDateTime), NOT_A_TIME],
    ['expirationTime', optional(fields.expirationTime, isDateTime), NOT_A_TIME],
    ['notBefore', optional(fields.notBefore, isDateTime), NOT_A_TIME],
    ['requestId', optional(fields.requestId, isRequestId), 'not RFC 3986 path characters'],
    ['resources', areUris(fields.resources), 'not RFC 3986 URIs'],
  ];
  const nonce = typeof fields.nonce === 'string' ? nonceIssue(fields.nonce, leniency) : 'missing';
  if (nonce !== undefined) rules.push(['nonce', false, nonce]);
  return rules.filter((rule) => !rule[1]).map(([path, , message]) => ({ path, message }));
}

/**
 * Builds the text of a Sign-In with Ethereum message, byte for byte as EIP-4361 has it. No field
 * can bring in a line break, a control character or a line of its own.
 *
 * @throws RequestValidationError listing every field that breaks the grammar.
 *
 * @example
 * ```ts
 * import { buildSiweMessage } from 'card-platform-sdk/evm';
 *
 * const text = buildSiweMessage({
 *   domain: 'app.example',
 *   address: '0x9D85ca56217D2bb651b00f15e694EB7E713637D4',
 *   statement: 'Prove address ownership',
 *   uri: 'https://app.example',
 *   version: '1',
 *   chainId: 59144,
 *   nonce: '6f1a2b3c4d5e',
 *   issuedAt: '2026-01-31T09:00:00.000Z',
 * });
 * ```
 */
export function buildSiweMessage(fields: SiweMessage, leniency: SiweLeniency = {}): string {
  const issues = fieldIssues(fields, leniency);
  if (issues.length > 0) throw new RequestValidationError(issues);
  const { scheme, statement, expirationTime, notBefore, requestId, resources } = fields;
  return [
    `${scheme === undefined ? '' : `${scheme}://`}${fields.domain}${FIRST_LINE_END}`,
    toChecksumAddress(fields.address),
    '',
    ...(statement === undefined ? [''] : [statement, '']),
    `URI: ${fields.uri}`,
    'Version: 1',
    `Chain ID: ${fields.chainId}`,
    `Nonce: ${fields.nonce}`,
    `Issued At: ${fields.issuedAt}`,
    ...line('Expiration Time', expirationTime),
    ...line('Not Before', notBefore),
    ...line('Request ID', requestId),
    ...(resources === undefined ? [] : ['Resources:', ...resources.map((uri) => `- ${uri}`)]),
  ].join('\n');
}

/** The rest of the first line, after the domain. */
export const FIRST_LINE_END = ' wants you to sign in with your Ethereum account:';

const NOT_A_TIME = 'not an RFC 3339 date and time';
const NOT_A_LINE = 'not a line of EIP-4361 characters';

function line(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${name}: ${value}`];
}

function isHost(text: string): boolean {
  return text !== '' && isAuthority(text);
}

function isDateTime(text: string): boolean {
  return parseDateTime(text) !== undefined;
}

function areUris(list: readonly string[] | undefined): boolean {
  return list === undefined || (Array.isArray(list) && list.every((uri) => holds(uri, isUri)));
}

function holds(value: unknown, rule: (text: string) => boolean): boolean {
  return typeof value === 'string' && rule(value);
}

function optional(value: unknown, rule: (text: string) => boolean): boolean {
  return value === undefined || holds(value, rule);
}

import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { isTime } from '../../delegation/check-values.js';
import type { ValidationIssue } from '../../errors/index.js';
import { readSiweMessage } from './parse.js';
import { parseDateTime, type SiweLeniency, type SiweMessage } from './rules.js';

/** The expected message. Every field is required: a field that is not compared protects nobody. */
export type SiweExpectation = SiweLeniency & {
  /** Host that asks: in a browser `location.host`. Compared exactly. */
  domain: string;
  /** Compared exactly. */
  uri: string;
  chainId: number;
  /** The nonce that the service issued. Compared exactly. */
  nonce: string;
  /** The account, in any case. */
  address: string;
  /**
   * Time at which the message must be valid, in milliseconds since 1970. With anything else the
   * check fails with the issue `now`.
   */
  now: number;
};

/** A valid message, or every reason why it is not valid. */
export type SiweCheck =
  | { readonly ok: true; readonly message: SiweMessage }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] };

/**
 * Checks a Sign-In with Ethereum message against EIP-4361 and against the expected fields, for
 * example one that a front end sends to a server. Does not throw.
 *
 * @example
 * ```ts
 * import { checkSiweMessage } from 'card-platform-sdk/evm';
 *
 * function isOurs(text: string, nonce: string, address: string): boolean {
 *   const domain = 'app.example';
 *   const uri = 'https://app.example';
 *   return checkSiweMessage(text, { domain, uri, chainId: 59144, nonce, address, now: Date.now() }).ok;
 * }
 * ```
 */
export function checkSiweMessage(text: string, expected: SiweExpectation): SiweCheck {
  const given = { ...expected };
  // Compared with anything but a time, no message would ever expire.
  if (!isTime(given.now)) return { ok: false, issues: [{ path: 'now', message: NOT_A_TIME }] };
  const { message, issues } = readSiweMessage(text, given);
  if (issues.length === 0) issues.push(...differences(message, given));
  return issues.length === 0 ? { ok: true, message } : { ok: false, issues };
}

function differences(message: SiweMessage, expected: SiweExpectation): ValidationIssue[] {
  const { domain, uri, chainId, nonce, now } = expected;
  const rules: [path: keyof SiweMessage, holds: boolean, message: string][] = [
    ['domain', message.domain === domain, DIFFERENT],
    ['uri', message.uri === uri, DIFFERENT],
    ['chainId', message.chainId === chainId, DIFFERENT],
    ['nonce', message.nonce === nonce, DIFFERENT],
    ['address', equalsIgnoringCase(expected.address, message.address), DIFFERENT],
    ['expirationTime', now < time(message.expirationTime, Number.POSITIVE_INFINITY), 'expired'],
    ['notBefore', now >= time(message.notBefore, Number.NEGATIVE_INFINITY), 'not valid yet'],
  ];
  return rules.filter((rule) => !rule[1]).map(([path, , text]) => ({ path, message: text }));
}

const DIFFERENT = 'not the expected value';
const NOT_A_TIME = 'not milliseconds since 1970';

function time(text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : parseDateTime(text);
}

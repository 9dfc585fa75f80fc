import {
  isCardPlatformError,
  type RequestValidationError,
  type ValidationIssue,
} from '../../errors/index.js';
import { parseDateTime } from './date-time.js';
import type { SiweLeniency, SiweMessage } from './message.js';
import { parseSiweMessage } from './parse.js';

/** What a message has to say. Every field is required: what is not compared protects nobody. */
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
  /** Time at which the message has to be valid, in milliseconds since 1970. */
  now: number;
};

/** A message that holds, or every reason why it does not. */
export type SiweCheck =
  | { readonly ok: true; readonly message: SiweMessage }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] };

/**
 * Checks a Sign-In with Ethereum message against EIP-4361 and against what it has to say, for
 * example one that a front end hands to a server to submit. Throws nothing.
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
  try {
    const message = parseSiweMessage(text, expected);
    const issues = differences(message, expected);
    return issues.length === 0 ? { ok: true, message } : { ok: false, issues };
  } catch (error) {
    if (isCardPlatformError(error)) {
      return { ok: false, issues: (error as RequestValidationError).issues };
    }
    throw error;
  }
}

function differences(message: SiweMessage, expected: SiweExpectation): ValidationIssue[] {
  const { domain, uri, chainId, nonce, now } = expected;
  const rules: [path: keyof SiweMessage, holds: boolean, message: string][] = [
    ['domain', message.domain === domain, DIFFERENT],
    ['uri', message.uri === uri, DIFFERENT],
    ['chainId', message.chainId === chainId, DIFFERENT],
    ['nonce', message.nonce === nonce, DIFFERENT],
    ['address', message.address.toLowerCase() === expected.address.toLowerCase(), DIFFERENT],
    ['expirationTime', now < time(message.expirationTime, Number.POSITIVE_INFINITY), 'run out'],
    ['notBefore', now >= time(message.notBefore, Number.NEGATIVE_INFINITY), 'not valid yet'],
  ];
  return rules.filter((rule) => !rule[1]).map(([path, , text]) => ({ path, message: text }));
}

const DIFFERENT = 'not the expected one';

function time(text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : (parseDateTime(text) ?? Number.NaN);
}

import { BUSINESS_ERRORS } from '../../contract/business-errors.js';
import { isIsoDate } from '../../contract/formats/iso-date.js';
import { CHAIN_IDS as KNOWN_CHAIN_IDS } from '../../contract/lists.js';
import { OAUTH_CODES } from './error-schemas.js';
import { isKnownField, isKnownValue } from './known-words.js';

/**
 * A number with a fraction, a round number, or a number below 100. Any other could be a PIN, a one-time
 * code or a CVC.
 */
const AMOUNT = /^(?:\d{1,12}\.\d{1,18}|\d{1,2}0{0,16})$/;
const CHAIN_IDS: ReadonlySet<number> = new Set([...Object.values(KNOWN_CHAIN_IDS), 8453, 101]);
const COLOUR = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;
const FLAG = /^(?:true|false)$/;

/** Texts of error bodies that the contract documents, and of refusals that it describes. */
const MESSAGES: ReadonlySet<string> = new Set([
  ...Object.values(BUSINESS_ERRORS).flatMap(({ messages }) => messages),
  'validation failed',
  'internal server error',
  'invalid client key',
  'missing client key',
  'otp required',
  'not found',
  'forbidden',
  'unauthorized',
  'bad request',
  ...OAUTH_CODES,
]);

function isMessage(text: string): boolean {
  return MESSAGES.has(text.trim().toLowerCase().replace(/\.$/, ''));
}

/** Whether digits could be a card number (Luhn), or are so long that they could contain one. */
export function mayBeCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  if (digits.length < 12) return false;
  if (digits.length > 19) return true;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

const isAmount = (text: string) => AMOUNT.test(text) && !mayBeCardNumber(text);

/** Whether a number of seconds is a lifetime in whole minutes. */
const isLifetime = (text: string) => /^[1-9]\d{1,8}$/.test(text) && Number(text) % 60 === 0;

type Rule = readonly [names: RegExp, isKept: (text: string) => boolean];

/** The values that are kept, by the names of their fields. Everything else is replaced. */
const RULES: readonly Rule[] = [
  [
    /^(?:status|type|sign|network|currency|environment|region|symbol|phase|method|\w+(?:Type|Status|State|Currency|Symbol|Types|_types?|_hint|_method)|paymentMethod|action)$/,
    isKnownValue,
  ],
  [
    /^(?:amount\w*|balance|allowance|price|limit|fees?|fees\w+|swapFee|eth|usd|billingConversionRate|ecbRate|paymentAmount)$/,
    isAmount,
  ],
  [/^(?:\w+At|date|dateTime|dateFrom|dateTo|timestamp)$/, isIsoDate],
  [/Colou?r\w{0,40}$/, (text) => COLOUR.test(text)],
  [/^(?:refresh_token_)?expires_in$/, isLifetime],
  [/(?:chainId|ChainId)$/, (text) => CHAIN_IDS.has(Number(text.replace(/^eip155:/, '')))],
  [/^(?:page|offset|priority|decimals|count|cap|used|attemptNumber|\w+Radius)$/, isAmount],
  [/^(?:faucet|is[A-Z]\w*|is_\w+|x-us-env)$/, (text) => FLAG.test(text)],
  [/^(?:message|error|details)$/, isMessage],
  [/^field$/, isKnownField],
];

/** Whether the text of a known field can be kept: its form leaves no room for a secret. */
export function isKeptText(name: string, text: string): boolean {
  return RULES.some(([names, isKept]) => names.test(name) && isKept(text));
}

import { BUSINESS_ERRORS } from '../../contract/business-errors.js';
import { isIsoDate } from '../../contract/formats/iso-date.js';
import { CHAIN_IDS as KNOWN_CHAIN_IDS } from '../../contract/lists.js';
import { isSecretName } from '../../transport/response/redact.js';
import { isHarmlessName, isKnownField, isKnownValue } from './known-words.js';
import { fieldsOf, itemOf, OAUTH_CODES, valueSchemaOf, type Zod } from './schema-parts.js';

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

/** The length of a CVC. */
const SHORTEST_SECRET = 3;

type Form = {
  readonly test: RegExp;
  readonly write: (count: number, text: string) => string;
};

const padded = (count: number, length: number) => String(count).padStart(length, '0');
const hex = (count: number, text: string) => `0x${padded(count, text.length - 2)}`;

/** Forms that a replacement keeps, so that a replayed fixture still fits the contract. */
const FORMS: readonly Form[] = [
  {
    test: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i,
    write: (count) => `00000000-0000-4000-8000-${padded(count, 12)}`,
  },
  { test: /^0x(?:[\da-f]{40}|[\da-f]{64}|[\da-f]{130})$/i, write: hex },
  { test: /^[^\s@]+@[^\s@]+$/, write: (count) => `person-${count}@example.com` },
  { test: /^https?:\/\//i, write: (count) => `https://redacted.example/${count}` },
  { test: /^\d{4}\/\d{2}$/, write: () => '2030/01' },
  { test: /^\d{4}-\d{2}-\d{2}$/, write: () => '1990-01-01' },
  { test: /^\+\d[\d ().-]{5,24}$/, write: (count) => `+1555${padded(count, 7)}` },
  { test: /^\d{1,18}$/, write: (count, text) => padded(count, text.length) },
  { test: /^Bearer /i, write: (count) => `Bearer redacted-${count}` },
];

/**
 * Replacements that are the same wherever the same value occurs, so that fixtures still belong
 * together: the user of one is the user of another. They are counted, never computed from the value:
 * a hash of a PIN can be reversed.
 */
class Placeholders {
  readonly #byText = new Map<string, string>();
  readonly #names = new Map<string, string>();

  /** Returns the replacement of a value. An empty text stays empty. */
  replace(text: string): string {
    if (text.trim() === '') return '';
    const key = /^0x/i.test(text) ? text.toLowerCase() : text;
    const known = this.#byText.get(key);
    if (known !== undefined) return known;
    const replacement = this.#next(text);
    this.#byText.set(key, replacement);
    return replacement;
  }

  /**
   * Whether a value was replaced somewhere. It is then replaced everywhere, unless it is so short that
   * it occurs by chance.
   */
  has(text: string): boolean {
    return text.length >= SHORTEST_SECRET && this.#byText.has(text);
  }

  /** Returns the replacement of a name: of a field, or of a part of a path. */
  replaceName(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const replacement = `hidden-name-${this.#names.size + 1}`;
    this.#names.set(name, replacement);
    return replacement;
  }

  #next(text: string): string {
    const form = FORMS.find(({ test }) => test.test(text));
    const count = this.#byText.size + 1;
    const written = form?.write(count, text);
    // A secret that looks like its own replacement must not stay.
    const isSame = written === undefined || text.includes(written);
    return isSame ? `redacted-${count}` : written;
  }
}

/**
 * The knowledge that the contract has of a value: its schema, the schemas of the fields of a request,
 * `named` if the contract has only the name of the field, or nothing. Nothing known means nothing kept.
 */
export type Knowledge = Zod | ReadonlyMap<string, Zod> | 'named' | undefined;

/** Fields with any content. Nothing in them is known. */
const FREE_FORM = /^(?:metadata|requestHeaders|requestBody|responseBody)$/;

const DEEPEST = 32;

const isFieldMap = (known: Knowledge): known is ReadonlyMap<string, Zod> => known instanceof Map;

const isSchema = (known: Knowledge): known is Zod =>
  typeof known === 'object' && !isFieldMap(known);

/** Returns the knowledge of a field of an object. */
function knowledgeOfField(known: Knowledge, name: string): Knowledge {
  if (known === undefined || isSecretName(name) || FREE_FORM.test(name)) return undefined;
  if (isFieldMap(known)) return known.get(name);
  if (!isSchema(known)) return isKnownField(name) ? 'named' : undefined;
  const fields = fieldsOf(known) ?? {};
  if (Object.hasOwn(fields, name)) return fields[name];
  return valueSchemaOf(known);
}

/** Returns the knowledge of the items of a list. */
function knowledgeOfItem(known: Knowledge): Knowledge {
  if (isSchema(known)) return itemOf(known);
  return known === 'named' ? known : undefined;
}

/** Replaces everything in a value that the contract does not know to be harmless. */
export class Redaction {
  readonly placeholders = new Placeholders();

  /** Returns the name of a field or a part of a path, or its replacement. */
  name(name: string): string {
    const isShown = isHarmlessName(name) && !this.#isSecret(name);
    return isShown ? name : this.placeholders.replaceName(name);
  }

  /** Returns a text of a field, or its replacement. */
  text(text: string, name: string, known: Knowledge): string {
    const isKept = known !== undefined && isKeptText(name, text) && !this.#isSecret(text);
    return isKept ? text : this.placeholders.replace(text);
  }

  /** Whether a value was a secret elsewhere. A word of the contract never is. */
  #isSecret(text: string): boolean {
    return !isKnownValue(text) && this.placeholders.has(text);
  }

  /** Returns a value of JSON with its secrets replaced: a number by 0. `true`, `false` and `null` stay. */
  json(value: unknown, known: Knowledge, name = '', depth = 0): unknown {
    if (typeof value === 'string') return this.text(value, name, known);
    if (typeof value === 'number') return this.#number(value, known, name);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= DEEPEST) return null;
    if (Array.isArray(value)) {
      const item = knowledgeOfItem(known);
      return value.map((one) => this.json(one, item, name, depth + 1));
    }
    return Object.fromEntries(
      Object.entries(value).map(([field, one]) => [
        this.name(field),
        this.json(one, knowledgeOfField(known, field), field, depth + 1),
      ]),
    );
  }

  #number(value: number, known: Knowledge, name: string): number {
    if (known === undefined || this.#isSecret(String(value))) return 0;
    return isKeptText(name, String(value)) ? value : 0;
  }
}

import * as z from 'zod/mini';
import { built, Field, type Fields, type Parts, UNKNOWN_FIELD, type ZodShape } from './field.js';
import { isSolanaAddress, isSolanaSignature, isSystemProgram } from './formats/base58.js';
import { isDecimal, isPositiveDecimal } from './formats/decimal.js';
import { isEvmAddress } from './formats/evm-address.js';
import { isZeroAddress } from './formats/evm-checksum.js';
import { isIsoDate } from './formats/iso-date.js';
import { isHttpsUrl, isReturnUrl, isSecureUrl } from './formats/url.js';
import { fitsIntoBytes } from './formats/utf8-length.js';
import type { JsonValue } from './schema.js';

// The comments `@__NO_SIDE_EFFECTS__` let a bundler drop the endpoints that a program does not use,
// together with their fields. esbuild reads them only at functions.

// @__NO_SIDE_EFFECTS__
function field<Zod extends z.core.$ZodType>(build: () => Zod, parts?: Parts) {
  return new Field(build, parts);
}

const string = () => z.string({ error: 'must be a string' });

type TextCheck = z.core.CheckFn<string> | z.core.$ZodCheck<string>;

// @__NO_SIDE_EFFECTS__
function textWith(checks: () => [TextCheck, ...TextCheck[]], parts: Parts = { isText: true }) {
  return field(() => string().check(...checks()), parts);
}

const atLeast = (length: number, error: string) => z.minLength(length, { error });
const notEmpty = () => atLeast(1, 'must not be empty');

/** An input: exactly these fields and no others. */
// @__NO_SIDE_EFFECTS__
export function input<Shape extends Fields>(
  shape: Shape,
  ...rules: readonly Rule<z.output<z.ZodMiniObject<ZodShape<Shape>, z.core.$strict>>>[]
) {
  const build = () =>
    z
      .strictObject(built(shape), {
        error: (issue) =>
          issue.code === 'unrecognized_keys' ? UNKNOWN_FIELD : 'must be an object',
      })
      .check(...rules.map(checkOf));
  return field(build, { fields: shape });
}

/** An object of a response: these fields. Further ones pass, but the contract has no others. */
// @__NO_SIDE_EFFECTS__
export function responseBody<Shape extends Fields>(fields: Shape, parts: Parts = {}) {
  return field(() => z.looseObject(built(fields), { error: 'must be an object' }), {
    fields,
    ...parts,
  });
}

/** An object of a response of which the contract shows only these fields. */
// @__NO_SIDE_EFFECTS__
export function partOfBody<Shape extends Fields>(fields: Shape) {
  return responseBody(fields, { isOpen: true });
}

/** A response object with keys of the service's choice. */
// @__NO_SIDE_EFFECTS__
export function mapOf<Zod extends z.core.$ZodType>(values: Field<Zod>) {
  return field(() => z.record(z.string(), values.zod, { error: 'must be an object' }), { values });
}

/** A response object that is empty where there is nothing to show. */
// @__NO_SIDE_EFFECTS__
export function orBlank<Zod extends z.core.$ZodType>(inner: Field<Zod>) {
  return field(() => z.union([inner.zod, z.strictObject({})]), { inner, mayBeBlank: true });
}

/** A field that may be left out. */
// @__NO_SIDE_EFFECTS__
export function optional<Zod extends z.core.$ZodType>(inner: Field<Zod>) {
  return field(() => z.optional(inner.zod), { inner, mayBeAbsent: true });
}

/** A field of a response that may be null. */
// @__NO_SIDE_EFFECTS__
export function orNull<Zod extends z.core.$ZodType>(inner: Field<Zod>) {
  return field(() => z.nullable(inner.zod), { inner, mayBeNull: true });
}

/** A field of a response that may be absent or null. */
// @__NO_SIDE_EFFECTS__
export function maybe<Zod extends z.core.$ZodType>(inner: Field<Zod>) {
  const parts = { inner, mayBeAbsent: true, mayBeNull: true };
  return field(() => z.optional(z.nullable(inner.zod)), parts);
}

/** A field that the contract does not have, but live responses do: it is not drift. */
// @__NO_SIDE_EFFECTS__
export function observed<Zod extends z.core.$ZodType>(inner: Field<Zod>) {
  const parts = { inner, mayBeAbsent: true, mayBeNull: true, isObserved: true };
  return field(() => z.optional(z.nullable(inner.zod)), parts);
}

/** An array. */
// @__NO_SIDE_EFFECTS__
export function list<Zod extends z.core.$ZodType>(item: Field<Zod>) {
  return field(() => z.array(item.zod, { error: 'must be an array' }), { item });
}

/** An array of at least one item. */
// @__NO_SIDE_EFFECTS__
export function filledList<Zod extends z.core.$ZodType>(inner: Field<Zod>, error: string) {
  return field(() => list(inner).zod.check(z.minLength(1, { error })), { item: inner });
}

/** An array of at least one item, in which no two items have the same value of a field. */
// @__NO_SIDE_EFFECTS__
export function distinctList<Zod extends z.core.$ZodType>(
  item: Field<Zod>,
  names: readonly (keyof z.output<Zod> & string)[],
) {
  return field(() =>
    filledList(item, 'must not be empty').zod.check(({ value, issues }) => {
      for (const name of names) {
        const values = value.map((one) => Object(one)[name]);
        const index = values.findIndex((one, at) => values.indexOf(one) < at);
        const message = `must differ from the \`${name}\` of every other item`;
        if (index < 0) continue;
        issues.push({ code: 'custom', path: [index, name], message, input: value });
      }
    }),
  );
}

/** Any text, empty included. */
export const text = field(string, { isText: true });

/** Text with at least one character. */
export const filledText = textWith(() => [notEmpty()]);

/** Text of at least `length` characters. */
// @__NO_SIDE_EFFECTS__
export function textFrom(length: number) {
  return textWith(() => [notEmpty(), atLeast(length, `must have at least ${length} characters`)]);
}

/** Text of at most `length` characters, without control characters or line breaks. */
// @__NO_SIDE_EFFECTS__
export function textUpTo(length: number) {
  return textWith(() => [
    notEmpty(),
    z.maxLength(length, { error: `must have at most ${length} characters` }),
    z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, { error: 'must not have control characters' }),
  ]);
}

/** `true` or `false`. */
export const flag = field(() => z.boolean({ error: 'must be true or false' }));

const finite = () => z.number({ error: 'must be a finite number' });

/** A finite number. */
export const number = field(finite);

/** A number above zero. */
export const positiveNumber = field(() =>
  finite().check(z.positive({ error: 'must be above zero' })),
);

/** A whole number from zero up. */
export const wholeNumber = field(() =>
  z.int({ error: 'must be a whole number' }).check(z.minimum(0, { error: 'must not be negative' })),
);

/** A whole number, perhaps a negative one. */
export const integer = field(() => z.int({ error: 'must be a whole number' }));

/** A whole number in a range. */
// @__NO_SIDE_EFFECTS__
export function wholeNumberFrom(minimum: number, maximum: number) {
  const error = `must be a whole number from ${minimum} to ${maximum}`;
  return field(() =>
    z.int({ error }).check(z.minimum(minimum, { error }), z.maximum(maximum, { error })),
  );
}

/** Exactly one of the texts. */
// @__NO_SIDE_EFFECTS__
export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  const error = `must be one of ${values.join(', ')}`;
  return field(() => z.enum(values, { error }), { isText: true });
}

/** A JSON object with keys of the caller's choice. */
export const freeForm = field(() =>
  z.record(z.string(), z.custom<JsonValue>(), { error: 'must be an object' }),
);

const MAX_METADATA_BYTES = 64 * 1024;

/** A JSON object with keys of the caller's choice, of at most 64 KiB. */
export const metadata = field(() =>
  freeForm.zod.check(
    z.refine((value) => fitsIntoBytes(value, MAX_METADATA_BYTES), {
      error: 'must be at most 64 KiB of JSON',
    }),
  ),
);

/** The metadata of a consent, whose `timestamp` the contract defines. */
export const consentMetadata = field(() =>
  metadata.zod.check(
    checkOf(
      contractRule(
        'timestamp',
        'must be ISO 8601, for example 2026-01-31T09:00:00Z',
        ({ timestamp }) => {
          return timestamp === undefined || isIsoDate(timestamp);
        },
      ),
    ),
  ),
);

/** Any value. */
export const anything = field(() => z.unknown());

/** One value of a query. */
export const queryValue = field(() =>
  z.union([text.zod, number.zod, flag.zod], {
    error: 'must be a string, a number or true or false',
  }),
);

// @__NO_SIDE_EFFECTS__
function matching(test: (value: string) => boolean, error: string) {
  return textWith(() => [z.refine(test, { error })]);
}

// @__NO_SIDE_EFFECTS__
function pattern(regex: RegExp, error: string) {
  return textWith(() => [z.regex(regex, { error })]);
}

const MEMO = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,256}$/u;
const VISIBLE = /[^\s\p{DI}\u2800]/u;

/** Whether a text can be a memo: visible, and without control or format characters. */
function isMemo(text: string): boolean {
  return MEMO.test(text) && VISIBLE.test(text);
}

/**
 * An address with the characters of RFC 5322 atoms and letters of every script (RFC 6531). zod's own
 * pattern refuses `john&jane@example.com`, `jörg@example.com` and domains below `.xn--p1ai`.
 */
const EMAIL =
  /^(?=[^@]{1,64}@)[!#-'*+\-/=?^-~\p{L}\p{M}\p{N}]+(?:\.[!#-'*+\-/=?^-~\p{L}\p{M}\p{N}]+)*@(?:(?!-)[\p{L}\p{M}\p{N}-]+\.)+(?!-)[\p{L}\p{M}\p{N}-]+$/u;

export const email = textWith(() => [
  z.maxLength(254, { error: 'must have at most 254 characters' }),
  z.email({ pattern: EMAIL, error: 'must be a valid e-mail address' }),
]);
/** A looser form of an e-mail address: anything around one `@`, without blanks. */
export const anyEmail = pattern(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address');
/** A country code of a phone number, with or without the plus sign. */
export const callingCode = pattern(/^\+?\d{1,4}$/, 'must be a calling code');
export const otpCode = pattern(/^[0-9]{6}$/, 'must be 6 digits');
export const uuid = pattern(
  /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/,
  'must be a UUID',
);
/** An opaque id. */
export const identifier = pattern(
  /^[^\s\p{Cc}\p{Cf}\p{Cs}\p{DI}\u2800]{1,200}$/u,
  'must be 1 to 200 characters without blanks or control characters',
);
/** An opaque id in a path: any text that a path segment can contain on every server. */
export const pathIdentifier = pattern(
  /^(?!\.{1,2}$)[^\s\p{Cc}\p{Cf}\p{Cs}\p{DI}\u2800/\\?#%]{1,200}$/u,
  'must be 1 to 200 characters without blanks, control characters or / \\ ? # %, and not . or ..',
);
/** An address on a network that may not be known here. */
export const anyAddress = pattern(
  /^[\x21-\x7e]{1,200}$/,
  'must be 1 to 200 printable ASCII characters without blanks',
);
/** A memo or destination tag. */
export const memo = matching(
  isMemo,
  'must be 1 to 256 characters without control characters, and not blank',
);
/** A path segment of letters, digits and a few signs. */
export const pathId = pattern(
  /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,200}$/,
  'must be 1 to 200 letters, digits, dots, underscores, tildes or hyphens, and not . or ..',
);
/**
 * The service's name of a network or currency. The lists of the contract narrow it further. The
 * journal separates several by commas and colons.
 */
export const code = pattern(
  /^[^\s,:\p{Cc}\p{Cf}\p{Cs}\p{DI}\u2800]{1,200}$/u,
  'must be a code such as usdc, without blanks, control characters or , :',
);
/** "Lowercase code": the contract shows neither its alphabet nor its length. */
export const lowerCaseCode = pattern(
  /^[^\s\p{Lu}\p{Cc}\p{Cf}\p{Cs}\p{DI}\u2800]{1,200}$/u,
  'must be a lower-case code, for example usdc',
);
export const decimalAmount = matching(isDecimal, 'must be a decimal string such as "100.5"');
export const positiveAmount = matching(
  isPositiveDecimal,
  'must be a decimal string above zero such as "100.5"',
);
/** Text with at least one character that is not a blank. */
export const notBlank = pattern(/\S/, 'must not be empty or blank');
export const digits = pattern(/^[0-9]+$/, 'must have only digits');
export const nineDigits = pattern(/^[0-9]{9}$/, 'must be 9 digits');
/** ISO 3166-1 alpha-2, or the abbreviation of a US state. */
export const twoLetters = pattern(/^[A-Za-z]{2}$/, 'must be a code of two letters');
/** RFC 7636. */
export const codeVerifier = pattern(
  /^[A-Za-z0-9._~-]{43,128}$/,
  'must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~',
);
/** SHA-256 in base64url without padding, as RFC 7636 asks for. */
export const codeChallenge = pattern(/^[A-Za-z0-9_-]{43}$/, 'must be base64url of SHA-256');
/** The URL of the service, without query and fragment. */
export const serviceUrl = pattern(
  /^[hH][tT][tT][pP][sS]:\/\/[^/?#@\s\\]+(?:\/[^?#\s\\]*)?$/,
  'must be an https URL without query and fragment',
);
/** A path below the URL of the service. */
export const servicePath = pattern(/^\/(?!\/)[^?#\s\\]*$/, 'must be a path');
export const HEX_COLOUR = /^#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/;
export const HEX_COLOUR_RULE = 'must be a hex colour such as #1A2B3C';
export const hexColour = pattern(HEX_COLOUR, HEX_COLOUR_RULE);
export const httpsUrl = matching(isHttpsUrl, 'must be an https URL');
/** The address that a browser returns to: a page, or a link into an app. */
export const returnUrl = matching(isReturnUrl, 'must be an https URL or an app link');
const isCalendarDay = (value: string) => {
  const [, year, month, dayOfMonth] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? [];
  // `Date.UTC` reads a year below 100 as one of the 20th century. The calendar repeats.
  const last = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  const isMonth = Number(month) >= 1 && Number(month) <= 12;
  return isMonth && Number(dayOfMonth) >= 1 && Number(dayOfMonth) <= last;
};

/** A day that the calendar has. */
export const calendarDay = matching(isCalendarDay, 'must be a date such as 1990-12-31');

/** Whether a text is an address on any network. */
export const isWalletAddress = (value: string) => isEvmAddress(value) || isSolanaAddress(value);

export const walletAddress = textWith(() => [
  notEmpty(),
  z.refine(isWalletAddress, { error: 'must be an EVM or Solana address' }),
  z.refine((value) => !isZeroAddress(value) && !isSystemProgram(value), {
    error: 'must not be the zero address',
  }),
]);
export const evmAddress = matching(
  (value) => isEvmAddress(value) && !isZeroAddress(value),
  'must be 0x and 40 hex characters with a valid EIP-55 checksum, and not the zero address',
);
export const solanaAddress = matching(
  (value) => value.length >= 32 && value.length <= 44 && isSolanaAddress(value),
  'must be base58 of 32 bytes',
);
export const evmHash = pattern(/^0x[a-fA-F0-9]{64}$/, 'must be 0x and 64 hex characters');
export const evmSignature = pattern(/^0x[a-fA-F0-9]{130}$/, 'must be 0x and 130 hex characters');
export const solanaSignature = matching(
  isSolanaSignature,
  'must be base58 of 64 bytes in 87 or 88 characters',
);
export const delegationToken = pattern(
  /^[A-Za-z0-9_-]{1,200}$/,
  'must be 1 to 200 letters, digits, underscores or hyphens',
);

/** A URL in a response that a browser opens: https, or http on a loopback host. */
export const secureUrl = textWith(
  () => [z.refine(isSecureUrl, { error: 'must be an https URL' })],
  {},
);

/** Text of at most `length` characters, in a response. */
// @__NO_SIDE_EFFECTS__
export function shortText(length: number) {
  return textWith(() => [z.maxLength(length, { error: `must have at most ${length} characters` })]);
}

/** A point in time. */
export const timestamp = matching(
  (value) => value.includes('T') && isIsoDate(value),
  'must be an ISO 8601 time, for example 2026-01-31T09:00:00Z',
);

/** An amount in a response. A number may have lost digits, so it is never passed on. */
export const amount = textWith(
  () => [z.regex(/^-?\d+(?:\.\d+)?$/, { error: 'must be a decimal string such as "100.5"' })],
  { isText: true, tolerated: maybe(text) },
);

/** A price in a response, as a number. The user pays it, so an impossible one is never passed on. */
export const price = field(() => positiveNumber.zod, { tolerated: maybe(positiveNumber) });

/** The name on a card. */
export const upperCaseText = matching(
  (value) => value === value.toUpperCase(),
  'must be in upper case',
);
export const yearAndMonth = pattern(/^\d{4}\/(?:0[1-9]|1[0-2])$/, 'must be YYYY/MM');
export const fourDigits = pattern(/^\d{4}$/, 'must be 4 digits');

// No contract shows the sign that hides a character.
const isMasked = (value: string) => /[*•●·…×█]|xxx|XXX|\.\.\.|###|___|---/.test(value);

/** Text of which only some characters are visible. */
export const maskedText = matching(isMasked, 'must be masked');
/** Text that is shown in full. */
export const unmaskedText = matching(
  (value) => value !== '' && !isMasked(value),
  'must not be empty or masked',
);

/** A UUID of version 4, perhaps after a short prefix and an underscore. */
export const prefixedUuid = pattern(
  /^(?:[A-Za-z0-9]{1,16}_)?[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$/,
  'must be a UUID of version 4, perhaps after a prefix',
);

/** Text or a number, where both were observed. */
export const textOrNumber = field(() =>
  z.union([text.zod, number.zod], { error: 'must be a string or a number' }),
);

/** Whether a command was done. Another value than `true` and `false` proves nothing. */
export const said = field(() => flag.zod, { tolerated: optional(flag) });

/** A rule over several fields of an input. */
export type Rule<T> = {
  path: string;
  error: string;
  holds(value: T): boolean;
  /** Whether the contract has the rule, and not only this package. */
  isOfContract?: boolean;
};

/**
 * Defines a rule of this package over several fields, reported together with the rules that single
 * fields break.
 */
// @__NO_SIDE_EFFECTS__
export function rule<T>(path: string, error: string, holds: (value: T) => boolean): Rule<T> {
  return { path, error, holds };
}

type Days = { readonly dateFrom?: unknown; readonly dateTo?: unknown };

/** The rules of a period: both of its days, or neither. The error names the missing one. */
export const bothDays = [
  rule<Days>('dateFrom', 'must be given with dateTo', ({ dateFrom, dateTo }) => {
    return dateFrom !== undefined || dateTo === undefined;
  }),
  rule<Days>('dateTo', 'must be given with dateFrom', ({ dateFrom, dateTo }) => {
    return dateTo !== undefined || dateFrom === undefined;
  }),
] as const;

/** Defines a rule of the contract over several fields. */
// @__NO_SIDE_EFFECTS__
export function contractRule<T>(
  path: string,
  error: string,
  holds: (value: T) => boolean,
): Rule<T> {
  return { path, error, holds, isOfContract: true };
}

const checkOf = <T>({ path, error, holds, isOfContract = false }: Rule<T>) =>
  z.refine<T>((value) => typeof value !== 'object' || value === null || holds(value), {
    error,
    path: [path],
    when: () => true,
    params: { isOfContract },
  });

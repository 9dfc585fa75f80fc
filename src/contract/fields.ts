import * as z from 'zod/mini';
import { isSolanaAddress, isSolanaSignature } from './formats/base58.js';
import { isDecimal, isPositiveDecimal } from './formats/decimal.js';
import { isEvmAddress, isZeroAddress } from './formats/evm-address.js';
import { isHttpsUrl, isReturnUrl, isSecureUrl } from './formats/url.js';
import type { JsonValue } from './schema.js';

const string = () => z.string({ error: 'must be a string' });

/** An input: exactly these fields and no others. */
export const input = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? 'is not a known field' : 'must be an object',
  });

/** An answer: these fields, and whatever else the service says. */
export const answer = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.looseObject(shape, { error: 'must be an object' });

/** A field that may be left out. */
export const optional = z.optional;

/** A field of an answer that may be absent or null. */
export const maybe = <T extends z.core.SomeType>(schema: T) => z.optional(z.nullable(schema));

/** A list of things. */
export const list = <T extends z.core.SomeType>(schema: T) =>
  z.array(schema, { error: 'must be an array' });

/** Any text, empty included. */
export const text = string();

/** Text with at least one character. */
export const filledText = string().check(z.minLength(1, { error: 'must not be empty' }));

/** Text of at most so many characters. */
export const textUpTo = (length: number) =>
  string().check(
    z.minLength(1, { error: 'must not be empty' }),
    z.maxLength(length, { error: `must have at most ${length} characters` }),
  );

/** `true` or `false`. */
export const flag = z.boolean({ error: 'must be true or false' });

/** A finite number. */
export const number = z.number({ error: 'must be a finite number' });

/** A whole number from zero up. */
export const wholeNumber = z
  .int({ error: 'must be a whole number' })
  .check(z.minimum(0, { error: 'must not be negative' }));

/** Exactly one of the texts. */
export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

/** A JSON object with keys of the caller's choice. */
export const freeForm = z.record(z.string(), z.custom<JsonValue>(), {
  error: 'must be an object',
});

const matching = (test: (value: string) => boolean, error: string) =>
  string().check(z.refine(test, { error }));

const pattern = (regex: RegExp, error: string) => string().check(z.regex(regex, { error }));

export const email = string().check(
  z.maxLength(254, { error: 'must have at most 254 characters' }),
  z.email({ error: 'must be a valid e-mail address' }),
);
export const otpCode = pattern(/^[0-9]{6}$/, 'must be 6 digits');
export const uuid = pattern(
  /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/,
  'must be a UUID',
);
/** An opaque id that stands in a path. */
export const pathId = pattern(
  /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,200}$/,
  'must be 1 to 200 letters, digits, dots, underscores, tildes or hyphens, and no dot segment',
);
/** The service's name of a network or currency. The lists of the contract narrow it further. */
export const code = pattern(
  /^[A-Za-z][A-Za-z0-9_-]{0,31}$/,
  'must be a code of letters and digits, for example usdc',
);
export const lowerCaseCode = pattern(
  /^[a-z][a-z0-9_-]{0,31}$/,
  'must be a lower-case code, for example usdc',
);
export const decimalAmount = matching(isDecimal, 'must be a decimal string such as "100.5"');
export const positiveAmount = matching(
  isPositiveDecimal,
  'must be a decimal string above zero such as "100.5"',
);
export const hexColour = pattern(
  /^#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/,
  'must be a hex colour such as #1A2B3C',
);
export const httpsUrl = matching(isHttpsUrl, 'must be an https URL');
export const returnUrl = matching(isReturnUrl, 'must be an https URL or an app link');
export const day = pattern(
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  'must be YYYY-MM-DD',
);

export const evmAddress = matching(
  (value) => isEvmAddress(value) && !isZeroAddress(value),
  'must be 0x and 40 hex characters with a right EIP-55 checksum, and not the zero address',
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

/** A URL in an answer that a browser is sent to: https, or http on a loopback host. */
export const secureUrl = matching(isSecureUrl, 'must be an https URL');

/** `{ success }`, the answer of most commands. */
export const successAnswer = {
  schema: answer({ success: flag }),
  essential: answer({ success: flag }),
};

/** A rule over several fields, told together with the rules that single fields break. */
export const rule = <T>(path: string, error: string, holds: (value: T) => boolean) =>
  z.refine<T>((value) => typeof value !== 'object' || value === null || holds(value), {
    error,
    path: [path],
    when: () => true,
  });

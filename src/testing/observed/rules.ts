import { isDecimal } from '../../contract/formats/decimal.js';
import { isObject } from '../../contract/formats/is-object.js';

/** The rule of a field: its check, and the message of a refusal. */
export type Rule = {
  readonly message: string;
  readonly isValid: (value: unknown) => boolean;
  readonly isOptional?: boolean;
};

/** The fields of a request, by their names on the wire. */
export type Fields = Readonly<Record<string, Rule>>;

const rule = (message: string, isValid: (value: unknown) => boolean): Rule => ({
  message,
  isValid,
});

const matches = (message: string, pattern: RegExp) =>
  rule(message, (value) => typeof value === 'string' && pattern.test(value));

/** Returns the same rule for a field that may be absent or null. */
export const optional = (required: Rule): Rule => ({ ...required, isOptional: true });

export const text = matches('must be a non-empty string', /\S/);
export const email = matches('must be an e-mail address', /^[^\s@]+@[^\s@]+$/);
export const sixDigits = matches('must have 6 digits', /^\d{6}$/);
export const country = matches('must be a country code of two letters', /^[A-Za-z]{2}$/);
export const usState = matches('must be a postal abbreviation', /^[A-Za-z]{2}$/);
export const ssn = matches('must have nine digits', /^\d{9}$/);
export const phoneNumber = matches('must have 4 to 15 digits', /^\d{4,15}$/);
// One source has the plus sign, the other does not.
export const callingCode = matches('must be a calling code', /^\+?\d{1,4}$/);
export const uuid = matches('must be a UUID', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
export const upTo100 = matches('must be from 1 to 100', /^(?:[1-9]\d?|100)$/);
export const flag = rule('must be a boolean', (value) => typeof value === 'boolean');
export const decimal = rule('must be a decimal string', isDecimal);
export const codeChallenge = matches('must be base64url of SHA-256', /^[\w-]{43}$/);
export const codeVerifier = matches(
  'must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~',
  /^[\w.~-]{43,128}$/,
);

export const day = rule('must be a date such as 1990-12-31', (value) => {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
});

/** Returns the rule of a field that has one of these values. */
export const oneOf = (...values: readonly string[]): Rule =>
  rule(`must be one of ${values.join(', ')}`, (value) => values.some((one) => one === value));

/** Returns the rule of a list whose items have these fields. */
export const listOf = (fields: Fields): Rule =>
  rule(`must be a list of ${Object.keys(fields).join(' and ')}`, (value) => {
    if (!Array.isArray(value)) return false;
    return value.every((item) => isObject(item) && brokenFields(fields, item).length === 0);
  });

export const whole = rule('must be a whole number', (value) => Number.isSafeInteger(value));

/** A field of a request that is not valid. */
export type BrokenField = { field: string; message: string };

/** Returns the fields of a request that break their rules. */
export function brokenFields(
  fields: Fields,
  input: Readonly<Record<string, unknown>>,
): BrokenField[] {
  return Object.entries(fields).flatMap(([field, { message, isValid, isOptional = false }]) => {
    const value = input[field];
    const isAbsent = value === undefined || value === null;
    if (isAbsent && isOptional) return [];
    if (isAbsent) return [{ field, message: 'is required' }];
    return isValid(value) ? [] : [{ field, message }];
  });
}

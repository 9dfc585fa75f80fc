/** A JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The path of a field that breaks a rule, from the value that has the rule. */
export type Broken = readonly string[];

/**
 * A rule for a value: data and one function, so nothing is built before a call. There are no messages,
 * because the client reports only which fields break a schema that is not its own.
 */
export type Rule = {
  /** The rule for OpenAPI, if none of the parts below describes it. */
  readonly json?: JsonSchema;
  /** The pattern that a text must match. */
  readonly pattern?: RegExp;
  /** The rules of the fields of an object. */
  readonly fields?: Readonly<Record<string, Rule>>;
  /** The rule of the items of an array. */
  readonly item?: Rule;
  /** Whether the field may be left out. */
  readonly isOptional?: boolean;
  /** Returns the fields at fault. */
  readonly check: (value: unknown) => readonly Broken[];
};

/** One rule for each field of an object, so that the compiler asks for every field. */
export type Shape<T> = { readonly [Name in keyof T]-?: Rule };

// @__NO_SIDE_EFFECTS__
function rule(json: JsonSchema, holds: (value: unknown) => boolean): Rule {
  return { json, check: (value) => (holds(value) ? [] : [[]]) };
}

/** A text that matches. */
// @__NO_SIDE_EFFECTS__
export function matching(pattern: RegExp): Rule {
  return {
    pattern,
    check: (value) => (typeof value === 'string' && pattern.test(value) ? [] : [[]]),
  };
}

const isText = (value: unknown) => typeof value === 'string';

/** Any text. */
export const text = rule({ type: 'string' }, isText);
/** A text of at least one character that is not white space. */
export const filled = matching(/\S/);
export const flag = rule({ type: 'boolean' }, (value) => typeof value === 'boolean');
export const number = rule({ type: 'number' }, (value) => Number.isFinite(value));
export const wholeNumber = rule({ type: 'integer' }, (value) => Number.isSafeInteger(value));
export const anything = rule({}, () => true);
export const anyObject = rule({ type: 'object', additionalProperties: true }, isRecord);

export const email = matching(/^[^\s@]+@[^\s@]+$/);
export const digits = matching(/^[0-9]+$/);
export const sixDigits = matching(/^[0-9]{6}$/);
export const nineDigits = matching(/^[0-9]{9}$/);
/** ISO 3166-1 alpha-2, or the abbreviation of a US state. */
export const twoLetters = matching(/^[A-Za-z]{2}$/);
export const uuid = matching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i);
export const httpsUrl = matching(/^https:\/\/[^\s\\]+$/i);
/** The address that a browser returns to: an https page or a link into an app. */
export const anyUrl = matching(/^[a-z][a-z\d+.-]*:[^\s\\]+$/i);
/** RFC 7636. */
export const codeVerifier = matching(/^[A-Za-z0-9._~-]{43,128}$/);
/** SHA-256 in base64url without padding. */
export const codeChallenge = matching(/^[A-Za-z0-9_-]{43}$/);

const DAY = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

function isDay(value: unknown): boolean {
  const [, year, month, day] = typeof value === 'string' ? (DAY.exec(value) ?? []) : [];
  return Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
}

/** A day of the calendar. */
export const day = rule({ type: 'string', format: 'date' }, isDay);

/** A decimal string above zero. */
export const positiveAmount = matching(/^(?=.*[1-9])(?:0|[1-9]\d*)(?:\.\d+)?$/);

// @__NO_SIDE_EFFECTS__
export function oneOf(...values: readonly string[]): Rule {
  return rule({ enum: values }, (value) => values.some((one) => one === value));
}

/** A whole number in a range. */
// @__NO_SIDE_EFFECTS__
export function wholeNumberFrom(minimum: number, maximum: number): Rule {
  return rule(
    { type: 'integer', minimum, maximum },
    (value) => Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
  );
}

/** An input field that may be left out. */
// @__NO_SIDE_EFFECTS__
export function optional(given: Rule): Rule {
  return {
    ...given,
    isOptional: true,
    check: (value) => (value === undefined ? [] : given.check(value)),
  };
}

/**
 * A response field that was seen, but that nobody promises: it may be absent, null or of another
 * type. OpenAPI describes it as it was seen. Nothing is checked.
 */
// @__NO_SIDE_EFFECTS__
export function seen(given: Rule): Rule {
  return { ...given, isOptional: true, check: () => [] };
}

/** An array. */
// @__NO_SIDE_EFFECTS__
export function list(item: Rule): Rule {
  return {
    item,
    check: (value) =>
      Array.isArray(value)
        ? value.flatMap((one, index) => item.check(one).map((path) => [`${index}`, ...path]))
        : [[]],
  };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object with these fields, and with any others unless it is `strict`. */
// @__NO_SIDE_EFFECTS__
export function object<T>(shape: Shape<T>, strict?: 'strict'): Rule {
  const fields: Readonly<Record<string, Rule>> = shape;
  return {
    fields,
    check: (value) => {
      if (!isRecord(value)) return [[]];
      const names = Object.keys({ ...fields, ...(strict && value) });
      return names.flatMap((name) => {
        const one = Object.hasOwn(fields, name) ? fields[name] : undefined;
        return one?.check(value[name]).map((path) => [name, ...path]) ?? [[name]];
      });
    },
  };
}

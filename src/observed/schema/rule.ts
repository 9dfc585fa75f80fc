/** A JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A broken rule, as Standard Schema reports it. */
export type Issue = { readonly message: string; readonly path: readonly string[] };

/** What a value must be. Data and one function: nothing is built before a call. */
export type Rule = {
  /** The same rule for OpenAPI. */
  readonly json: JsonSchema;
  /** Returns what the value breaks. */
  readonly check: (value: unknown, path: readonly string[]) => readonly Issue[];
  /** Whether the field may be left out. */
  readonly isOptional?: boolean;
};

/** One rule for each field of an object, so that the compiler asks for every field. */
export type Shape<T> = { readonly [Name in keyof T]-?: Rule };

const NONE: readonly Issue[] = [];

// @__NO_SIDE_EFFECTS__
function rule(json: JsonSchema, message: string, holds: (value: unknown) => boolean): Rule {
  return { json, check: (value, path) => (holds(value) ? NONE : [{ message, path }]) };
}

// @__NO_SIDE_EFFECTS__
function matching(pattern: RegExp, message: string): Rule {
  return rule(
    { type: 'string', pattern: pattern.source },
    message,
    (value) => typeof value === 'string' && pattern.test(value),
  );
}

const isText = (value: unknown) => typeof value === 'string';

/** Any text. */
export const text = rule({ type: 'string' }, 'must be a string', isText);
/** A text of at least one character that is not white space. */
export const filled = matching(/\S/, 'must be a string that is not blank');
export const flag = rule(
  { type: 'boolean' },
  'must be true or false',
  (value) => typeof value === 'boolean',
);
export const number = rule({ type: 'number' }, 'must be a finite number', (value) =>
  Number.isFinite(value),
);
export const wholeNumber = rule({ type: 'integer' }, 'must be a whole number', (value) =>
  Number.isSafeInteger(value),
);
export const anything = rule({}, 'must be JSON', () => true);
export const anyObject = rule({ type: 'object' }, 'must be an object', isRecord);

export const email = matching(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address');
export const digits = matching(/^[0-9]+$/, 'must hold digits only');
export const sixDigits = matching(/^[0-9]{6}$/, 'must be 6 digits');
export const nineDigits = matching(/^[0-9]{9}$/, 'must be 9 digits without separators');
/** ISO 3166-1 alpha-2, or the abbreviation of a US state. */
export const twoLetters = matching(/^[A-Za-z]{2}$/, 'must be two letters');
export const uuid = matching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i, 'must be a UUID');
export const httpsUrl = matching(/^https:\/\/[^\s\\]+$/i, 'must be an https URL');
/** Where a browser returns to: an https page or a link into an app. */
export const anyUrl = matching(/^[a-z][a-z\d+.-]*:[^\s\\]+$/i, 'must be an absolute URL');
/** RFC 7636. */
export const codeVerifier = matching(
  /^[A-Za-z0-9._~-]{43,128}$/,
  'must be 43 to 128 of A-Z, a-z, 0-9, - . _ ~',
);
/** SHA-256 in base64url without padding. */
export const codeChallenge = matching(
  /^[A-Za-z0-9_-]{43}$/,
  'must be the base64url of SHA-256 without padding',
);

const DAY = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

function isDay(value: unknown): boolean {
  const [, year, month, day] = typeof value === 'string' ? (DAY.exec(value) ?? []) : [];
  return Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
}

/** A day of the calendar. */
export const day = rule({ type: 'string', format: 'date' }, 'must be a day as YYYY-MM-DD', isDay);

/** A decimal string above zero. */
export const positiveAmount = matching(
  /^(?=.*[1-9])(?:0|[1-9]\d*)(?:\.\d+)?$/,
  'must be a decimal string above zero such as "100.5"',
);

// @__NO_SIDE_EFFECTS__
export function oneOf(...values: readonly string[]): Rule {
  const error = `must be one of ${values.join(', ')}`;
  return rule({ enum: values }, error, (value) => values.some((one) => one === value));
}

/** A whole number in a range. */
// @__NO_SIDE_EFFECTS__
export function wholeNumberFrom(minimum: number, maximum: number): Rule {
  return rule(
    { type: 'integer', minimum, maximum },
    `must be a whole number from ${minimum} to ${maximum}`,
    (value) => Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
  );
}

/** An input field that may be left out. */
// @__NO_SIDE_EFFECTS__
export function optional({ json, check }: Rule): Rule {
  return {
    json,
    isOptional: true,
    check: (value, path) => (value === undefined ? NONE : check(value, path)),
  };
}

/**
 * A response field that was seen, and that nobody promises: it may be absent, null or of another
 * type. It says in OpenAPI what was seen, and checks nothing.
 */
// @__NO_SIDE_EFFECTS__
export function seen({ json }: Rule): Rule {
  return { json, isOptional: true, check: () => NONE };
}

/** A list. */
// @__NO_SIDE_EFFECTS__
export function list(item: Rule): Rule {
  return {
    json: { type: 'array', items: item.json },
    check: (value, path) =>
      Array.isArray(value)
        ? value.flatMap((one, index) => item.check(one, [...path, `${index}`]))
        : [{ message: 'must be an array', path }],
  };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object with these fields, and with any others unless it is `strict`. */
// @__NO_SIDE_EFFECTS__
export function object<T>(shape: Shape<T>, strict?: 'strict'): Rule {
  const fields: [string, Rule][] = Object.entries(shape);
  const required = fields.filter(([, { isOptional }]) => !isOptional).map(([name]) => name);
  return {
    json: {
      type: 'object',
      properties: Object.fromEntries(fields.map(([name, { json }]) => [name, json])),
      ...(required.length > 0 && { required }),
      ...(strict && { additionalProperties: false }),
    },
    check: (value, path) => {
      if (!isRecord(value)) return [{ message: 'must be an object', path }];
      const unknown = strict
        ? Object.keys(value).filter((name) => !Object.hasOwn(shape, name))
        : [];
      return [
        ...fields.flatMap(([name, one]) => one.check(value[name], [...path, name])),
        ...unknown.map((name) => ({ message: 'is not a known field', path: [...path, name] })),
      ];
    },
  };
}

import type { FieldError } from '../errors/index.js';
import { isObject, parseJson } from './json.js';
import type { SecretValues } from './redact.js';

/** What an error answer says, whichever of its forms it has. */
export type ErrorBody = {
  /** Cleaned, for the error message. */
  message: string | undefined;
  /** Everything that was said, lower case, to find documented refusals in. */
  searchable: string;
  fieldErrors: readonly FieldError[];
  details: readonly string[];
  isOtpRequired: boolean;
  userId: string | undefined;
  phoneNumber: string | undefined;
  /** The parsed body with known secrets replaced. */
  json: unknown;
};

const LONGEST_MESSAGE = 500;
const LONGEST_FIELD = 100;
const LONGEST_FIELD_MESSAGE = 300;
const MOST_FIELDS = 50;

type Body = Readonly<Record<string, unknown>>;

function tryParse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** `message` may itself be JSON, with the real words inside. */
function unwrap(body: Body): Body {
  const message = textOf(body['message']);
  const inner = message?.trim().startsWith('{') ? tryParse(message) : undefined;
  return isObject(inner) ? { ...body, message: undefined, ...inner } : body;
}

function fieldErrorsOf(body: Body, secrets: SecretValues): FieldError[] {
  const errors = Array.isArray(body['errors']) ? body['errors'] : [];
  return errors
    .slice(0, MOST_FIELDS)
    .filter(isObject)
    .map((error) => ({
      field: secrets.clean(textOf(error['field']) ?? '', LONGEST_FIELD),
      message: secrets.clean(textOf(error['message']) ?? '', LONGEST_FIELD_MESSAGE),
    }))
    .filter((error) => error.field !== '' || error.message !== '');
}

function detailsOf(body: Body, secrets: SecretValues): string[] {
  const { details } = body;
  const list = Array.isArray(details) ? details : [details];
  return list
    .slice(0, MOST_FIELDS)
    .map((detail) => textOf(detail))
    .filter((detail) => detail !== undefined)
    .map((detail) => secrets.clean(detail, LONGEST_FIELD_MESSAGE));
}

function isHtml(text: string): boolean {
  return text.trimStart().startsWith('<');
}

/**
 * Reads the body of an error answer: `{message}`, with `errors` or `isOtpRequired`,
 * `{error, details}`, `{code, message}`, JSON inside `message`, plain text. A page of HTML comes
 * from a proxy and says nothing.
 */
export function readErrorBody(text: string, secrets: SecretValues): ErrorBody {
  const parsed = tryParse(text);
  const body = isObject(parsed) ? unwrap(parsed) : {};
  const plain = parsed === undefined && !isHtml(text) ? text : parsed;
  const said =
    textOf(body['message']) ?? textOf(body['error']) ?? textOf(body['code']) ?? textOf(plain);
  const details = detailsOf(body, secrets);
  const texts = [body['message'], body['error'], body['code'], plain, ...details];
  return {
    message: said === undefined ? undefined : secrets.clean(said, LONGEST_MESSAGE) || undefined,
    searchable: texts.map(textOf).join('\n').toLowerCase(),
    fieldErrors: fieldErrorsOf(body, secrets),
    details,
    isOtpRequired: body['isOtpRequired'] === true,
    userId: textOf(body['userId']),
    phoneNumber: textOf(body['phoneNumber']),
    json: secrets.redactJson(parsed),
  };
}

import { isObject } from '../../contract/formats/is-object.js';
import type { FieldError } from '../../errors/index.js';
import { parseJson } from './json.js';
import { type SecretValues, secretsUnder } from './redact.js';

/** What an error body says, whichever of its forms it has. */
export type ErrorBody = {
  /** Cleaned, for the error message. */
  message: string | undefined;
  /** All texts of the body, to look for documented refusals in. */
  texts: readonly string[];
  fieldErrors: readonly FieldError[];
  details: readonly string[];
  /**
   * Whether it is JSON in a form that the service uses. A page or an empty body may come from a
   * firewall that dropped the service's own response.
   */
  isDocumentedForm: boolean;
  isOtpRequired: boolean;
  userId: string | undefined;
  phoneNumber: string | undefined;
  /** The parsed body with known secrets replaced. */
  json: unknown;
  /** The parsed body as it came. Never printed. */
  parsed: unknown;
  /** The secrets of the call, and those that this body contains. */
  secrets: SecretValues;
};

const LONGEST_MESSAGE = 500;
const LONGEST_FIELD = 100;
const LONGEST_FIELD_MESSAGE = 300;
const LONGEST_OTP_FIELD = 200;
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

function nested(value: unknown): Body | undefined {
  if (isObject(value)) return value;
  const text = textOf(value);
  const inner = text?.trim().startsWith('{') ? tryParse(text) : undefined;
  return isObject(inner) ? inner : undefined;
}

/** `message` or `error` may be an object, or JSON in a string, with the real words inside. */
function unwrap(body: Body, depth = 0): Body {
  const inside = nested(body['message']) ?? nested(body['error']);
  if (inside === undefined || depth > 2) return body;
  return unwrap({ ...body, message: undefined, error: undefined, ...inside }, depth + 1);
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

/** The fields that may hold the error message, the plainest first. */
const MESSAGE_FIELDS = [
  'message',
  'error',
  'error_description',
  'detail',
  'code',
  'errorCode',
] as const;

/**
 * Reads an error body: `{message}`, with `errors` or `isOtpRequired`, `{error, details}`,
 * `{code, message}`, JSON inside `message`, plain text. A page of HTML comes from a proxy and says
 * nothing.
 *
 * @param isSecret - returns whether a field holds a secret
 */
export function readErrorBody(
  text: string,
  known: SecretValues,
  isSecret: (name: string) => boolean = () => false,
): ErrorBody {
  const parsed = tryParse(text);
  const body = isObject(parsed) ? unwrap(parsed) : {};
  const secrets = known.with(secretsUnder(parsed, isSecret));
  const plain = parsed === undefined && !isHtml(text) ? text : parsed;
  const messages = MESSAGE_FIELDS.map((name) => textOf(body[name]));
  const message = messages.find((one) => one !== undefined) ?? textOf(plain);
  const fieldErrors = fieldErrorsOf(body, secrets);
  const details = detailsOf(body, secrets);
  const texts = [
    ...messages,
    textOf(plain),
    ...details,
    ...fieldErrors.map((fieldError) => fieldError.message),
  ];
  const field = (name: string) => {
    const value = textOf(body[name]);
    return value === undefined ? undefined : secrets.clean(value, LONGEST_OTP_FIELD) || undefined;
  };
  return {
    message:
      message === undefined ? undefined : secrets.clean(message, LONGEST_MESSAGE) || undefined,
    texts: texts.filter((one) => one !== undefined),
    fieldErrors,
    details,
    isDocumentedForm:
      isObject(parsed) &&
      (messages.some((one) => one !== undefined) ||
        fieldErrors.length > 0 ||
        body['isOtpRequired'] === true),
    isOtpRequired: body['isOtpRequired'] === true,
    userId: field('userId'),
    phoneNumber: field('phoneNumber'),
    json: secrets.redactJson(parsed),
    parsed,
    secrets,
  };
}

import { isObject } from '../../contract/formats/is-object.js';
import type { FieldError } from '../../errors/index.js';
import { itemsIn } from './error-fields.js';
import { detailsOf, type Layer, layersOf, textOf, tryParse, unpacked } from './error-layers.js';
import { secretsInside } from './error-secrets.js';
import { bestStatement, serverCodeIn, statementsIn } from './error-words.js';
import type { HttpResponse } from './http-response.js';
import type { SecretValues } from './redact.js';

/** The contents of an error body, in whichever form it came. */
export type ErrorBody = {
  /** Cleaned, for the error message. */
  message: string | undefined;
  /** The service's own code, cleaned. */
  serverCode: string | undefined;
  /** All texts of the body, in which documented refusals are looked up. */
  texts: readonly string[];
  fieldErrors: readonly FieldError[];
  details: readonly string[];
  /**
   * Whether it is JSON in a form that the service uses, or RFC 9457 problem details. A page or an
   * empty body may come from a firewall that dropped the service's own response.
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
const LONGEST_CODE = 100;
const LONGEST_FIELD = 100;
const LONGEST_FIELD_MESSAGE = 300;
const LONGEST_OTP_FIELD = 200;

const PROBLEM = /^application\/problem\+json\s*(?:;|$)/i;

/** The fields whose text alone makes a body one of the service's forms. */
const STATED_BY = ['code', 'errorCode'] as const;

function isHtml(text: string): boolean {
  return text.trimStart().startsWith('<');
}

/** A code is for logs and support forms: visible ASCII only. */
function visible(code: string | undefined): string | undefined {
  return code?.replace(/[^\x20-\x7e]+/g, ' ').trim() || undefined;
}

/** Problem details state an error when they have a code or a title. */
function isProblemStated(layers: readonly Layer[], serverCode: string | undefined): boolean {
  return serverCode !== undefined || layers.some((layer) => textOf(layer['title']) !== undefined);
}

/** The form of the contract, `errors: [{ field, message }]`. */
function statesFields(layers: readonly Layer[]): boolean {
  return layers.some(
    ({ errors }) =>
      Array.isArray(errors) &&
      errors.some((one) => isObject(one) && (textOf(one['field']) ?? textOf(one['message']))),
  );
}

/**
 * Reads an error body: `{message}`, with `errors` or `isOtpRequired`, `{error, details}`,
 * `{code, message}`, arrays of messages, JSON inside `message` or `error`, RFC 9457 problem
 * details, the OAuth pair, plain text. A page of HTML comes from a proxy and states nothing.
 *
 * @param isSecret - returns whether a field holds a secret
 */
export function readErrorBody(
  {
    text,
    status,
    headers,
  }: Pick<HttpResponse, 'text' | 'status'> & {
    headers: Pick<HttpResponse['headers'], 'get'>;
  },
  known: SecretValues,
  isSecret: (name: string) => boolean = () => false,
): ErrorBody {
  const parsed = tryParse(text);
  const isProblem = PROBLEM.test(headers.get('content-type') ?? '');
  const secrets = known.with(secretsInside(parsed ?? text, isSecret));
  const whole = unpacked(parsed);
  const list: unknown[] = Array.isArray(whole) ? whole : [whole];
  const layers = list.flatMap((one) => layersOf(one));
  const plain = textOf(parsed === undefined && !isHtml(text) ? text : parsed);
  const redact = (one: string) => secrets.redact(one);
  const items = itemsIn(Array.isArray(whole) ? [{ errors: whole }] : layers, redact);
  const code = serverCodeIn([...layers, ...detailsOf(layers)], isProblem, status);
  const spoken = [
    ...(plain === undefined ? [] : [plain]),
    ...items.details,
    ...items.fieldErrors.map((fieldError) => fieldError.message).filter(Boolean),
  ];
  const best = bestStatement(layers, spoken, code, status);
  const statements = statementsIn(layers).flat();
  const clean = (value: string | undefined, length: number) =>
    value === undefined ? undefined : secrets.clean(value, length) || undefined;
  const field = (name: string) =>
    clean(
      layers.map((layer) => textOf(layer[name])).find((one) => one !== undefined),
      LONGEST_OTP_FIELD,
    );
  const codes = layers.flatMap((layer) => STATED_BY.flatMap((name) => textOf(layer[name]) ?? []));
  const isOtpRequired = layers.some((layer) => layer['isOtpRequired'] === true);
  return {
    message: clean(best, LONGEST_MESSAGE),
    serverCode: visible(clean(code, LONGEST_CODE)),
    texts: [...statements, ...codes, ...spoken],
    fieldErrors: items.fieldErrors
      .map((one) => ({
        field: secrets.clean(one.field, LONGEST_FIELD),
        message: secrets.clean(one.message, LONGEST_FIELD_MESSAGE),
      }))
      .filter((one) => one.field !== '' || one.message !== ''),
    details: items.details
      .map((detail) => secrets.clean(detail, LONGEST_FIELD_MESSAGE))
      .filter((detail) => detail !== ''),
    isDocumentedForm:
      isObject(parsed) &&
      (statements.length > 0 ||
        codes.length > 0 ||
        isOtpRequired ||
        statesFields(layers) ||
        (isProblem && isProblemStated(layers, code))),
    isOtpRequired,
    userId: field('userId'),
    phoneNumber: field('phoneNumber'),
    json: secrets.redactJson(parsed),
    parsed,
    secrets,
  };
}

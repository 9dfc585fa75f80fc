import { isHtml } from '../../contract/formats/html.js';
import { isObject } from '../../contract/formats/is-object.js';
import type { FieldError } from '../../errors/index.js';
import type { HttpResponse } from './http-response.js';
import { textOf, tryParse, unpacked } from './json.js';
import type { SecretValues } from './redact.js';
import { secretsInside } from './redact-error.js';

/** One object of an error body. */
type Layer = Readonly<Record<string, unknown>>;

const DEEPEST = 4;

/** The fields that may contain the error itself, as an object or as JSON in a string. */
const HOLDERS = ['message', 'error', 'detail'] as const;

/** The fields that may contain objects with more about it. */
const DETAILS = ['details', 'errors'] as const;

/** The objects that state the error, the innermost first: the words nearest to it count most. */
function layersOf(body: unknown, depth = 0): Layer[] {
  if (!isObject(body) || depth > DEEPEST) return [];
  return [...HOLDERS.flatMap((name) => layersOf(unpacked(body[name]), depth + 1)), body];
}

/** The objects in `details` and `errors`, which add to what the layers state. */
function detailsOf(layers: readonly Layer[]): Layer[] {
  return layers.flatMap((layer) => DETAILS.map((name) => unpacked(layer[name]))).filter(isObject);
}

/** Fields refused by the service, and further sentences. */
type ErrorItems = { fieldErrors: FieldError[]; details: string[] };

/** Replaces secrets in a name before it is respelled, which would hide them from the search. */
type Redact = (text: string) => string;

const MOST = 50;

/** The fields that contain arrays of refused fields or of sentences. */
const LISTS = ['errors', 'details', 'invalid-params', 'message', 'error', 'detail'] as const;

/** Names under which an item spells its field: the contract's, those of RFC 9457, and common others. */
const FIELD_NAMES = ['field', 'pointer', 'path', 'name', 'param', 'property'] as const;
const MESSAGE_NAMES = ['message', 'detail', 'reason', 'msg'] as const;

const find = (item: Layer, names: readonly string[]): string | undefined =>
  names.map((name) => textOf(item[name])).find((one) => one !== undefined);

/** A JSON pointer such as `#/customCss/panTextColor` in the spelling of the contract, with dots. */
function fieldName(name: string): string {
  if (!/^#?\//.test(name)) return name;
  const parts = name.replace(/^#?\//, '').split('/');
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
}

function pathOf(item: Layer, redact: Redact): string {
  const path = item['path'] ?? item['loc'];
  if (Array.isArray(path)) return path.filter((one) => typeof one !== 'object').join('.');
  return fieldName(redact(find(item, FIELD_NAMES) ?? ''));
}

function addItem(item: unknown, found: ErrorItems, redact: Redact): void {
  const text = textOf(item);
  if (text !== undefined) found.details.push(text);
  if (!isObject(item)) return;
  const field = pathOf(item, redact);
  const message = find(item, MESSAGE_NAMES) ?? '';
  if (field !== '') found.fieldErrors.push({ field, message });
  else if (message !== '') found.details.push(message);
}

/** Adds a map such as `{ email: ['is taken'] }`. An object with a message of its own is a single item. */
function addMap(map: Layer, isOfFields: boolean, found: ErrorItems, redact: Redact): void {
  if (find(map, MESSAGE_NAMES) !== undefined) {
    addItem(map, found, redact);
    return;
  }
  for (const [name, value] of Object.entries(map).slice(0, MOST)) {
    const list: unknown[] = Array.isArray(value) ? value : [value];
    for (const message of list.map(textOf)) {
      if (message === undefined) continue;
      if (isOfFields) found.fieldErrors.push({ field: fieldName(redact(name)), message });
      else found.details.push(`${name}: ${message}`);
    }
  }
}

/** Collects the refused fields and the further sentences of an error body, at most 50 of each. */
function itemsIn(layers: readonly Layer[], redact: Redact): ErrorItems {
  const found: ErrorItems = { fieldErrors: [], details: [] };
  for (const layer of layers) {
    for (const name of LISTS) {
      const value = unpacked(layer[name]);
      if (Array.isArray(value))
        for (const item of value.slice(0, MOST)) addItem(item, found, redact);
      else if (isObject(value) && (name === 'errors' || name === 'details')) {
        addMap(value, name === 'errors', found, redact);
      } else if (name === 'details' && typeof value === 'string') addItem(value, found, redact);
    }
  }
  return {
    fieldErrors: found.fieldErrors.slice(0, MOST),
    details: [...new Set(found.details)].slice(0, MOST),
  };
}

/** The fields that contain words, the plainest first. An array under them holds several sentences. */
const WORDS = ['message', 'error_description', 'detail', 'error'] as const;

/** The fields that contain the service's own code. */
const CODES = ['code', 'errorCode', 'error_code'] as const;

const SEVERAL = '; ';

/** Whether a text is one token that a program wrote: `E42`, `invalid_grant`, but not `Forbidden`. */
function isToken(text: string): boolean {
  return /^[\w.:/-]+$/.test(text.trim()) && !/^[A-Za-z][a-z]*[.]?$/.test(text.trim());
}

function wordsOf(value: unknown): string[] {
  const list = unpacked(value);
  if (Array.isArray(list)) return list.map(textOf).filter((one) => one !== undefined);
  return typeof list === 'string' && list.trim() !== '' ? [list] : [];
}

/** The texts that state the failure, by field: `message: ['a', 'b']` has two. */
function statementsIn(layers: readonly Layer[]): string[][] {
  return layers
    .flatMap((layer) => WORDS.map((name) => wordsOf(layer[name])))
    .filter((words) => words.length > 0);
}

function numberIn(layer: Layer, names: readonly string[], status: number): string | undefined {
  const values = names.map((name) => layer[name]);
  return values.find((one) => Number.isFinite(one) && one !== status)?.toString();
}

const first = <T>(layers: readonly Layer[], find: (layer: Layer) => T | undefined): T | undefined =>
  layers.map(find).find((one) => one !== undefined);

/**
 * The service's own code for the failure.
 *
 * @param isProblem - whether the body is RFC 9457 problem details, whose `type` identifies the
 *   problem
 * @param status - of the response: a code that repeats it adds nothing
 */
function serverCodeIn(
  layers: readonly Layer[],
  isProblem: boolean,
  status: number,
): string | undefined {
  const isInformative = (code: string | undefined) => code !== undefined && code !== String(status);
  const named = (layer: Layer) =>
    CODES.map((name) => textOf(layer[name])).find(isInformative) ?? numberIn(layer, CODES, status);
  // OAuth puts its code into `error`.
  const token = (layer: Layer) => {
    const error = textOf(layer['error']);
    return error !== undefined && isToken(error) ? error : undefined;
  };
  const type = isProblem ? first(layers, (layer) => textOf(layer['type'])) : undefined;
  const code = first(layers, named) ?? first(layers, token);
  return code ?? (type === 'about:blank' ? undefined : type);
}

/**
 * The text that helps a person most: a sentence before a title, a title before a code, and a number
 * only where there is nothing else.
 */
function bestStatement(
  layers: readonly Layer[],
  more: readonly string[],
  serverCode: string | undefined,
  status: number,
): string | undefined {
  const stated = statementsIn(layers).map((words) => words.join(SEVERAL));
  const titles = layers.map((layer) => textOf(layer['title'])).filter((one) => one !== undefined);
  const all = [...stated, ...titles, ...more];
  const sentence = all.find((one) => !isToken(one)) ?? all[0] ?? serverCode;
  return sentence ?? first(layers, (layer) => numberIn(layer, [...WORDS, ...CODES], status));
}

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
 * @param isSecret - returns whether a field is secret
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

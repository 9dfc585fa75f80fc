import { type BrokenRule, check } from '../../contract/check.js';
import { type Difference, differencesFrom } from '../../contract/differences.js';
import type { Endpoint, Interpretation, ResponseShape } from '../../contract/endpoint.js';
import { isObject } from '../../contract/formats/is-object.js';
import type { RefusalCode } from '../../contract/recognised-errors.js';
import { refusalCodeOf } from '../../contract/refusal-code.js';
import { successResponse } from '../../contract/response.js';
import type { ErrorBody } from './error-body.js';
import type { HasInput } from './error-response.js';
import { evidenceOfExecution, innerStatus, isBlank, saysSuccess } from './evidence.js';
import type { HttpResponse, ResponseHeaders } from './http-response.js';
import { parseJson } from './json.js';
import { isSecretName, REDACTED } from './redact.js';

const DEEPEST = 32;
/** The last part of a path that stands for every field. */
const EVERY = '*';
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Fields that hold secrets, one level at a time. */
type SecretTree = Map<string, SecretTree | true>;

function insert(tree: SecretTree, [head = '', ...rest]: readonly string[]): void {
  const known = tree.get(head) ?? new Map();
  if (rest.length === 0 || known === true) {
    tree.set(head, true);
    return;
  }
  tree.set(head, known);
  insert(known, rest);
}

function toTree(paths: readonly string[]): SecretTree {
  const tree: SecretTree = new Map();
  for (const path of paths) insert(tree, path.split('.'));
  return tree;
}

function printRedacted(value: object, isSecret: (key: string) => boolean): void {
  // A caller's schema may return frozen objects. How they print is up to the caller.
  if (!Object.isExtensible(value)) return;
  const printed = () => {
    const copy: Record<string, unknown> = { ...value };
    for (const key of Object.keys(copy)) {
      if (copy[key] !== undefined && copy[key] !== null && isSecret(key)) copy[key] = REDACTED;
    }
    return copy;
  };
  Object.defineProperty(value, INSPECT, { value: printed, enumerable: false, configurable: true });
}

function hideWhenPrinted(
  value: unknown,
  tree: SecretTree,
  isSecret: (key: string) => boolean,
  depth = 0,
): void {
  if (depth >= DEEPEST) return;
  if (Array.isArray(value)) {
    for (const one of value) hideWhenPrinted(one, tree, isSecret, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  if (ArrayBuffer.isView(value)) {
    // Bytes have no names: they are secret as a whole or not at all.
    if (tree.has(EVERY)) Object.defineProperty(value, INSPECT, { value: () => REDACTED });
    return;
  }
  for (const [key, inner] of tree) {
    if (inner instanceof Map) hideWhenPrinted(value[key], inner, isSecret, depth + 1);
  }
  printRedacted(value, (key) => tree.get(key) === true || tree.has(EVERY) || isSecret(key));
}

/**
 * Makes the secrets of a result print redacted in `console.log`. To the program they stay plain
 * values, `JSON.stringify` included: an image URL must reach the browser that shows it.
 *
 * @param paths - dotted paths of secret fields; `*` at the end stands for every field
 * @param isSecret - whether a field next to them is secret by its name
 */
export function printWithoutSecrets<T>(
  result: T,
  paths: readonly string[],
  isSecret: (key: string) => boolean = () => false,
): T {
  if (paths.length > 0) hideWhenPrinted(result, toTree(paths), isSecret);
  return result;
}

/** Makes every field with a secret name print redacted, at any depth; see {@link printWithoutSecrets}. */
function printWithoutNamedSecrets<T>(result: T, isSecret: (key: string) => boolean, depth = 0): T {
  if (typeof result !== 'object' || result === null || depth >= DEEPEST) return result;
  // Bytes have no names.
  if (ArrayBuffer.isView(result)) return result;
  for (const one of Object.values(result)) printWithoutNamedSecrets(one, isSecret, depth + 1);
  if (!Array.isArray(result) && Object.keys(result).some(isSecret)) printRedacted(result, isSecret);
  return result;
}

/** The meaning of a success response. */
export type ResponseReading =
  | { means: 'result'; result: unknown }
  /** `success: false`, or the service's error body inside a success status. */
  | {
      means: 'refused';
      message: string | undefined;
      serverCode: string | undefined;
      code: RefusalCode | undefined;
      evidence: Readonly<Record<string, string>>;
      /** Whether the body also shows that the service acted: evidence, or a result of a success. */
      isContradicted: boolean;
      /** The status inside the body; `undefined` for `success: false`. */
      innerStatus: number | undefined;
      data: unknown;
    }
  | { means: 'otp-required'; user: { userId?: string; phoneNumber?: string } }
  | { means: 'invalid'; issues: readonly BrokenRule[]; data: unknown }
  /** Not JSON, or empty. The text completes "the response …". */
  | { means: 'not-json'; what: string };

/** The media type of a response, in lower case; empty where none is stated. */
export function mediaType(headers: ResponseHeaders): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase();
}

/** A media type for a message. */
export function shownType(type: string): string {
  return /^[a-z0-9.+/-]{1,60}$/.test(type) ? type : 'of another type';
}

function mayBeJson(type: string): boolean {
  return type === '' || type === 'text/plain' || /[/+]json$/.test(type);
}

/** The shape of a response; that of another success status where the contract documents none. */
function shapeOf({ responses }: Endpoint, status: number): ResponseShape | undefined {
  return responses[status] ?? Object.values(responses)[0];
}

/** Whether a body is an empty object, where the endpoint allows one. */
function isEmptyBody(data: unknown, shape: ResponseShape | undefined): boolean {
  return shape?.mayBeEmpty === true && isObject(data) && isBlank(data);
}

/** A parsed body, or why there is none. */
type Parsed = { data: unknown } | Extract<ResponseReading, { means: 'not-json' }>;

/** Parses the body of a success response. An empty one is `{}` where the endpoint allows it. */
export function parseBody(endpoint: Endpoint, response: HttpResponse, isRead: boolean): Parsed {
  const { mayBeEmpty } = shapeOf(endpoint, response.status) ?? {};
  if (mayBeEmpty && response.text.trim() === '') return { data: {} };
  const parsed = parseText(response);
  const isNull = 'data' in parsed && parsed.data === null;
  return mayBeEmpty && isNull && !isRead ? { data: {} } : parsed;
}

function parseText({ text, headers }: HttpResponse): Parsed {
  if (text.trim() === '') return { means: 'not-json', what: 'is empty' };
  const type = mediaType(headers);
  if (!mayBeJson(type)) {
    const what = `is ${shownType(type)} and not JSON`;
    const isPage = type === 'text/html';
    return {
      means: 'not-json',
      what: isPage ? `${what}, as from a captive portal or a wrong baseUrl` : what,
    };
  }
  try {
    return { data: parseJson(text) };
  } catch {
    return { means: 'not-json', what: 'is not valid JSON' };
  }
}

/** Makes the secrets of a result print redacted. */
export function hideSecrets(endpoint: Endpoint, data: unknown): unknown {
  if (endpoint.redactsNamed !== true) return printWithoutSecrets(data, endpoint.secrets);
  return printWithoutSecrets(
    printWithoutNamedSecrets(data, isSecretName),
    endpoint.secrets,
    isSecretName,
  );
}

/** Whether a body holds the result of a success, such as an order id or a new key. */
function holdsResult(data: unknown, endpoint: Endpoint, status: number): boolean {
  const isWhole = Object.values(endpoint.responses).some(
    ({ promise, tolerance }) =>
      tolerance !== undefined &&
      promise !== successResponse.promise &&
      check(tolerance, data).length === 0,
  );
  // The shape of a login asks for no field: only its reading knows whether there is a session.
  return isWhole && meaningOf(endpoint, data, status, {}).means === 'result';
}

/**
 * Reads a refusal of the service inside a success status: its message, code and evidence of
 * execution. `undefined` for any other body.
 */
export function readRefusal(
  data: unknown,
  { status }: HttpResponse,
  endpoint: Endpoint,
  errorBody: () => ErrorBody,
  sent: () => readonly string[],
  hasInput: HasInput,
): Extract<ResponseReading, { means: 'refused' }> | undefined {
  if (!isObject(data) || shapeOf(endpoint, status)?.isPartial) return undefined;
  const isRefused = data['success'] === false;
  // A list of events or a log may hold such fields. They are its data.
  const isRecord = endpoint.isCustom === true && endpoint.retry.class === 'safe';
  if (!isRefused && (isRecord || data['statusCode'] === undefined)) return undefined;
  const body = errorBody();
  const inner = innerStatus(data, body);
  if (!isRefused && (inner === undefined || asksForOtp(endpoint, body))) return undefined;
  const evidence = evidenceOfExecution(data, sent());
  return {
    means: 'refused',
    message: body.message,
    serverCode: body.serverCode,
    code: refusalCodeOf({ ...body, endpoint, status: inner, hasInput }),
    evidence,
    isContradicted:
      Object.keys(evidence).length > 0 ||
      saysSuccess(data) ||
      holdsResult(data, endpoint.reaches ?? endpoint, status),
    innerStatus: inner,
    data: hideSecrets(endpoint, data),
  };
}

/** A login that asks for a one-time password has a reading of its own. */
function asksForOtp({ interpret }: Endpoint, { isOtpRequired }: ErrorBody): boolean {
  return interpret !== undefined && isOtpRequired;
}

function meaningOf(
  endpoint: Endpoint,
  data: unknown,
  status: number,
  input: Readonly<Record<string, unknown>>,
): Interpretation<unknown> {
  return endpoint.interpret?.(data, status, input) ?? { means: 'result', result: data };
}

const NONE: readonly BrokenRule[] = [];

/**
 * What a body lacks to be the success that its endpoint documents; `undefined` where no form is
 * documented.
 */
export function missingForm(
  data: unknown,
  endpoint: Endpoint,
  status: number,
  isRead: boolean,
): readonly BrokenRule[] | undefined {
  const shape = shapeOf(endpoint, status);
  // Most preview types describe observed responses, which is not a reason to refuse others.
  if (shape?.tolerance === undefined) return undefined;
  if (isEmptyBody(data, shape)) return NONE;
  // The result of such a command needs no field, so these words are enough.
  if (shape.mayBeEmpty && !isRead && saysSuccess(data)) return NONE;
  const missing = check(shape.tolerance, data);
  if (missing.length > 0) return missing;
  const meaning = meaningOf(endpoint, data, status, {});
  return meaning.means === 'invalid' ? [{ path: meaning.path, message: meaning.rule }] : NONE;
}

/** Compares a body with what the contract promises. It promises nothing of a preview. */
export function driftOf(data: unknown, endpoint: Endpoint, status: number): readonly Difference[] {
  const shape = shapeOf(endpoint, status);
  const isPromised = endpoint.stability === 'contract' && shape !== undefined;
  return !isPromised || isEmptyBody(data, shape) ? [] : differencesFrom(shape.promise, data);
}

/** Reads a success body that has the documented form, or any body where none is documented. */
export function readByContract(
  data: unknown,
  endpoint: Endpoint,
  status: number,
  input: Readonly<Record<string, unknown>>,
): ResponseReading {
  const meaning = meaningOf(endpoint, data, status, input);
  if (meaning.means === 'result') {
    return { means: 'result', result: hideSecrets(endpoint, meaning.result) };
  }
  if (meaning.means === 'otp-required') {
    const { means, ...user } = meaning;
    return { means, user };
  }
  const issues = [{ path: meaning.path, message: meaning.rule }];
  return { means: 'invalid', issues, data: hideSecrets(endpoint, data) };
}

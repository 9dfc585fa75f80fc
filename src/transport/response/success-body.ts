import { type BrokenRule, brokenRules, check } from '../../contract/check.js';
import { type Difference, differencesFrom } from '../../contract/differences.js';
import type { Endpoint, Interpretation, ResponseShape } from '../../contract/endpoint.js';
import { Field } from '../../contract/field.js';
import { isObject } from '../../contract/formats/is-object.js';
import { isThenable } from '../../contract/formats/is-thenable.js';
import { type RefusalCode, refusalCodeOf } from '../../contract/recognised-errors.js';
import { successResponse } from '../../contract/response.js';
import type { Schema } from '../../contract/schema.js';
import type { ErrorBody } from './error-body.js';
import type { HasInput } from './error-response.js';
import { evidenceOfExecution, innerStatus, isBlank, saysSuccess } from './evidence.js';
import type { HttpResponse, ResponseHeaders } from './http-response.js';
import { parseJson } from './json.js';
import { hideSecrets } from './redact.js';

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

/** Whether a body contains the result of a success, such as an order id or a new key. */
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
  const isRecord = endpoint.isOutsideContract === true && endpoint.retry.class === 'safe';
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
export function missingFields(
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

/** The result of reading a response by a schema: the caller's own, or what was observed of a call. */
export type SchemaReading =
  | { means: 'result'; result: unknown }
  | { means: 'invalid'; issues: readonly BrokenRule[]; failure?: unknown };

const unusable = (message: string, failure?: unknown): SchemaReading => ({
  means: 'invalid',
  issues: [{ path: '', message }],
  failure,
});

/** Whether a schema is one of this package, whose messages quote no value. */
const isOurs = (schema: Schema): boolean => Object(schema).field instanceof Field;

function readSchemaResult(result: unknown, schema: Schema): SchemaReading {
  if (typeof result !== 'object' || result === null) {
    return unusable('the schema that the caller passed returned nothing');
  }
  const { issues, value } = result as { issues?: unknown; value?: unknown };
  if (issues === undefined || issues === null) {
    return 'value' in result
      ? { means: 'result', result: value }
      : unusable('the schema that the caller passed returned neither a value nor issues');
  }
  if (!Array.isArray(issues)) {
    return unusable('the schema that the caller passed returned issues that are not an array');
  }
  // The caller's own rules may quote values, so only the paths are reported.
  const broken = brokenRules(issues.filter((issue) => typeof issue === 'object' && issue !== null));
  if (isOurs(schema)) return { means: 'invalid', issues: broken };
  if (broken.length === 0) return unusable('breaks the schema that the caller passed');
  return {
    means: 'invalid',
    issues: broken.map(({ path }) => ({
      path,
      message: 'breaks the schema that the caller passed',
    })),
  };
}

/**
 * Reads data by the caller's schema, which may be anybody's code: it may throw, reject, or return
 * nothing. Returns a promise only if the schema returned one.
 */
export function readBySchema(
  data: unknown,
  schema: Schema,
): SchemaReading | Promise<SchemaReading> {
  const threw = (failure: unknown) => unusable('the schema that the caller passed threw', failure);
  const guarded = (result: unknown) => {
    try {
      return readSchemaResult(result, schema);
    } catch (failure) {
      return threw(failure);
    }
  };
  try {
    const result: unknown = schema['~standard'].validate(data);
    return isThenable(result) ? Promise.resolve(result).then(guarded, threw) : guarded(result);
  } catch (failure) {
    return threw(failure);
  }
}

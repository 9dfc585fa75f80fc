import { type BrokenRule, check } from '../../contract/check.js';
import type { Endpoint, Interpretation, ResponseShape } from '../../contract/endpoint.js';
import { successResponse } from '../../contract/fields.js';
import { isObject } from '../../contract/formats/is-object.js';
import type { RefusalCode } from '../../contract/recognised-errors.js';
import { refusalCodeOf } from '../../contract/refusal-code.js';
import { conceal, concealNamed } from './conceal.js';
import { readErrorBody } from './error-body.js';
import type { HasInput } from './error-response.js';
import { evidenceOfExecution } from './evidence.js';
import type { HttpResponse, ResponseHeaders } from './http-response.js';
import { parseJson } from './json.js';
import type { SecretValues } from './redact.js';
import { isSecretInError, isSecretName } from './secret-names.js';

/** The meaning of a success response. */
export type ResponseReading =
  | { means: 'result'; result: unknown; drift: readonly BrokenRule[] }
  /** `success: false`. */
  | {
      means: 'refused';
      message: string | undefined;
      serverCode: string | undefined;
      code: RefusalCode | undefined;
      evidence: Readonly<Record<string, string>>;
      /** Whether the body also shows that the service acted: evidence, or a result of a success. */
      isContradicted: boolean;
      data: unknown;
    }
  | { means: 'otp-required'; user: { userId?: string; phoneNumber?: string } }
  | { means: 'unusable'; issues: readonly BrokenRule[]; data: unknown }
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
  return shape?.mayBeEmpty === true && isObject(data) && Object.keys(data).length === 0;
}

/** A parsed body, or why there is none. */
type Parsed = { data: unknown } | Extract<ResponseReading, { means: 'not-json' }>;

/** Parses the body of a success response. */
export function parseBody(endpoint: Endpoint, response: HttpResponse): Parsed {
  const shape = shapeOf(endpoint, response.status);
  const isBlank = response.text.trim() === '';
  const parsed = isBlank && shape?.mayBeEmpty ? { data: {} } : parseText(response);
  if ('means' in parsed || !isEmptyBody(parsed.data, shape)) return parsed;
  return { data: { ...shape?.assumed } };
}

function parseText({ text, headers }: HttpResponse): Parsed {
  if (text.trim() === '') return { means: 'not-json', what: 'is empty' };
  const type = mediaType(headers);
  if (!mayBeJson(type)) {
    return { means: 'not-json', what: `is ${shownType(type)} and not JSON` };
  }
  try {
    return { data: parseJson(text) };
  } catch {
    return { means: 'not-json', what: 'is not valid JSON' };
  }
}

/** Makes the secrets of a result print redacted. */
export function hideSecrets(endpoint: Endpoint, data: unknown): unknown {
  if (endpoint.concealsNamed !== true) return conceal(data, endpoint.secrets);
  return conceal(concealNamed(data, isSecretName), endpoint.secrets, isSecretName);
}

/** Whether a body holds the result of a success, such as an order id or a new key. */
function holdsResult(data: unknown, endpoint: Endpoint, status: number): boolean {
  const isWhole = Object.values(endpoint.responses).some(
    ({ essential }) =>
      essential !== undefined &&
      essential !== successResponse.essential &&
      check(essential, data).length === 0,
  );
  // The shape of a login asks for no field: only its reading knows whether there is a session.
  return isWhole && meaningOf(endpoint, data, status, {}).means === 'result';
}

/** Reads a body with `success: false`: its message, code and evidence of execution. */
export function readRefusal(
  data: unknown,
  response: HttpResponse,
  endpoint: Endpoint,
  secrets: () => SecretValues,
  sent: () => readonly string[],
  hasInput: HasInput,
): Extract<ResponseReading, { means: 'refused' }> | undefined {
  if (!isObject(data) || data['success'] !== false) return undefined;
  if (shapeOf(endpoint, response.status)?.isPartial) return undefined;
  const errorBody = readErrorBody(response, secrets(), isSecretInError(endpoint));
  const evidence = evidenceOfExecution(data, sent());
  return {
    means: 'refused',
    message: errorBody.message,
    serverCode: errorBody.serverCode,
    code: refusalCodeOf({ ...errorBody, endpoint, status: undefined, hasInput }),
    evidence,
    isContradicted:
      Object.keys(evidence).length > 0 || holdsResult(data, endpoint, response.status),
    data: hideSecrets(endpoint, data),
  };
}

function meaningOf(
  endpoint: Endpoint,
  data: unknown,
  status: number,
  input: Readonly<Record<string, unknown>>,
): Interpretation<unknown> {
  return endpoint.interpret?.(data, status, input) ?? { means: 'result', result: data };
}

/**
 * Reads a success body by the contract. Only a missing essential field makes it unusable; every other
 * difference is `drift`.
 */
export function readByContract(
  data: unknown,
  endpoint: Endpoint,
  status: number,
  input: Readonly<Record<string, unknown>>,
): ResponseReading {
  const shape = shapeOf(endpoint, status);
  // Most preview types describe observed responses, which is not a reason to refuse others.
  const isUnknown = endpoint.stability === 'preview' && shape?.essential === undefined;
  const rules = isUnknown ? undefined : shape;
  const drift = rules && !isEmptyBody(data, shape) ? check(rules.schema, data) : [];
  // The whole shape requires the essential fields too, so a response that matches is checked once.
  const missing = drift.length > 0 && rules?.essential ? check(rules.essential, data) : [];
  if (missing.length > 0)
    return { means: 'unusable', issues: missing, data: hideSecrets(endpoint, data) };
  const filled = shape?.assumed && isObject(data) ? { ...shape.assumed, ...data } : data;
  const meaning = meaningOf(endpoint, filled, status, input);
  if (meaning.means === 'result') {
    return { means: 'result', result: hideSecrets(endpoint, meaning.result), drift };
  }
  if (meaning.means === 'otp-required') {
    const { means, ...user } = meaning;
    return { means, user };
  }
  const issues = [{ path: meaning.path, message: meaning.rule }];
  return { means: 'unusable', issues, data: hideSecrets(endpoint, data) };
}

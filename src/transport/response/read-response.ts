import { type BusinessErrorCode, businessErrorIn } from '../../contract/business-errors.js';
import { type BrokenRule, check } from '../../contract/check.js';
import type { Endpoint, Interpretation } from '../../contract/endpoint.js';
import { successResponse } from '../../contract/fields.js';
import { isObject } from '../../contract/formats/is-object.js';
import { conceal, concealNamed } from './conceal.js';
import { readErrorBody } from './error-body.js';
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
      code: BusinessErrorCode | undefined;
      evidence: Readonly<Record<string, string>>;
      /** Whether the body also holds the result that only a success brings. */
      isContradicted: boolean;
      data: unknown;
    }
  | { means: 'otp-required'; user: { userId?: string; phoneNumber?: string } }
  | { means: 'unusable'; issues: readonly BrokenRule[]; data: unknown }
  /** Not JSON, or empty. The text completes "the response …". */
  | { means: 'not-json'; what: string };

function mediaType(headers: ResponseHeaders): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase();
}

function mayBeJson(type: string): boolean {
  return type === '' || type === 'text/plain' || /[/+]json$/.test(type);
}

/** A parsed body, or why there is none. */
type Parsed = { data: unknown } | Extract<ResponseReading, { means: 'not-json' }>;

/** Parses the body of a success response. */
export function parseBody({ text, headers }: HttpResponse): Parsed {
  if (text.trim() === '') return { means: 'not-json', what: 'is empty' };
  const type = mediaType(headers);
  if (!mayBeJson(type)) {
    const shown = /^[a-z0-9.+/-]{1,60}$/.test(type) ? type : 'of another type';
    return { means: 'not-json', what: `is ${shown} and not JSON` };
  }
  try {
    return { data: parseJson(text) };
  } catch {
    return { means: 'not-json', what: 'is not valid JSON' };
  }
}

/** The same data, whose secrets print redacted. */
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
  return isWhole && meaningOf(endpoint, data, status).means === 'result';
}

/** Reads a body with `success: false`: its message, code and evidence of execution. */
export function readRefusal(
  data: unknown,
  { status, text }: HttpResponse,
  endpoint: Endpoint,
  secrets: () => SecretValues,
  sent: () => readonly string[],
): Extract<ResponseReading, { means: 'refused' }> | undefined {
  if (!isObject(data) || data['success'] !== false) return undefined;
  const errorBody = readErrorBody(text, secrets(), isSecretInError(endpoint));
  const evidence = evidenceOfExecution(data, sent());
  return {
    means: 'refused',
    message: errorBody.message,
    code: businessErrorIn(errorBody.texts, endpoint.businessErrors),
    evidence,
    isContradicted: Object.keys(evidence).length > 0 || holdsResult(data, endpoint, status),
    data: hideSecrets(endpoint, data),
  };
}

function meaningOf(endpoint: Endpoint, data: unknown, status: number): Interpretation<unknown> {
  return endpoint.interpret?.(data, status) ?? { means: 'result', result: data };
}

/**
 * Reads a success body by the contract. Only a missing essential field makes it unusable; every other
 * difference is `drift`.
 */
export function readByContract(data: unknown, endpoint: Endpoint, status: number): ResponseReading {
  const responseShape = endpoint.responses[status] ?? Object.values(endpoint.responses)[0];
  const rules = endpoint.stability === 'preview' ? undefined : responseShape;
  const drift = rules === undefined ? [] : check(rules.schema, data);
  // The whole shape asks for the essential fields too, so a response that keeps it is checked once.
  const missing = drift.length > 0 && rules?.essential ? check(rules.essential, data) : [];
  if (missing.length > 0)
    return { means: 'unusable', issues: missing, data: hideSecrets(endpoint, data) };
  const meaning = meaningOf(endpoint, data, status);
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

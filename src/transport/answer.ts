import { BUSINESS_ERRORS } from '../contract/business-errors.js';
import { brokenRules, check } from '../contract/check.js';
import type { Endpoint } from '../contract/endpoint.js';
import type { Schema } from '../contract/schema.js';
import {
  OperationRejectedError,
  ProtocolError,
  ResponseValidationError,
  type ValidationIssue,
} from '../errors/index.js';
import { secretsOf } from './attempt.js';
import type { Call } from './call.js';
import { conceal } from './conceal.js';
import { readErrorBody } from './error-body.js';
import { isObject, parseJson } from './json.js';
import { otpRequiredError } from './refusal.js';
import type { Received } from './send-attempts.js';

type Context = { call: Call; received: Received };

function executed({ call, received }: Context) {
  return {
    operation: call.endpoint.id,
    outcome: 'executed',
    attempts: received.attempts,
  } as const;
}

function unusable(context: Context, issues: readonly ValidationIssue[], data: unknown): never {
  const { status } = context.received.exchange;
  throw new ResponseValidationError(status, issues, data, executed(context));
}

function notTheContract(context: Context, message: string): never {
  const { status } = context.received.exchange;
  throw new ProtocolError({ ...executed(context), status, message });
}

function mediaType(headers: Headers): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase();
}

function mayBeJson(type: string): boolean {
  return type === '' || type === 'text/plain' || /[/+]json$/.test(type);
}

function parse(context: Context): unknown {
  const { text, headers } = context.received.exchange;
  const type = mediaType(headers);
  if (!mayBeJson(type)) {
    const shown = /^[a-z0-9.+/-]{1,60}$/.test(type) ? type : 'of another type';
    notTheContract(context, `the answer is ${shown} and not JSON.`);
  }
  try {
    return parseJson(text);
  } catch {
    return notTheContract(context, 'the answer is not valid JSON.');
  }
}

function refuseRejection(context: Context, data: unknown): void {
  if (!isObject(data) || data['success'] !== false) return;
  const { call, received } = context;
  const { exchange, credentials, attempts } = received;
  const said = readErrorBody(exchange.text, secretsOf(call, credentials));
  const known = Object.entries(BUSINESS_ERRORS).find(([, text]) => said.searchable.includes(text));
  throw new OperationRejectedError(exchange.status, said.message, {
    operation: call.endpoint.id,
    attempts,
    code: known?.[0] ?? 'operation_rejected',
  });
}

function answerOf(endpoint: Endpoint, status: number) {
  return endpoint.answers[status] ?? Object.values(endpoint.answers)[0];
}

function readMeaning(context: Context, data: unknown): unknown {
  const { call, received } = context;
  const { exchange, credentials, attempts } = received;
  const { endpoint } = call;
  const reading = endpoint.read?.(data, exchange.status);
  if (reading === undefined) return data;
  if (reading.means === 'result') return reading.result;
  if (reading.means === 'unusable') {
    unusable(context, [{ path: reading.path, message: reading.rule }], data);
  }
  const { status, headers } = exchange;
  const secrets = secretsOf(call, credentials);
  throw otpRequiredError(reading, status, headers, secrets, { operation: endpoint.id, attempts });
}

function reportDrift(context: Context, issues: readonly ValidationIssue[], data: unknown): void {
  const { endpoint, settings } = context.call;
  if (issues.length === 0) return;
  if (settings.strict) unusable(context, issues, data);
  settings.drift.tell(endpoint.id, issues);
}

function readByContract(context: Context, data: unknown): unknown {
  const { endpoint } = context.call;
  const answer = answerOf(endpoint, context.received.exchange.status);
  if (answer === undefined || endpoint.stability === 'preview') return readMeaning(context, data);
  const { schema, essential } = answer;
  const issues = check(schema, data);
  // The whole shape says the essential fields too, so only an answer that breaks it is checked twice.
  const missing = issues.length > 0 && essential !== undefined ? check(essential, data) : [];
  if (missing.length > 0) unusable(context, missing, data);
  const result = readMeaning(context, data);
  reportDrift(context, issues, data);
  return result;
}

async function readBySchema(context: Context, data: unknown, schema: Schema): Promise<unknown> {
  const result = await schema['~standard'].validate(data);
  if (result.issues === undefined) return result.value;
  // The caller's own rules may quote values, so only the paths are told.
  const issues = brokenRules(result.issues).map(({ path }) => ({
    path,
    message: 'breaks the schema that the caller gave',
  }));
  return unusable(context, issues, data);
}

/**
 * Reads a success answer into the result of its endpoint. Only what makes the answer useless is an
 * error; every other difference from the contract is reported as drift. Gives a promise where the
 * caller's schema has to be asked.
 *
 * @throws ProtocolError, ResponseValidationError, OperationRejectedError, OtpRequiredError
 */
export function readAnswer(call: Call, received: Received): unknown {
  const context = { call, received };
  const { endpoint, schema } = call;
  if (received.replayed !== undefined) return received.replayed.result;
  const isEmpty = received.exchange.text.trim() === '';
  if (isEmpty && endpoint.whenEmpty !== undefined) return endpoint.whenEmpty.result;
  if (isEmpty) notTheContract(context, 'the answer is empty.');
  const data = parse(context);
  refuseRejection(context, data);
  if (schema !== undefined) return readBySchema(context, data, schema);
  return conceal(readByContract(context, data), endpoint.secrets);
}

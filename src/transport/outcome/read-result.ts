import type { BrokenRule } from '../../contract/check.js';
import type { Difference } from '../../contract/differences.js';
import type { Endpoint } from '../../contract/endpoint.js';
import type { RetryClass } from '../../contract/retry-policy.js';
import type { Schema } from '../../contract/schema.js';
import {
  type CardPlatformError,
  OperationRejectedError,
  type Outcome,
  ProtocolError,
  ResponseValidationError,
} from '../../errors/index.js';
import { type ErrorBody, readErrorBody } from '../response/error-body.js';
import {
  type CallSummary,
  factsOfCall,
  type HasInput,
  otpRequiredError,
} from '../response/error-response.js';
import {
  evidenceOfExecution,
  isBlank,
  isStatusOnly,
  saysSuccess,
  suggestionOf,
} from '../response/evidence.js';
import type { HttpResponse } from '../response/http-response.js';
import { hideSecrets, isSecretInError, type SecretValues } from '../response/redact.js';
import {
  driftOf,
  mediaType,
  missingFields,
  parseBody,
  type ResponseReading,
  readByContract,
  readBySchema,
  readRefusal,
  type SchemaReading,
  shownType,
} from '../response/success-body.js';
import { type Clean, causeOf } from './network-error.js';
import { type AttemptFacts, combineOutcomes, outcomesOf, probableOfCall } from './outcome.js';

/** A success response and what is needed to read it. */
type Readable = {
  endpoint: Endpoint;
  response: HttpResponse;
  /** The checked input of the call. */
  input: Readonly<Record<string, unknown>>;
  /** Requests handed to the network for this call. */
  attempts: number;
  /** How far the earlier requests may have come. */
  earlier: Outcome;
  /** Collected only when something goes wrong. */
  secrets(): SecretValues;
  /** The texts of the request. */
  sent(): readonly string[];
  hasInput: HasInput;
  retryClass: RetryClass;
  /** Whether the journal has an entry of the call. */
  hasEntry: boolean;
  /** Whether a proxy of `card-platform-sdk/server` sent it. */
  isProxied: boolean;
  /** Whether every difference from the contract is an error. */
  isStrict: boolean;
  /** Receives every difference from the contract. Without it, nothing is compared. */
  onDrift: ((differences: readonly Difference[]) => void) | undefined;
};

/** A result, or the promise of one if the caller's own schema returned a promise. */
type ReadResult = {
  value: unknown;
  /** What is known of the call while that promise is pending. */
  facts: CallSummary;
};

type Says = AttemptFacts['says'];
type Failure = Exclude<ResponseReading, { means: 'result' }>;

function factsOf(readable: Readable, says: Says, hasEvidence = false): CallSummary {
  const { endpoint, response, attempts, retryClass, hasEntry } = readable;
  const { status } = response;
  const facts = { connection: 'established', status, says, hasEvidence } as const;
  const { outcome, probableOutcome } = outcomesOf(facts, retryClass);
  return {
    ...factsOfCall(endpoint, retryClass, hasEntry),
    outcome: combineOutcomes(readable.earlier, outcome, retryClass),
    probableOutcome: probableOfCall(readable.earlier, probableOutcome, retryClass),
    attempts,
    isRetryable: false,
  };
}

function errorBodyOf({ response, endpoint, secrets }: Readable): ErrorBody {
  return readErrorBody(response, secrets(), isSecretInError(endpoint));
}

/** What is known after a whole body in another form than the documented one. */
function unclearFacts(readable: Readable, data: unknown): CallSummary {
  const suggestion = suggestionOf(data, errorBodyOf(readable).texts);
  const evidence = evidenceOfExecution(data, readable.sent());
  return factsOf(
    readable,
    // It says so, but not in the documented form.
    suggestion === 'success' ? 'nothing' : suggestion,
    Object.keys(evidence).length > 0,
  );
}

/**
 * The facts where a body is not a result. A `success: true` in it still counts, because it is the
 * service's own word.
 */
function unusableFacts(readable: Readable, data: unknown): CallSummary {
  return saysSuccess(data) ? factsOf(readable, 'success') : unclearFacts(readable, data);
}

function errorOf(
  readable: Readable,
  failure: Failure,
  facts: CallSummary & { serverMessage?: string | undefined },
  cause?: Error,
): CardPlatformError {
  const { response } = readable;
  const { status } = response;
  switch (failure.means) {
    case 'refused': {
      const code = failure.code ?? 'operation_rejected';
      return new OperationRejectedError(status, failure, { ...facts, code });
    }
    case 'otp-required':
      return otpRequiredError(
        failure.user,
        response,
        readable.secrets(),
        readable.hasInput,
        factsOf(readable, 'refusal'),
      );
    case 'invalid':
      return new ResponseValidationError(status, failure.issues, failure.data, facts, cause);
    case 'not-json':
      return new ProtocolError({ ...facts, status, message: `the response ${failure.what}.` });
  }
}

/** Returns the error for a body that does not have the form that proves a success. */
function unusable(readable: Readable, data: unknown, issues: readonly BrokenRule[]) {
  const shown = hideSecrets(readable.endpoint, data);
  const { message: serverMessage } = errorBodyOf(readable);
  const facts = { ...unusableFacts(readable, data), serverMessage };
  return errorOf(readable, { means: 'invalid', issues, data: shown }, facts);
}

function notJson(readable: Readable, what: string): CardPlatformError {
  return errorOf(readable, { means: 'not-json', what }, factsOf(readable, 'nothing'));
}

const NOT_CONFIRMED: readonly BrokenRule[] = [
  { path: '', message: 'does not say in a documented form that it was done' },
];

function finishSchema(
  readable: Readable,
  data: unknown,
  reading: SchemaReading,
  facts: CallSummary,
): unknown {
  if (reading.means === 'result') return hideSecrets(readable.endpoint, reading.result);
  const clean: Clean = (text, length) => readable.secrets().clean(text, length);
  const cause = causeOf(reading.failure, clean);
  const shown = hideSecrets(readable.endpoint, data);
  throw errorOf(readable, { means: 'invalid', issues: reading.issues, data: shown }, facts, cause);
}

/**
 * Reads a body that only describes how the request went, where the schema is the only declared form.
 * A schema that accepts `{}` requires nothing, so a body that it accepts proves nothing.
 */
async function readStatusOnly(
  readable: Readable,
  data: unknown,
  schema: Schema,
  facts: CallSummary,
) {
  const reading = await readBySchema(data, schema);
  const result = finishSchema(readable, data, reading, facts);
  const ofNothing = await readBySchema({}, schema);
  if (ofNothing.means === 'result') throw unusable(readable, data, NOT_CONFIRMED);
  return result;
}

/**
 * Reads a body by a schema of the caller.
 *
 * @param isOnlyProof - whether no form is documented, so that only the schema proves a success
 */
function readByCaller(
  readable: Readable,
  data: unknown,
  schema: Schema,
  isOnlyProof: boolean,
): ReadResult {
  const facts = isOnlyProof ? unusableFacts(readable, data) : factsOf(readable, 'success');
  const { retryClass } = readable;
  const isEmpty = isBlank(data) && mayNotBeEmpty(readable);
  const isUnclear =
    isOnlyProof && retryClass !== 'safe' && !saysSuccess(data) && (isEmpty || isStatusOnly(data));
  if (isUnclear) return { value: readStatusOnly(readable, data, schema, facts), facts };
  const reading = readBySchema(data, schema);
  const finish = (one: SchemaReading) => finishSchema(readable, data, one, facts);
  return { value: reading instanceof Promise ? reading.then(finish) : finish(reading), facts };
}

/** Reads a body that is not JSON. Nothing in it is a refusal of the service. */
function readRaw(readable: Readable, schema: Schema | undefined): ReadResult {
  const { endpoint, response } = readable;
  const { bytes = new Uint8Array(), text } = response;
  const type = mediaType(response.headers);
  if (endpoint.mediaTypes !== undefined && !endpoint.mediaTypes.includes(type)) {
    throw notJson(readable, `is ${shownType(type)} and not ${endpoint.mediaTypes.join(' or ')}`);
  }
  const data = endpoint.response === 'bytes' ? bytes : text;
  if (data.length === 0 && mayNotBeEmpty(readable)) throw notJson(readable, 'is empty');
  if (schema !== undefined) return readByCaller(readable, data, schema, true);
  return { value: hideSecrets(endpoint, data), facts: factsOf(readable, 'success') };
}

const mayBeEmpty = ({ responses }: Endpoint) => responses[200]?.mayBeEmpty === true;

/** Whether an empty body leaves in doubt what a request did that must not be repeated. */
function mayNotBeEmpty({ endpoint, retryClass }: Readable): boolean {
  return retryClass === 'never' && endpoint.method !== 'GET' && !mayBeEmpty(endpoint);
}

/** Whether a proxy says that a retry found the work done: the service itself has no such field. */
function isResolvedByProxy({ isProxied }: Readable, data: unknown): boolean {
  return isProxied && Object(data).resolvedByRetry === true;
}

/**
 * Requires that a whole body proves a success, as far as a form is documented for it.
 *
 * @returns whether a form is documented
 */
function requireForm(readable: Readable, data: unknown, schema: Schema | undefined) {
  const { endpoint, response, retryClass } = readable;
  const isRead = retryClass === 'safe';
  const documented = isRead ? endpoint : (endpoint.reaches ?? endpoint);
  const missing = missingFields(data, documented, response.status, isRead);
  // A schema replaces the form of a read. It does not make a command done.
  const isReplaced = isRead && schema !== undefined;
  if (missing !== undefined && missing.length > 0 && !isReplaced) {
    throw unusable(readable, data, missing);
  }
  const isOpen = missing === undefined && schema === undefined && !saysSuccess(data);
  if (isOpen && isUnproven(readable, data)) throw unusable(readable, data, NOT_CONFIRMED);
  return missing?.length === 0;
}

/**
 * Compares a result with the contract, if anybody asks for that.
 *
 * @throws ResponseValidationError in strict mode
 */
function reportDrift(readable: Readable, data: unknown, result: unknown): void {
  const { endpoint, response, isStrict, onDrift } = readable;
  if (!isStrict && onDrift === undefined) return;
  const drift = driftOf(data, endpoint, response.status);
  if (drift.length === 0) return;
  onDrift?.(drift);
  if (!isStrict) return;
  const issues = drift.map(({ path, message }) => ({ path, message }));
  const done = factsOf(readable, 'success');
  throw errorOf(readable, { means: 'invalid', issues, data: result }, done);
}

/** Whether a body for which no form is documented cannot pass for a result. */
function isUnproven(readable: Readable, data: unknown): boolean {
  const { endpoint, retryClass } = readable;
  const isCommand = retryClass !== 'safe' && endpoint.method !== 'GET';
  if (isBlank(data) && mayNotBeEmpty(readable)) return true;
  if (!isStatusOnly(data)) return false;
  if (isCommand) return true;
  // A read of the caller's own may return anything.
  return (
    endpoint.isOutsideContract !== true &&
    ['message', 'error', 'errors'].some((one) => one in Object(data))
  );
}

/**
 * Reads a success response into the result of its endpoint. A result means that the service said so,
 * in a body that was read whole and has the documented form.
 *
 * @throws ProtocolError, ResponseValidationError, OperationRejectedError, OtpRequiredError
 */
export function readResult(readable: Readable, schema: Schema | undefined): ReadResult {
  const { endpoint, response, retryClass } = readable;
  if ((endpoint.response ?? 'json') !== 'json') return readRaw(readable, schema);
  const done = factsOf(readable, 'success');
  const isEmpty = response.text.trim() === '';
  const takesEmpty = endpoint.isOutsideContract !== true || schema === undefined;
  if (isEmpty && endpoint.whenEmpty !== undefined && takesEmpty) {
    return { value: endpoint.whenEmpty.result, facts: done };
  }
  const parsed = parseBody(endpoint, response, retryClass === 'safe');
  if ('means' in parsed) throw notJson(readable, parsed.what);
  const { data } = parsed;
  const { sent, hasInput } = readable;
  const refusal = readRefusal(
    data,
    response,
    endpoint,
    () => errorBodyOf(readable),
    sent,
    hasInput,
  );
  if (refusal !== undefined) {
    throw errorOf(readable, refusal, factsOf(readable, 'refusal', refusal.isContradicted));
  }
  if (isResolvedByProxy(readable, data)) return { value: data, facts: done };
  const isProven = requireForm(readable, data, schema);
  if (schema !== undefined) return readByCaller(readable, data, schema, !isProven);
  const reading = readByContract(data, endpoint, response.status, readable.input);
  if (reading.means !== 'result') throw errorOf(readable, reading, unclearFacts(readable, data));
  reportDrift(readable, data, reading.result);
  return { value: reading.result, facts: done };
}

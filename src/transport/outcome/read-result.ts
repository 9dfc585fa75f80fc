import type { Endpoint } from '../../contract/endpoint.js';
import type { RetryClass } from '../../contract/retry-policy.js';
import type { Schema } from '../../contract/schema.js';
import {
  type CardPlatformError,
  OperationRejectedError,
  ProtocolError,
  ResponseValidationError,
  type ValidationIssue,
} from '../../errors/index.js';
import { readBySchema, type SchemaReading } from '../response/caller-schema.js';
import { type HasInput, otpRequiredError } from '../response/error-response.js';
import type { HttpResponse } from '../response/http-response.js';
import {
  hideSecrets,
  mediaType,
  parseBody,
  type ResponseReading,
  readByContract,
  readRefusal,
  shownType,
} from '../response/read-response.js';
import type { SecretValues } from '../response/redact.js';
import { type Clean, causeOf } from './cause.js';
import { outcomeOfAttempt } from './outcome.js';

/** A success response and what is needed to read it. */
export type Readable = {
  endpoint: Endpoint;
  response: HttpResponse;
  /** The checked input of the call. */
  input: Readonly<Record<string, unknown>>;
  /** Requests handed to the network for this call. */
  attempts: number;
  /** Collected only when something goes wrong. */
  secrets(): SecretValues;
  /** The texts of the request. */
  sent(): readonly string[];
  hasInput: HasInput;
  retryClass: RetryClass;
  /** Whether every difference from the contract is an error. */
  isStrict: boolean;
  onDrift(issues: readonly ValidationIssue[]): void;
};

function factsOf(readable: Readable, hasEvidence = false) {
  const { endpoint, response, attempts, retryClass } = readable;
  const outcome = (isRefusal: boolean) =>
    outcomeOfAttempt(
      {
        connection: 'established',
        status: response.status,
        isBodyRead: true,
        isRefusal,
        hasEvidence,
      },
      retryClass,
    );
  const call = {
    operation: endpoint.id,
    attempts,
    isRead: retryClass === 'safe',
    isRetryable: false,
  };
  return {
    executed: { ...call, outcome: outcome(false) },
    refused: { ...call, outcome: outcome(true) },
  };
}

type Failure = Exclude<ResponseReading, { means: 'result' }>;

function errorOf(readable: Readable, failure: Failure, cause?: Error): CardPlatformError {
  const { response } = readable;
  const { status } = response;
  const { executed, refused } = factsOf(
    readable,
    failure.means === 'refused' && failure.isContradicted,
  );
  switch (failure.means) {
    case 'refused': {
      const code = failure.code ?? 'operation_rejected';
      return new OperationRejectedError(status, failure, { ...refused, code });
    }
    case 'otp-required':
      return otpRequiredError(
        failure.user,
        response,
        readable.secrets(),
        readable.hasInput,
        refused,
      );
    case 'unusable':
      return new ResponseValidationError(status, failure.issues, failure.data, executed, cause);
    case 'not-json':
      return new ProtocolError({ ...executed, status, message: `the response ${failure.what}.` });
  }
}

function finishSchema(readable: Readable, data: unknown, reading: SchemaReading): unknown {
  if (reading.means === 'result') return hideSecrets(readable.endpoint, reading.result);
  const clean: Clean = (text, length) => readable.secrets().clean(text, length);
  const cause = causeOf(reading.failure, clean);
  const shown = hideSecrets(readable.endpoint, data);
  throw errorOf(readable, { means: 'unusable', issues: reading.issues, data: shown }, cause);
}

function readByCaller(readable: Readable, data: unknown, schema: Schema): unknown {
  const reading = readBySchema(data, schema);
  return reading instanceof Promise
    ? reading.then((one) => finishSchema(readable, data, one))
    : finishSchema(readable, data, reading);
}

/** Reads a body that is not JSON. Nothing in it is a refusal of the service. */
function readRaw(readable: Readable, schema: Schema | undefined): unknown {
  const { endpoint, response } = readable;
  const { bytes = new Uint8Array(), text } = response;
  const type = mediaType(response.headers);
  if (endpoint.mediaTypes !== undefined && !endpoint.mediaTypes.includes(type)) {
    const what = `is ${shownType(type)} and not ${endpoint.mediaTypes.join(' or ')}`;
    throw errorOf(readable, { means: 'not-json', what });
  }
  const data = endpoint.response === 'bytes' ? bytes : text;
  return schema === undefined ? hideSecrets(endpoint, data) : readByCaller(readable, data, schema);
}

/**
 * Reads a success response into the result of its endpoint. Returns a promise only if the caller's own
 * schema returned one.
 *
 * @throws ProtocolError, ResponseValidationError, OperationRejectedError, OtpRequiredError
 */
export function readResult(readable: Readable, schema: Schema | undefined): unknown {
  const { endpoint, response, isStrict, onDrift } = readable;
  if ((endpoint.response ?? 'json') !== 'json') return readRaw(readable, schema);
  const isEmpty = response.text.trim() === '';
  const mayBeEmpty = endpoint.isOwn !== true || schema === undefined;
  if (isEmpty && endpoint.whenEmpty !== undefined && mayBeEmpty) return endpoint.whenEmpty.result;
  const parsed = parseBody(endpoint, response);
  if ('means' in parsed) throw errorOf(readable, parsed);
  const { data } = parsed;
  const { secrets, sent, hasInput } = readable;
  const refusal = readRefusal(data, response, endpoint, secrets, sent, hasInput);
  if (refusal !== undefined) throw errorOf(readable, refusal);
  if (schema !== undefined) return readByCaller(readable, data, schema);
  const reading = readByContract(data, endpoint, response.status, readable.input);
  if (reading.means !== 'result') throw errorOf(readable, reading);
  if (reading.drift.length > 0) {
    if (isStrict) {
      throw errorOf(readable, { means: 'unusable', issues: reading.drift, data: reading.result });
    }
    onDrift(reading.drift);
  }
  return reading.result;
}

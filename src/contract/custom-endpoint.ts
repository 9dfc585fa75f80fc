import { NO_INPUT, withDefaults } from './define-endpoint.js';
import type { Certainty, Endpoint, Lookup } from './endpoint.js';
import { Field } from './field.js';
import { anything } from './fields.js';
import { POLICY_OF_CLASS, type RetryClass, type RetryPolicy } from './retry-policy.js';
import type { Schema } from './schema.js';

/** What is known about an endpoint outside the contract. */
type CustomParts = Pick<Endpoint, 'id' | 'method' | 'path' | 'retry' | 'input'> & Partial<Endpoint>;

/**
 * Completes an endpoint outside the contract with what all of them share: nothing is known about the
 * response except what `output` says, and fields with the name of a secret print redacted.
 */
// @__NO_SIDE_EFFECTS__
export function customEndpoint(declaration: CustomParts): Endpoint {
  const { response = 'json', output, retry, responses = {} } = declaration;
  // Such a request may move money: an empty response does not say that it did.
  const movesMoney = retry.class === 'never' && declaration.method !== 'GET';
  const provesNothing = movesMoney && responses[200]?.mayBeEmpty !== true;
  const takesEmpty = response === 'json' && output === undefined && !provesNothing;
  return Object.freeze(
    withDefaults<unknown, unknown>({
      stability: 'preview',
      responses: {},
      redactsNamed: true,
      isCustom: true,
      // Closed until somebody decides.
      pageAccess: 'on-request',
      // With a schema, an empty body is an error: the schema promises a result.
      ...(takesEmpty && { whenEmpty: { result: undefined } }),
      ...declaration,
    }),
  );
}

/** A declaration in the words of `CustomDeclaration`, of any types. */
export type AnyDeclaration = Pick<Endpoint, 'id' | 'method' | 'path'> & {
  readonly retry: RetryClass;
  readonly input?: Schema | undefined;
  readonly output?: Schema | undefined;
  readonly maxRequests?: number | undefined;
  readonly retryWithin?: number | undefined;
  readonly mayBeEmpty?: boolean | undefined;
  readonly resultWhenRetried?: Readonly<Record<number, unknown>> | undefined;
  readonly reconcile?: Lookup | undefined;
  readonly certainty?: Certainty | undefined;
} & {
  readonly [Name in
    | 'pageAccess'
    | 'query'
    | 'wireNames'
    | 'sendsBody'
    | 'credentials'
    | 'routing'
    | 'response'
    | 'accept'
    | 'maxResponseBytes'
    | 'secretInputs'
    | 'secrets'
    | 'errors'
    | 'mediaTypes'
    | 'bodyEncoding'
    | 'headerFields'
    | 'resultWhen'
    | 'isRecorded'
    | 'renewsToken']?: Endpoint[Name] | undefined;
};

/** The retry policy of a class, which both limits only restrict. */
function policyOf({ retry, maxRequests, retryWithin }: AnyDeclaration): RetryPolicy {
  const policy = POLICY_OF_CLASS[retry];
  return {
    ...policy,
    maxRequests: Math.min(maxRequests ?? policy.maxRequests, policy.maxRequests),
    ...(retryWithin !== undefined && { within: retryWithin }),
  };
}

/** The promise of a response: what was observed of it, or the schema of the caller. */
function promiseOf(output: Schema = anything): Schema {
  const { field }: { field?: unknown } = Object(output);
  return field instanceof Field ? field : output;
}

/** Builds an endpoint from a declaration that is known to be valid. */
// @__NO_SIDE_EFFECTS__
export function endpointOf(declaration: AnyDeclaration): Endpoint {
  const {
    retry,
    maxRequests,
    retryWithin,
    mayBeEmpty,
    resultWhenRetried = {},
    ...given
  } = declaration;
  const { input, output, method, query = [], credentials = ['clientKey', 'accessToken'] } = given;
  const sendsBody = input !== undefined && !['GET', 'DELETE'].includes(method);
  // A declaration may have options that are `undefined`, which means left out.
  const known: object = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  );
  return customEndpoint({
    sendsBody,
    routing: 'header',
    response: 'json',
    wireNames: {},
    headerFields: {},
    secretInputs: [],
    bodyEncoding: 'json',
    renewsToken: true,
    resultWhen: {},
    ...(known as Omit<CustomParts, 'retry'>),
    retry: policyOf(declaration),
    input: input ?? NO_INPUT,
    query,
    credentials,
    ...((mayBeEmpty === true || output !== undefined) && {
      responses: {
        200: { promise: promiseOf(output), ...(mayBeEmpty === true && { mayBeEmpty }) },
      },
    }),
    retryResolutions: Object.entries(resultWhenRetried).map(([status, result]) => ({
      status: Number(status),
      means: 'done' as const,
      result,
    })),
  });
}

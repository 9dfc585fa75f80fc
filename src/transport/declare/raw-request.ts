import { completeEndpoint } from '../../contract/define-endpoint.js';
import type { Credential, Endpoint, ResponseKind } from '../../contract/endpoint.js';
import { anything } from '../../contract/fields.js';
import {
  POLICY_OF_CLASS,
  RETRY_CLASSES,
  type RetryClass,
  type RetryPolicy,
  stricterPolicy,
} from '../../contract/retry-policy.js';
import type { JsonValue, Schema } from '../../contract/schema.js';
import { CALL_OPTIONS, type CallOptions } from '../settings/check-call.js';
import {
  METHODS,
  ownOptions,
  RESPONSE_KINDS,
  refuse,
  requireBytes,
  requireCredentials,
  requireNames,
  requireOneOf,
  requirePath,
} from '../settings/check-options.js';
import type { RequestOptions } from '../settings/options.js';
import { findEndpoint } from './find-endpoint.js';

/** Options of a request to an endpoint that has no method. */
export type RawRequest<Output = unknown> = RequestOptions & {
  /** The credentials to send, and no others. Default `['clientKey', 'accessToken']`. */
  auth?: readonly Credential[] | undefined;
  /** Values for the `{placeholders}` of the path. */
  params?: Readonly<Record<string, string>> | undefined;
  /** Query parameters. Those that are `undefined` are left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** A JSON body. */
  body?: JsonValue | undefined;
  /** Any Standard Schema. It types the response, and a response that breaks it is an error. */
  schema?: Schema<Output> | undefined;
  /**
   * What a second request would do. `safe`: nothing, it only reads. `idempotent`: the same as the
   * first. `issues-token`: leave another live token or URL. `never`: the request is sent again only
   * after a failure that provably delivered nothing, or after a 401 of the service, with a new token.
   *
   * Default: `never`. A request to the path of an endpoint that has a method follows the retry policy of
   * that method, and a class that would retry more is refused.
   */
  retryClass?: RetryClass | undefined;
  /** Whether the endpoint accepts US routing in a header. Default `header`. */
  routing?: 'header' | 'none' | undefined;
  /**
   * How a success body is read. `text` resolves to a string, `bytes` to a `Uint8Array`. Default
   * `json`.
   */
  response?: ResponseKind | undefined;
  /** The longest success body, in bytes after decompression. Default 1 MiB (1,048,576). */
  maxResponseBytes?: number | undefined;
  /**
   * Whether an empty success body means done: a `schema` then reads it like `{}`. Default: as the
   * method for the same path reads it. If there is none, `true` without a `schema`, but `false` for
   * a `never` request other than a GET. Such a request may have moved money, which an empty body does
   * not say, so the call rejects with the outcome `unknown`.
   */
  mayBeEmpty?: boolean | undefined;
  /**
   * Names of further values in `params`, `query` and `body` that no error may contain. Values under
   * names such as `password`, `token`, `refresh_token` or `client_secret` are secret anyway.
   */
  secretInputs?: readonly string[] | undefined;
  /**
   * Dotted paths of further response fields that print redacted. Fields with names such as `token`
   * or `refresh_token` do so anyway.
   */
  secrets?: readonly string[] | undefined;
};

/** HTTP methods of `client.request()`. */
export type Method = Endpoint['method'];

// A record, so that the compiler asks for each option.
const OWN_OPTIONS: Readonly<Record<Exclude<keyof RawRequest, keyof CallOptions>, true>> = {
  auth: true,
  params: true,
  query: true,
  body: true,
  retryClass: true,
  routing: true,
  response: true,
  maxResponseBytes: true,
  mayBeEmpty: true,
  secretInputs: true,
  secrets: true,
};

/** The retry policies that the method of an endpoint would use for a request with this query. */
function policiesOf(row: Endpoint, query: Readonly<Record<string, unknown>>) {
  const { retry, retryWhen } = row;
  if (retryWhen === undefined) return { retry };
  const wire = row.wireNames?.[retryWhen.field] ?? retryWhen.field;
  // A server may read 1 or TRUE as true, too.
  const special = Object.entries(query).find(
    ([name, value]) =>
      name.toLowerCase() === wire.toLowerCase() &&
      value !== undefined &&
      String(value).toLowerCase() !== 'false',
  );
  if (special === undefined) return { retry };
  const [name, is] = special;
  return { retry: retryWhen.retry, retryWhen: { ...retryWhen, field: `query.${name}`, is } };
}

/** Restricts the policy of a row to the class that a caller asks for. */
function restrict(row: Endpoint, policy: RetryPolicy, given: RetryClass | undefined): RetryPolicy {
  if (given === undefined) return policy;
  if (RETRY_CLASSES.indexOf(given) < RETRY_CLASSES.indexOf(policy.class)) {
    refuse(
      'retryClass',
      `must be ${policy.class} for ${row.method} ${row.path}, or be left out: ` +
        `use client.${row.id}(), which knows when a retry is safe`,
    );
  }
  return stricterPolicy(policy, POLICY_OF_CLASS[given], given);
}

/** The properties that a request inherits from the endpoint of the contract that it reaches. */
function takenFrom(
  row: Endpoint,
  query: Readonly<Record<string, unknown>>,
  given: RetryClass | undefined,
) {
  const { retry, retryWhen } = policiesOf(row, query);
  const policy = restrict(row, retry, given);
  const { secretInputs = [], secrets, businessErrors, wireNames = {} } = row;
  return {
    policies: {
      retry: policy,
      ...(retryWhen !== undefined && { retryWhen: { ...retryWhen, retry: policy } }),
    },
    reaches: row,
    // An empty response means the same as to the method.
    mayBeEmpty: row.responses[200]?.mayBeEmpty,
    businessErrors,
    secretInputs: secretInputs.flatMap((name) => [name, wireNames[name] ?? name]),
    secrets,
  };
}

/**
 * Declares an endpoint that has no method, so that its requests are handled like all others.
 *
 * @param contract - the endpoints that have a method
 * @throws ConfigurationError
 */
export function declareRawRequest<Output>(
  contract: readonly Endpoint[],
  method: Method,
  path: string,
  given: RawRequest<Output>,
) {
  const names = Object.keys({ ...CALL_OPTIONS, ...OWN_OPTIONS });
  const request = ownOptions<RawRequest<Output>>(given, names);
  const { auth = ['clientKey', 'accessToken'], body, ...rest } = request;
  const { retryClass, routing = 'header', response = 'json', maxResponseBytes, ...others } = rest;
  const { secretInputs, secrets, params: givenParams, query: givenQuery, ...more } = others;
  const { mayBeEmpty, ...options } = more;
  // Read once, so that the values that decide on retries are the ones that are sent.
  const params = { ...givenParams };
  const query = { ...givenQuery };
  const template = requirePath(path);
  const verb = requireOneOf(method, 'method', METHODS);
  const queryNames = Object.keys(query);
  const asked =
    retryClass === undefined ? undefined : requireOneOf(retryClass, 'retryClass', RETRY_CLASSES);
  const row = findEndpoint(contract, verb, template, params);
  const reached: Partial<ReturnType<typeof takenFrom>> = row ? takenFrom(row, query, asked) : {};
  const { policies, ...taken } = reached;
  const declared = completeEndpoint({
    id: 'request',
    method: verb,
    path: template,
    credentials: requireCredentials(auth, 'auth'),
    routing: requireOneOf(routing, 'routing', ['header', 'none']),
    retry: policies?.retry.class ?? asked ?? 'never',
    ...taken,
    ...(mayBeEmpty !== undefined && {
      mayBeEmpty: requireOneOf(mayBeEmpty, 'mayBeEmpty', [true, false]),
    }),
    input: anything,
    query: queryNames.map((name) => `query.${name}`),
    wireNames: Object.fromEntries(queryNames.map((name) => [`query.${name}`, name])),
    wholeBodyField: 'request.body',
    sendsBody: body !== undefined,
    response: requireOneOf(response, 'response', RESPONSE_KINDS),
    ...(maxResponseBytes !== undefined && { maxResponseBytes: requireBytes(maxResponseBytes) }),
    secretInputs: [...(taken.secretInputs ?? []), ...requireNames(secretInputs, 'secretInputs')],
    secrets: [...(taken.secrets ?? []), ...requireNames(secrets, 'secrets')],
  });
  const endpoint: Endpoint = { ...declared, ...policies };
  const named = Object.entries(query).map(([name, value]) => [`query.${name}`, value]);
  const values = { ...params, ...Object.fromEntries(named), 'request.body': body };
  return { endpoint, input: values, options };
}

import type { Credential, Endpoint } from '../../contract/endpoint.js';
import type { Field } from '../../contract/field.js';
import { anything, input, optional, pathId, queryValue } from '../../contract/fields.js';
import {
  IDEMPOTENT,
  ISSUES_TOKEN,
  NEVER,
  RETRY_CLASSES,
  type RetryClass,
  type RetryPolicy,
  SAFE,
} from '../../contract/retry-policy.js';
import type { JsonValue, Schema } from '../../contract/schema.js';
import { ConfigurationError } from '../../errors/index.js';
import { CALL_OPTIONS, type CallOptions } from './check-call.js';
import type { RequestOptions } from './options.js';
import { ownOptions } from './own-options.js';

/** Options of a request to an endpoint that has no method. */
export type RawRequest<Output = unknown> = RequestOptions & {
  /** The credentials to send, and no others. Default `['clientKey', 'accessToken']`. */
  auth?: readonly Credential[] | undefined;
  /** Values for the `{placeholders}` of the path. */
  params?: Readonly<Record<string, string>> | undefined;
  query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** A JSON body. */
  body?: JsonValue | undefined;
  /** Any Standard Schema. It types the response, and a response that breaks it is an error. */
  schema?: Schema<Output> | undefined;
  /**
   * What a second request would do. `safe`: nothing, it only reads. `idempotent`: the same as the
   * first. `issues-token`: leave another live token or URL. Default `never`: the request is sent
   * again only after a failure that provably delivered nothing.
   */
  retryClass?: RetryClass | undefined;
  /** Whether the endpoint takes US routing in a header. Default `header`. */
  routing?: 'header' | 'none' | undefined;
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

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const CREDENTIALS: readonly Credential[] = ['clientKey', 'clientId', 'secretKey', 'accessToken'];

const POLICIES: Readonly<Record<RetryClass, RetryPolicy>> = {
  safe: SAFE,
  idempotent: IDEMPOTENT,
  'issues-token': ISSUES_TOKEN,
  never: NEVER,
};

const SEGMENT = /^(?!\.{1,2}$)(?:[A-Za-z0-9._~-]{1,200}|\{[A-Za-z]{1,60}\})$/;
// A record, so that the compiler asks for each option.
const OWN_OPTIONS: Readonly<Record<Exclude<keyof RawRequest, keyof CallOptions>, true>> = {
  auth: true,
  params: true,
  query: true,
  body: true,
  retryClass: true,
  routing: true,
  secretInputs: true,
  secrets: true,
};

function refuse(option: string, rule: string): never {
  throw new ConfigurationError(option, `${option} ${rule}.`);
}

function requirePath(path: unknown): string {
  const segments = typeof path === 'string' && path.startsWith('/') ? path.slice(1).split('/') : [];
  if (segments.length > 0 && segments.every((segment) => SEGMENT.test(segment))) {
    return String(path);
  }
  return refuse('path', 'must be a path template such as /v1/things/{id}, without query or host');
}

function requireAuth(auth: readonly Credential[]): readonly Credential[] {
  if (Array.isArray(auth) && auth.every((name) => CREDENTIALS.includes(name))) return [...auth];
  return refuse('auth', `must be a list of ${CREDENTIALS.join(', ')}`);
}

function requireOneOf<T extends string>(value: T, option: string, known: readonly T[]): T {
  return known.includes(value) ? value : refuse(option, `must be one of ${known.join(', ')}`);
}

function requireNames(names: readonly string[] | undefined, option: string): readonly string[] {
  if (names === undefined) return [];
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return [...names];
  return refuse(option, 'must be a list of names');
}

function fieldsOf(names: Iterable<string>, field: Field, prefix = '') {
  return Object.fromEntries(Array.from(names, (name) => [`${prefix}${name}`, field]));
}

/**
 * Declares an endpoint that has no method, so that its request is handled like all others.
 *
 * @throws ConfigurationError
 */
export function declareRawRequest<Output>(method: Method, path: string, given: RawRequest<Output>) {
  const names = Object.keys({ ...CALL_OPTIONS, ...OWN_OPTIONS });
  const request = ownOptions<RawRequest<Output>>(given, names);
  const { auth = ['clientKey', 'accessToken'], params = {}, query = {}, body, ...rest } = request;
  const { retryClass = 'never', routing = 'header', secretInputs, secrets, ...options } = rest;
  const template = requirePath(path);
  const placeholders = Array.from(template.matchAll(/\{([A-Za-z]+)\}/g), ([, name = '']) => name);
  const queryNames = Object.keys(query);
  const endpoint: Endpoint = {
    id: 'request',
    method: requireOneOf(method, 'method', METHODS),
    path: template,
    credentials: requireAuth(auth),
    routing: requireOneOf(routing, 'routing', ['header', 'none']),
    stability: 'preview',
    retry: POLICIES[requireOneOf(retryClass, 'retryClass', RETRY_CLASSES)],
    input: input({
      ...fieldsOf(placeholders, pathId),
      ...fieldsOf(queryNames, optional(queryValue), 'query.'),
      'request.body': optional(anything),
    }),
    query: queryNames.map((name) => `query.${name}`),
    wireNames: Object.fromEntries(queryNames.map((name) => [`query.${name}`, name])),
    wholeBodyField: 'request.body',
    sendsBody: body !== undefined,
    responses: {},
    whenEmpty: { result: undefined },
    errors: [],
    businessErrors: [],
    secretInputs: requireNames(secretInputs, 'secretInputs'),
    secrets: requireNames(secrets, 'secrets'),
    concealsNamed: true,
  };
  const named = Object.entries(query).map(([name, value]) => [`query.${name}`, value]);
  const values = { ...params, ...Object.fromEntries(named), 'request.body': body };
  return { endpoint, input: values, options };
}

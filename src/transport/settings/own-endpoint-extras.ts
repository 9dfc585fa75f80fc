import type { Endpoint } from '../../contract/endpoint.js';
import type { RetryPolicy } from '../../contract/retry-policy.js';
import type { Schema } from '../../contract/schema.js';
import { RESERVED_HEADERS } from '../adapters/header-safety.js';
import { refuse, requireNames, requireOneOf, requireWireNames } from './endpoint-options.js';
import { requireDuration } from './requirements.js';

const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;
const MOST_REQUESTS = 3;

type Given = Readonly<Record<string, unknown>>;

/** Checks how often, and for how long, an endpoint may be sent again. Both only restrict its class. */
export function requireRetryLimits(
  policy: RetryPolicy,
  { maxRequests, retryWithin }: Given,
): RetryPolicy {
  const most = maxRequests ?? policy.maxRequests;
  if (!Number.isInteger(most) || Number(most) < 1 || Number(most) > MOST_REQUESTS) {
    return refuse('maxRequests', `must be a whole number from 1 to ${MOST_REQUESTS}`);
  }
  return {
    ...policy,
    maxRequests: Math.min(Number(most), policy.maxRequests),
    ...(retryWithin !== undefined && { within: requireDuration(retryWithin, 'retryWithin') }),
  };
}

function requireFlag(value: unknown, option: string): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value;
  return refuse(option, 'must be true or false');
}

function requireHeaderFields(given: unknown, inPath: readonly string[], query: readonly string[]) {
  const fields = requireWireNames(given, 'headerFields');
  for (const [field, header] of Object.entries(fields)) {
    if (!HEADER_NAME.test(header)) refuse('headerFields', 'must be header names in lower case');
    if (RESERVED_HEADERS.has(header)) {
      refuse('headerFields', `must not hold ${header}, which the client alone sets`);
    }
    if (inPath.includes(field) || query.includes(field)) {
      refuse('headerFields', 'must not hold a field that is in the path or query');
    }
  }
  return fields;
}

/** The results of error statuses. They are the caller's own values and are not checked. */
function requireResults(given: unknown, option: string): Readonly<Record<number, unknown>> {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  if (isObject && Object.keys(given).every((status) => /^4\d\d$/.test(status))) return { ...given };
  return refuse(option, 'must be an object with statuses from 400 to 499');
}

function requireMediaTypes(given: unknown, response: unknown): readonly string[] {
  if (response === 'json') refuse('mediaTypes', 'must be left out where response is json');
  const types = requireNames(given, 'mediaTypes').map((type) => type.toLowerCase());
  if (types.length > 0 && types.every((type) => MEDIA_TYPE.test(type))) return types;
  return refuse('mediaTypes', 'must be media types such as text/csv');
}

function requireEmptyBody(output: Schema | undefined, response: unknown) {
  if (output === undefined || response !== 'json') {
    refuse('mayBeEmpty', 'needs an output, and the response json');
  }
  return { 200: { schema: output, mayBeEmpty: true } };
}

/**
 * Checks the options of a declaration that few endpoints need.
 *
 * @throws ConfigurationError that names the option
 */
export function requireExtras(
  given: Given,
  {
    output,
    response,
    inPath,
    query,
  }: {
    readonly output: Schema | undefined;
    readonly response: unknown;
    readonly inPath: readonly string[];
    readonly query: readonly string[];
  },
): Partial<Endpoint> {
  const { bodyEncoding, headerFields, mediaTypes, resultWhen, resultWhenRetried } = given;
  const mayBeEmpty = requireFlag(given['mayBeEmpty'], 'mayBeEmpty');
  const renewsToken = requireFlag(given['renewsToken'], 'renewsToken');
  const encoding = requireOneOf(bodyEncoding ?? 'json', 'bodyEncoding', ['json', 'form'] as const);
  const retried = requireResults(resultWhenRetried ?? {}, 'resultWhenRetried');
  return {
    ...(encoding === 'form' && { bodyEncoding: encoding }),
    ...(headerFields !== undefined && {
      headerFields: requireHeaderFields(headerFields, inPath, query),
    }),
    ...(mediaTypes !== undefined && { mediaTypes: requireMediaTypes(mediaTypes, response) }),
    ...(mayBeEmpty === true && { responses: requireEmptyBody(output, response) }),
    ...(resultWhen !== undefined && { resultWhen: requireResults(resultWhen, 'resultWhen') }),
    ...(resultWhenRetried !== undefined && {
      retryResolutions: Object.entries(retried).map(([status, result]) => ({
        status: Number(status),
        means: 'done',
        result,
      })),
    }),
    ...(renewsToken === false && { renewsToken }),
  };
}

import type { Endpoint } from '../../contract/endpoint.js';
import { anything } from '../../contract/fields.js';
import type { RetryPolicy } from '../../contract/retry-policy.js';
import type { Schema } from '../../contract/schema.js';
import {
  refuse,
  requireNames,
  requireOneOf,
  requireWireNames,
} from '../settings/endpoint-options.js';
import { requireDuration } from '../settings/requirements.js';

export const FLAGS: readonly boolean[] = [true, false];

type Given = Readonly<Record<string, unknown>>;

/** Refuses to send a field in two places. */
export function requireApart(
  names: readonly string[],
  elsewhere: readonly string[],
  option: string,
  place: string,
): void {
  if (names.some((name) => elsewhere.includes(name))) {
    refuse(option, `must not hold a field of ${place}`);
  }
}

/** The results of error statuses. They are the caller's own values and are not checked. */
function requireResults(given: unknown, option: string): [string, unknown][] {
  const results = Object.entries(Object(given));
  if (results.some(([status]) => !/^4\d\d$/.test(status))) {
    refuse(option, 'must be an object with statuses from 400 to 499');
  }
  return results;
}

/**
 * Checks the options of a declaration that few endpoints need. Kept small, because every page that
 * declares an endpoint loads it.
 *
 * @param elsewhere - the input fields of path and query
 * @throws ConfigurationError that names the option
 */
export function requireExtras(
  given: Given,
  policy: RetryPolicy,
  output: Schema | undefined,
  elsewhere: readonly string[],
): Partial<Endpoint> & { retry: RetryPolicy } {
  const { mayBeEmpty = false, renewsToken = true, bodyEncoding = 'json', retryWithin } = given;
  const { maxRequests = policy.maxRequests } = given;
  const most = Number(maxRequests);
  if (!Number.isInteger(maxRequests) || most < 1)
    refuse('maxRequests', 'must be a whole number above zero');
  const headerFields = requireWireNames(given['headerFields'], 'headerFields');
  requireApart(Object.keys(headerFields), elsewhere, 'headerFields', 'path or query');
  const mediaTypes = requireNames(given['mediaTypes'], 'mediaTypes');
  requireOneOf(mayBeEmpty, 'mayBeEmpty', FLAGS);
  return {
    // Both limits only restrict the class.
    retry: {
      ...policy,
      maxRequests: Math.min(most, policy.maxRequests),
      ...(retryWithin !== undefined && { within: requireDuration(retryWithin, 'retryWithin') }),
    },
    headerFields,
    bodyEncoding: requireOneOf(bodyEncoding, 'bodyEncoding', ['json', 'form']),
    renewsToken: requireOneOf(renewsToken, 'renewsToken', FLAGS),
    ...(mediaTypes.length > 0 && { mediaTypes }),
    ...(mayBeEmpty === true && { responses: { 200: { promise: output ?? anything, mayBeEmpty } } }),
    resultWhen: Object.fromEntries(requireResults(given['resultWhen'], 'resultWhen')),
    retryResolutions: requireResults(given['resultWhenRetried'], 'resultWhenRetried').map(
      ([status, result]) => ({ status: Number(status), means: 'done', result }),
    ),
  };
}

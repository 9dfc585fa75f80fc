import { type AnyDeclaration, completeEndpoint } from '../../contract/define-endpoint.js';
import {
  type Endpoint,
  type Lookup,
  PAGE_ACCESS,
  placeholdersIn,
  type ResponseKind,
  type Routing,
} from '../../contract/endpoint.js';
import {
  RETRY_CLASSES,
  type RetryClass,
  type RetryDeclaration,
} from '../../contract/retry-policy.js';
import type { Schema } from '../../contract/schema.js';
import {
  METHODS,
  ownOptions,
  RESPONSE_KINDS,
  refuse,
  requireAccept,
  requireBytes,
  requireCredentials,
  requireDuration,
  requireId,
  requireNames,
  requireOneOf,
  requirePath,
  requireSchema,
  requireStatuses,
  requireWireNames,
} from '../settings/check-options.js';

const FLAGS: readonly boolean[] = [true, false];

type GivenExtras = Readonly<Record<string, unknown>>;

/** Refuses to send a field in two places. */
function requireApart(
  names: readonly string[],
  elsewhere: readonly string[],
  option: string,
  place: string,
): void {
  if (names.some((name) => elsewhere.includes(name))) {
    refuse(option, `must not contain a field of ${place}`);
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

/** Checks the options that lower what a retry class allows. */
function requireRetryLimits(given: GivenExtras): Omit<RetryDeclaration, 'retry'> {
  const { maxRequests, retryWithin, retryAfterNoResponse = true } = given;
  const { retryAfterStatuses, retryAfterConnectFailure } = given;
  const requireCount = (value: unknown, option: string, least: number) =>
    Number.isSafeInteger(value) && Number(value) >= least
      ? Number(value)
      : refuse(option, `must be a whole number from ${least}`);
  return {
    ...(maxRequests !== undefined && {
      maxRequests: requireCount(maxRequests, 'maxRequests', 1),
    }),
    ...(retryWithin !== undefined && { retryWithin: requireDuration(retryWithin, 'retryWithin') }),
    ...(retryAfterStatuses !== undefined && {
      retryAfterStatuses: requireFailures(retryAfterStatuses),
    }),
    ...(retryAfterConnectFailure !== undefined && {
      retryAfterConnectFailure: requireCount(
        retryAfterConnectFailure,
        'retryAfterConnectFailure',
        0,
      ),
    }),
    retryAfterNoResponse: requireOneOf(retryAfterNoResponse, 'retryAfterNoResponse', FLAGS),
  };
}

/** The statuses after which a caller lets a request be sent again. */
function requireFailures(given: unknown): readonly number[] {
  const option = 'retryAfterStatuses';
  const isFailure = (one: unknown) =>
    Number.isInteger(one) && Number(one) >= 500 && Number(one) < 600;
  if (!Array.isArray(given)) return refuse(option, 'must be a list of statuses from 500 to 599');
  const statuses: unknown[] = [...given];
  if (!statuses.every(isFailure)) refuse(option, 'must be a list of statuses from 500 to 599');
  return statuses.map(Number);
}

/**
 * Checks the options of a declaration that few endpoints need.
 *
 * @param elsewhere - the input fields of path and query
 * @throws ConfigurationError that says which option is wrong
 */
function requireExtras(
  given: GivenExtras,
  elsewhere: readonly string[],
): Omit<AnyDeclaration, 'id' | 'method' | 'path' | 'retry'> {
  const { mayBeEmpty, renewsToken = true, bodyEncoding = 'json' } = given;
  const headerFields = requireWireNames(given['headerFields'], 'headerFields');
  requireApart(Object.keys(headerFields), elsewhere, 'headerFields', 'path or query');
  const mediaTypes = requireNames(given['mediaTypes'], 'mediaTypes');
  return {
    ...requireRetryLimits(given),
    headerFields,
    bodyEncoding: requireOneOf(bodyEncoding, 'bodyEncoding', ['json', 'form']),
    renewsToken: requireOneOf(renewsToken, 'renewsToken', FLAGS),
    ...(mayBeEmpty !== undefined && {
      mayBeEmpty: requireOneOf(mayBeEmpty, 'mayBeEmpty', FLAGS),
    }),
    ...(mediaTypes.length > 0 && { mediaTypes }),
    resultWhen: Object.fromEntries(requireResults(given['resultWhen'], 'resultWhen')),
    resultWhenRetried: Object.fromEntries(
      requireResults(given['resultWhenRetried'], 'resultWhenRetried'),
    ),
  };
}

const LOOKUP_OPTIONS = [
  'details',
  'listDetails',
  'target',
  'actsOn',
  'takesFromWallets',
  'isOfTenant',
  'look',
  'undecidedBecause',
] as const;

type GivenLookup = Readonly<Partial<Record<(typeof LOOKUP_OPTIONS)[number], unknown>>>;

/** Checks which fields of the items of a list an entry keeps. */
function requireListDetails(
  given: unknown,
  details: readonly string[],
): Readonly<Record<string, readonly string[]>> {
  const option = 'reconcile.listDetails';
  const lists = Object.entries(Object(given));
  if (!lists.every(([name]) => details.includes(name))) {
    refuse(option, 'must contain only names of reconcile.details');
  }
  return Object.fromEntries(lists.map(([name, fields]) => [name, requireNames(fields, option)]));
}

/**
 * Checks how the journal looks for the effect of an endpoint outside the contract.
 *
 * @param secretInputs - input fields that no entry may contain
 * @throws ConfigurationError
 */
function requireLookup(
  value: unknown,
  id: string,
  retry: RetryClass,
  secretInputs: readonly string[],
): Lookup | undefined {
  if (value === undefined) return undefined;
  // Requests of other classes are not recorded.
  if (retry !== 'never') refuse('reconcile', 'is for retry class never');
  const {
    look,
    undecidedBecause,
    actsOn = id,
    takesFromWallets = true,
    isOfTenant = false,
    ...given
  } = ownOptions<GivenLookup>(value, LOOKUP_OPTIONS, 'reconcile.');
  const details = requireNames(given.details, 'reconcile.details');
  const target = requireNames(given.target, 'reconcile.target');
  // Names that are secret on every endpoint are refused by the journal.
  requireApart(details, secretInputs, 'reconcile.details', 'secretInputs');
  if (!target.every((name) => details.includes(name))) {
    refuse('reconcile.target', 'must contain only names of reconcile.details');
  }
  const known = {
    details,
    listDetails: requireListDetails(given.listDetails, details),
    target,
    actsOn: requireId(actsOn, 'reconcile.actsOn'),
    takesFromWallets: requireOneOf(takesFromWallets, 'reconcile.takesFromWallets', FLAGS),
    isOfTenant: requireOneOf(isOfTenant, 'reconcile.isOfTenant', FLAGS),
  };
  if (undecidedBecause === undefined) {
    if (typeof look !== 'function') refuse('reconcile.look', 'must be a function');
    return { ...known, look: look as Lookup['look'] };
  }
  if (look !== undefined) refuse('reconcile.look', 'does not go with reconcile.undecidedBecause');
  if (typeof undecidedBecause !== 'string' || undecidedBecause.trim() === '') {
    return refuse('reconcile.undecidedBecause', 'must be a text');
  }
  return { ...known, undecidedBecause };
}

const ROUTINGS: readonly Routing[] = ['header', 'header-or-query', 'none'];

const OPTIONS = [
  'id',
  'method',
  'path',
  'retry',
  'pageAccess',
  'input',
  'output',
  'query',
  'wireNames',
  'sendsBody',
  'credentials',
  'routing',
  'response',
  'accept',
  'maxResponseBytes',
  'secretInputs',
  'secrets',
  'errors',
  'maxRequests',
  'retryWithin',
  'retryAfterNoResponse',
  'retryAfterStatuses',
  'retryAfterConnectFailure',
  'mayBeEmpty',
  'mediaTypes',
  'bodyEncoding',
  'headerFields',
  'resultWhen',
  'resultWhenRetried',
  'renewsToken',
  'reconcile',
  'isRecorded',
] as const;

type Given = Readonly<Partial<Record<(typeof OPTIONS)[number], unknown>>>;

/** Checks the fields of path and query, which an input must have. */
function requirePlaces(
  { input, routing }: { input: Schema | undefined; routing: Routing },
  inPath: readonly string[],
  query: readonly string[],
  wireNames: Readonly<Record<string, string>>,
): void {
  if (input === undefined && inPath.length + query.length > 0) {
    refuse('input', 'is missing: the path or query needs it');
  }
  requireApart(query, inPath, 'query', 'the path');
  requireApart(Object.keys(wireNames), inPath, 'wireNames', 'the path');
  if (routing !== 'header-or-query' || query.includes('region')) return;
  refuse('query', 'must contain region for this routing');
}

/**
 * Checks the declaration of an endpoint outside the contract. Reads each option once.
 *
 * @throws ConfigurationError that says which option is wrong
 */
// @__NO_SIDE_EFFECTS__
export function declareCustomEndpoint(declaration: unknown): Endpoint {
  const given = ownOptions<Given>(declaration, OPTIONS);
  const { credentials = ['clientKey', 'accessToken'], response: kind = 'json' } = given;
  const path = requirePath(given.path);
  const method = requireOneOf(given.method, 'method', METHODS);
  const retry = requireOneOf(given.retry, 'retry', RETRY_CLASSES);
  const input = requireSchema(given.input, 'input');
  const output = requireSchema(given.output, 'output');
  const query = requireNames(given.query, 'query');
  const wireNames = requireWireNames(given.wireNames);
  const routing = requireOneOf(given.routing ?? 'header', 'routing', ROUTINGS);
  const inPath = placeholdersIn(path);
  requirePlaces({ input, routing }, inPath, query, wireNames);
  const response: ResponseKind = requireOneOf(kind, 'response', RESPONSE_KINDS);
  const {
    accept,
    maxResponseBytes,
    sendsBody = input !== undefined && !['GET', 'DELETE'].includes(method),
  } = given;
  if (requireOneOf(sendsBody, 'sendsBody', FLAGS) && method === 'GET')
    refuse('sendsBody', 'must not be true for GET');
  const id = requireId(given.id);
  const secretInputs = requireNames(given.secretInputs, 'secretInputs');
  const reconcile = requireLookup(given.reconcile, id, retry, secretInputs);
  const isRecorded = requireOneOf(given.isRecorded ?? true, 'isRecorded', FLAGS);
  if (!isRecorded && reconcile !== undefined) {
    refuse('reconcile', 'does not go with isRecorded: false, which leaves nothing to look up');
  }
  return completeEndpoint({
    id,
    method,
    path,
    retry,
    pageAccess: requireOneOf(given.pageAccess ?? 'on-request', 'pageAccess', PAGE_ACCESS),
    ...(input && { input }),
    query,
    wireNames,
    sendsBody: sendsBody === true,
    credentials: requireCredentials(credentials, 'credentials'),
    routing,
    response,
    ...(output && { output }),
    ...(accept !== undefined && { accept: requireAccept(accept) }),
    ...(maxResponseBytes !== undefined && { maxResponseBytes: requireBytes(maxResponseBytes) }),
    secretInputs,
    secrets: requireNames(given.secrets, 'secrets'),
    ...(reconcile && { reconcile }),
    ...(!isRecorded && { isRecorded }),
    errors: requireStatuses(given.errors),
    ...requireExtras(given, [...inPath, ...query]),
  });
}

import { defineEndpoint, NO_INPUT } from '../../contract/define-endpoint.js';
import {
  type Endpoint,
  type OwnLook,
  PAGE_ACCESS,
  type ResponseKind,
  type Routing,
} from '../../contract/endpoint.js';
import { anything } from '../../contract/fields.js';
import { placeholdersIn } from '../../contract/placeholders.js';
import {
  POLICY_OF_CLASS,
  RETRY_CLASSES,
  type RetryClass,
  type RetryPolicy,
} from '../../contract/retry-policy.js';
import type { Schema } from '../../contract/schema.js';
import { ownOptions, requireDuration } from '../settings/check-options.js';
import {
  METHODS,
  RESPONSE_KINDS,
  refuse,
  requireAccept,
  requireBytes,
  requireCredentials,
  requireId,
  requireNames,
  requireOneOf,
  requirePath,
  requireSchema,
  requireStatuses,
  requireWireNames,
} from '../settings/endpoint-options.js';

/** What is known about an endpoint outside the contract. */
type CustomDeclaration = Pick<Endpoint, 'id' | 'method' | 'path' | 'retry' | 'input'> &
  Partial<Endpoint>;

/**
 * Declares an endpoint outside the contract, with what all of them share: nothing is known about
 * the response except what `output` says, and fields with the name of a secret print redacted.
 */
export function customEndpoint(declaration: CustomDeclaration): Endpoint {
  const { response = 'json', output, retry, responses = {} } = declaration;
  // Such a request may move money: an empty response does not say that it did.
  const movesMoney = retry.class === 'never' && declaration.method !== 'GET';
  const provesNothing = movesMoney && responses[200]?.mayBeEmpty !== true;
  const takesEmpty = response === 'json' && output === undefined && !provesNothing;
  return Object.freeze(
    defineEndpoint<unknown, unknown>({
      stability: 'preview',
      responses: {},
      concealsNamed: true,
      isOwn: true,
      // Closed until somebody decides.
      pageAccess: 'on-request',
      // With a schema, an empty body is an error: the schema promises a result.
      ...(takesEmpty && { whenEmpty: { result: undefined } }),
      ...declaration,
    }),
  );
}

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
function requireExtras(
  given: GivenExtras,
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

const LOOK_OPTIONS = ['details', 'target', 'actsOn', 'look'] as const;

type GivenLook = Readonly<Partial<Record<(typeof LOOK_OPTIONS)[number], unknown>>>;

/**
 * Checks how the journal looks for the effect of an endpoint outside the contract.
 *
 * @param secretInputs - input fields that no entry may hold
 * @throws ConfigurationError
 */
function requireLook(
  value: unknown,
  id: string,
  retry: RetryClass,
  secretInputs: readonly string[],
): OwnLook | undefined {
  if (value === undefined) return undefined;
  // Requests of other classes are not recorded.
  if (retry !== 'never') refuse('reconcile', 'is for retry class never');
  const { look, actsOn = id, ...given } = ownOptions<GivenLook>(value, LOOK_OPTIONS, 'reconcile.');
  const details = requireNames(given.details, 'reconcile.details');
  const target = requireNames(given.target, 'reconcile.target');
  // Names that are secret on every endpoint are refused by the journal: their list is loaded only with a
  // call.
  requireApart(details, secretInputs, 'reconcile.details', 'secretInputs');
  if (!target.every((name) => details.includes(name))) {
    refuse('reconcile.target', 'must hold only names that reconcile.details holds');
  }
  if (typeof look !== 'function') refuse('reconcile.look', 'must be a function');
  return {
    details,
    target,
    actsOn: requireId(actsOn, 'reconcile.actsOn'),
    look: look as OwnLook['look'],
  };
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
  'mayBeEmpty',
  'mediaTypes',
  'bodyEncoding',
  'headerFields',
  'resultWhen',
  'resultWhenRetried',
  'renewsToken',
  'reconcile',
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
  refuse('query', 'must hold region for this routing');
}

/**
 * Checks the declaration of an endpoint outside the contract. Reads each option once.
 *
 * @throws ConfigurationError that names the option
 */
// @__NO_SIDE_EFFECTS__
export function declareCustomEndpoint(declaration: unknown): Endpoint {
  const given = ownOptions<Given>(declaration, OPTIONS);
  const { credentials = ['clientKey', 'accessToken'], response: kind = 'json' } = given;
  const path = requirePath(given.path);
  const method = requireOneOf(given.method, 'method', METHODS);
  const policy = POLICY_OF_CLASS[requireOneOf(given.retry, 'retry', RETRY_CLASSES)];
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
  const reconcile = requireLook(given.reconcile, id, policy.class, secretInputs);
  return customEndpoint({
    id,
    method,
    path,
    pageAccess: requireOneOf(given.pageAccess ?? 'on-request', 'pageAccess', PAGE_ACCESS),
    input: input ?? NO_INPUT,
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
    errors: requireStatuses(given.errors),
    ...requireExtras(given, policy, output, [...inPath, ...query]),
  });
}

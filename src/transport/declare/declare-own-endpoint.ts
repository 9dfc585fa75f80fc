import { NO_INPUT } from '../../contract/define-endpoint.js';
import {
  type Endpoint,
  PAGE_ACCESS,
  type ResponseKind,
  type Routing,
} from '../../contract/endpoint.js';
import { placeholdersIn } from '../../contract/placeholders.js';
import { POLICY_OF_CLASS, RETRY_CLASSES } from '../../contract/retry-policy.js';
import type { Schema } from '../../contract/schema.js';
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
import { ownOptions } from '../settings/own-options.js';
import { ownEndpoint } from './own-endpoint.js';
import { FLAGS, requireApart, requireExtras } from './own-endpoint-extras.js';
import { requireLook } from './own-look.js';

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
export function declareOwnEndpoint(declaration: unknown): Endpoint {
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
  return ownEndpoint({
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

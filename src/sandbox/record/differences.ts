import { differencesFrom } from '../../contract/differences.js';
import type { Endpoint } from '../../contract/endpoint.js';
import { errorStatusesOf, REFUSED_CREDENTIAL } from '../../contract/error-statuses.js';
import { isObject } from '../../contract/formats/is-object.js';
import type { ObservedSchema } from '../../contract/observed/schema.js';
import { refusalCodeOf } from '../../contract/recognised-errors.js';
import { statedRefusal } from '../../contract/refusals.js';
import type { Schema } from '../../contract/schema.js';
import { readAdditions } from '../../testing/additions.js';
import { brokenRules, decodeInput } from '../../testing/check-input.js';
import { queryOf } from '../../testing/query.js';
import { nearestRoute } from '../../testing/routing.js';
import { withoutIndexes } from '../../transport/response/drift.js';
import { readErrorBody } from '../../transport/response/error-body.js';
import { SecretValues } from '../../transport/response/redact.js';
import type { Exchange } from './exchange.js';
import { type Difference, type Finding, findingOf, unknownField } from './finding.js';
import { CREDENTIAL_HEADERS, shownMethod, shownPath } from './fixture.js';
import { fileTypeFindings, mediaTypeFindings } from './media-type.js';
import type { Redaction } from './redact-value.js';
import { findObservedCall, OBSERVED_CALLS } from './routes.js';
import {
  errorSchemaOf,
  fieldsOf,
  itemOf,
  OAUTH_CODES,
  wireFieldsOf,
  type Zod,
} from './schema-parts.js';

/** Returns the statuses of an endpoint that the contract documents, or that follow from it. */
function documentedStatuses(endpoint: Endpoint): ReadonlySet<number> {
  const { responses, errors, businessErrors, credentials } = endpoint;
  const isSilent = !errors.includes(400) && !errors.includes(422);
  return new Set([
    ...Object.keys(responses).map(Number),
    ...errorStatusesOf(endpoint),
    ...credentials.flatMap((name) => REFUSED_CREDENTIAL[name]),
    // Where the contract shows no status for a refusal, it may be either.
    ...(isSilent && businessErrors.length > 0 ? [400, 422] : []),
  ]);
}

/** Compares JSON with the promise of its status, or with the error bodies of the contract. */
function shapeFindings(json: unknown, promise: Schema, redaction: Redaction): Finding[] {
  return differencesFrom(promise, json, (name) => redaction.name(name)).map(
    ({ kind, path, message }) => ({ kind, path: withoutIndexes(path), message }),
  );
}

function statusFindings(endpoint: Endpoint, status: number): Finding[] {
  const isKnown = endpoint.stability === 'preview' || documentedStatuses(endpoint).has(status);
  if (isKnown) return [];
  const message = `the contract does not document the status ${status}`;
  return [{ kind: 'other-status', path: `status ${status}`, message }];
}

/** The statuses whose words decide about the code of an error. */
const WORDED = [400, 404, 409, 422];

/** The refusals of a missing or insufficient credential. Only few endpoints document their words. */
const REFUSED_STATUS = {
  401: 'not_authenticated',
  403: 'not_authorized',
  503: 'notification_service_not_configured',
} as const;

/** Whether a refusal with this status says in words which one it is. */
function isWorded({ businessErrors }: Endpoint, status: number): boolean {
  if (WORDED.includes(status)) return true;
  const code = REFUSED_STATUS[status as keyof typeof REFUSED_STATUS];
  return code !== undefined && businessErrors.some((documented) => documented.code === code);
}

/** Whether the words of a refusal are those of one that is known by name. */
function isKnownRefusal(endpoint: Endpoint, status: number, json: unknown, sent: unknown): boolean {
  const headers = { get: () => null };
  const text = JSON.stringify(json);
  const body = readErrorBody({ text, status, headers }, new SecretValues([]));
  if (body.isOtpRequired || body.fieldErrors.length > 0) return true;
  if (endpoint.id.startsWith('auth.oauth') && OAUTH_CODES.has(body.serverCode ?? '')) return true;
  if (statedRefusal(body.texts, endpoint.businessErrors) !== undefined) return true;
  const hasInput = (name: string) => isObject(sent) && name in sent;
  // `refusalCodeOf` takes no status for a refusal beside a success status.
  const code = refusalCodeOf({
    ...body,
    endpoint,
    status: status < 300 ? undefined : status,
    hasInput,
  });
  // Where the contract documents the words of a code, the status alone is not enough.
  return (
    code !== undefined && !endpoint.businessErrors.some((documented) => documented.code === code)
  );
}

function refusalFindings(
  { request, response: { status, body } }: Exchange,
  endpoint: Endpoint,
): Finding[] {
  if (body.kind !== 'json') return [];
  const isRefused = isObject(body.json) && body.json['success'] === false;
  if (!isRefused && !isWorded(endpoint, status)) return [];
  const sent = 'json' in request.body ? request.body.json : undefined;
  if (isKnownRefusal(endpoint, status, body.json, sent)) return [];
  const message = 'the service refused with words that match no error code';
  return [{ kind: 'unknown-refusal', path: `status ${status}`, message }];
}

/** Returns the differences of a response from the contract. */
function responseDifferences(
  exchange: Exchange,
  { endpoint }: NonNullable<Exchange['route']>,
  redaction: Redaction,
): Finding[] {
  const { response } = exchange;
  const { status, body } = response;
  const shape = endpoint.responses[status];
  const isError = status >= 300;
  // A status that stands for a result may have any body.
  if (Object.hasOwn(endpoint.resultWhen ?? {}, status)) return [];
  const isFile = !isError && (endpoint.response ?? 'json') !== 'json';
  const schema = shape?.promise ?? (isError ? errorSchemaOf(endpoint, body) : undefined);
  const findings = statusFindings(endpoint, status);
  const at = (finding: Finding): Finding => ({
    ...finding,
    path: [`status ${status}`, finding.path].filter(Boolean).join(': '),
  });
  if (body.kind === 'empty') {
    if (shape === undefined || shape.mayBeEmpty || endpoint.whenEmpty) return findings;
    return [
      ...findings,
      at({ kind: 'missing-field', path: '', message: 'the contract documents a body' }),
    ];
  }
  if (isFile)
    return [...findings, ...fileTypeFindings(exchange, endpoint.mediaTypes ?? []).map(at)];
  findings.push(...mediaTypeFindings(response).map(at), ...refusalFindings(exchange, endpoint));
  if (body.kind !== 'json' || schema === undefined) return findings;
  const { bodyIn = (json) => json }: Partial<ObservedSchema<unknown>> = Object(endpoint.output);
  const promised = isError ? body.json : bodyIn(body.json);
  return [...findings, ...shapeFindings(promised, schema, redaction).map(at)];
}

const DEEPEST = 32;

type Documented = Zod | ReadonlyMap<string, Zod>;

/** The fields of a documented object; `undefined` where any field is allowed. */
function documentedFields(schema: Documented): ReadonlyMap<string, Zod> | undefined {
  if (schema instanceof Map) return schema;
  const fields = fieldsOf(schema as Zod);
  if (fields === undefined || Object.keys(fields).length === 0) return undefined;
  return new Map(Object.entries(fields));
}

/**
 * Returns the paths of the fields that the contract does not have, with `*` for positions in lists.
 * An object of which the contract shows no field may have any.
 */
function unknownFields(
  value: unknown,
  schema: Documented | undefined,
  redaction: Redaction,
  depth = 0,
): string[] {
  if (schema === undefined || depth > DEEPEST) return [];
  const below = (name: string, paths: readonly string[]) =>
    paths.map((path) => (path === '' ? name : `${name}.${path}`));
  if (Array.isArray(value)) {
    const item = schema instanceof Map ? undefined : itemOf(schema as Zod);
    const inItems = value.flatMap((one) => unknownFields(one, item, redaction, depth + 1));
    return below('*', [...new Set(inItems)]);
  }
  const fields = isObject(value) ? documentedFields(schema) : undefined;
  if (fields === undefined || !isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const field = fields.get(name);
    if (field === undefined) return [redaction.name(name)];
    return below(name, unknownFields(one, field, redaction, depth + 1));
  });
}

/** Returns the differences of a request from the contract. */
function requestDifferences(
  exchange: Exchange,
  route: NonNullable<Exchange['route']>,
  redaction: Redaction,
): Finding[] {
  const { endpoint, params } = route;
  const { query, request } = exchange;
  const body = 'json' in request.body ? request.body.json : undefined;
  const wireNames = endpoint.wireNames ?? {};
  const queryNames = (endpoint.query ?? []).map((name) => wireNames[name] ?? name);
  const input = decodeInput(route, queryOf(query), body);
  // Rules are reported with the names on the wire.
  const sent = {
    ...Object.fromEntries(query),
    ...(isObject(body) && body),
    ...params,
  };
  return [
    ...mediaTypeFindings(request),
    ...query
      .filter(([name]) => !queryNames.includes(name))
      .map(([name]) => unknownField(`query ${redaction.name(name)}`)),
    ...unknownFields(body, wireFieldsOf(endpoint), redaction).map(unknownField),
    ...brokenRules(endpoint, input, readAdditions()).map((rule) => findingOf(rule, sent)),
  ];
}

function credentialFindings({ route, request }: Exchange): Finding[] {
  const needed = (route?.endpoint.credentials ?? []).map((name) => CREDENTIAL_HEADERS[name]);
  return needed
    .filter((name) => !(name in request.headers))
    .map((name) => ({
      kind: 'missing-field',
      path: `header ${name}`,
      message: 'the contract requires this header',
    }));
}

/** Returns all differences of an exchange from the contract. */
export function differencesOf(exchange: Exchange, redaction: Redaction): readonly Difference[] {
  const { method, path, route } = exchange;
  if (route === undefined) {
    const observed = findObservedCall(method, path, exchange.request.body);
    const operation = `${shownMethod(method)} ${shownPath(exchange, redaction)}`;
    const hint =
      observed === undefined
        ? `the nearest is ${nearestRoute(method, path, OBSERVED_CALLS)?.id}`
        : `--observed compares it with ${observed.endpoint.id}`;
    const message = `the contract has no such endpoint; ${hint}`;
    return [{ kind: 'unknown-endpoint', side: 'request', operation, path: '', message }];
  }
  const operation = route.endpoint.id;
  const on = (side: Difference['side']) => (finding: Finding) => ({ side, operation, ...finding });
  return [
    ...credentialFindings(exchange).map(on('request')),
    ...requestDifferences(exchange, route, redaction).map(on('request')),
    ...responseDifferences(exchange, route, redaction).map(on('response')),
  ];
}

import { isObject } from '../../contract/formats/is-object.js';
import { readAdditions } from '../../testing/additions.js';
import { decodeInput } from '../../testing/decode-input.js';
import { queryOf } from '../../testing/query.js';
import { brokenRules } from '../../testing/validation.js';
import type { Exchange } from './exchange.js';
import { type Finding, findingOf, unknownField } from './finding.js';
import { mediaTypeFindings } from './media-type.js';
import type { Redaction } from './redact-value.js';
import { fieldsOf, itemOf, type Zod } from './schema-parts.js';
import { wireFieldsOf } from './wire-fields.js';

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
export function requestDifferences(
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

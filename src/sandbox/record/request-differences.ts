import { isObject } from '../../contract/formats/is-object.js';
import { readAdditions } from '../../testing/additions.js';
import { decodeInput } from '../../testing/decode-input.js';
import { queryOf } from '../../testing/query.js';
import { brokenRules } from '../../testing/validation.js';
import type { Exchange } from './exchange.js';
import { type Finding, findingOf, unknownField } from './finding.js';
import { mediaTypeFindings } from './media-type.js';
import type { Redaction } from './redact-value.js';
import { unknownFields } from './unknown-fields.js';
import { wireFieldsOf } from './wire-fields.js';

/** Returns the differences of a request from the contract. */
export function requestDifferences(
  exchange: Exchange,
  route: NonNullable<Exchange['route']>,
  redaction: Redaction,
): Finding[] {
  const { endpoint, params } = route;
  const { query, request } = exchange;
  const body = request.body.kind === 'json' ? request.body.json : undefined;
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

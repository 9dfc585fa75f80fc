import { check } from '../../contract/check.js';
import type { Endpoint } from '../../contract/endpoint.js';
import type { Schema } from '../../contract/schema.js';
import { DriftReporter } from '../../transport/response/drift.js';
import { documentedStatuses } from './documented-statuses.js';
import { errorSchemaOf } from './error-schemas.js';
import type { Exchange } from './exchange.js';
import { type Finding, findingOf, unknownField } from './finding.js';
import { mediaTypeFindings } from './media-type.js';
import type { Redaction } from './redact-value.js';
import { zodOf } from './schema-parts.js';
import { unknownFields } from './unknown-fields.js';

/** Compares JSON with its schema. Each path is reported once, with `*` for positions in lists. */
function shapeFindings(endpoint: Endpoint, json: unknown, schema: Schema): Finding[] {
  const findings: Finding[] = [];
  const rules = check(schema, json).map((rule) => ({ rule, finding: findingOf(rule, json) }));
  for (const { rule, finding } of rules) {
    new DriftReporter(({ path }) => findings.push({ ...finding, path })).report(endpoint.id, [
      rule,
    ]);
  }
  return findings.filter(
    ({ path, kind }, index) =>
      findings.findIndex((one) => one.path === path && one.kind === kind) === index,
  );
}

function statusFindings(endpoint: Endpoint, status: number): Finding[] {
  const isKnown = endpoint.stability === 'preview' || documentedStatuses(endpoint).has(status);
  if (isKnown) return [];
  const message = `the contract does not document the status ${status}`;
  return [{ kind: 'other-status', path: `status ${status}`, message }];
}

/** Returns the differences of a response from the contract. */
export function responseDifferences(
  { response }: Exchange,
  { endpoint }: NonNullable<Exchange['route']>,
  redaction: Redaction,
): Finding[] {
  const { status, body } = response;
  const shape = endpoint.responses[status];
  const isError = status >= 300;
  const schema = shape?.schema ?? (isError ? errorSchemaOf(endpoint) : undefined);
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
  findings.push(...mediaTypeFindings(response).map(at));
  if (body.kind !== 'json' || schema === undefined) return findings;
  const unknown = [...new Set(unknownFields(body.json, zodOf(schema), redaction))];
  return [
    ...findings,
    ...shapeFindings(endpoint, body.json, schema).map(at),
    ...unknown.map(unknownField).map(at),
  ];
}

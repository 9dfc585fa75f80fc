import type { Endpoint } from '../../../../src/contract/endpoint.js';
import { Field } from '../../../../src/contract/field.js';
import { openApiPaths } from '../../../../src/endpoints/openapi-paths.js';
import { withAddedFields } from '../../../../src/observed/schema/json-schema.js';
import type { ObservedSchema } from '../../../../src/observed/schema/schema.js';
import { documentedErrorResponse } from '../../../../src/testing/error-responses.js';
import { isJson, type Json, jsonSchema } from '../json-schema.js';
import type { Operation } from '../operations.js';
import type { SharedComponents } from '../shared-components.js';
import type { Line, ObservedExample } from './examples.js';
import { observedStatusesOf } from './statuses.js';
import { SUMMARIES } from './summaries.js';

/** A row of the description of the observed calls. */
export type Row = Line & { ok: number[]; errors: number[]; certainty: string };

const JSON_TYPE = 'application/json';

/** Describes a schema of an observed call as one of the contract. */
function describe(schema: object, direction: 'input' | 'output'): Json {
  const { field, added }: Partial<ObservedSchema<unknown>> = schema;
  return field instanceof Field ? withAddedFields(jsonSchema(field, direction), added) : {};
}

/** The steps of a registration return the same user. */
function withSharedUser(schema: Json, shared: SharedComponents): Json {
  const { properties } = schema;
  if (!isJson(properties) || !isJson(properties['user'])) return schema;
  const user = shared.add('RegisteringUser', '', properties['user']);
  return { ...schema, properties: { ...properties, user } };
}

/** Names the status of a success, and adds its example. */
function success(
  { responses }: Operation,
  { ok }: Row,
  { response }: ObservedExample,
  shared: SharedComponents,
): void {
  const { '2XX': done, ...errors } = responses;
  if (done === undefined) return;
  const media = done.content[JSON_TYPE];
  if (media !== undefined) {
    media.schema = withSharedUser(media.schema, shared);
    media['example'] = response;
  }
  const content = done.content['text/csv'];
  if (content !== undefined) {
    content.schema = { type: 'string' };
    content['example'] = response;
    done.content['application/pdf'] = { schema: { type: 'string', format: 'binary' } };
  }
  for (const name of Object.keys(responses)) delete responses[name];
  Object.assign(responses, { [ok[0] ?? 200]: done }, errors);
}

/** The form of an error differs between these; the messages of refusals are only examples. */
const FORMS = ['auth.oauth.exchangeCode', 'consent.getByUser', 'other'];

function formOf(id: string): string {
  const isGrant = /^auth\.oauth2?\.(?:initiate|exchangeCode|refresh)$/.test(id);
  const [grant = '', consent = '', other = ''] = FORMS;
  return isGrant ? grant : id.startsWith('consent.') ? consent : other;
}

function describeErrors(operation: Operation, id: string, shared: SharedComponents): void {
  for (const [status, response] of Object.entries(operation.responses)) {
    const media = response.content?.[JSON_TYPE];
    if (media === undefined || Number(status) < 400) continue;
    if (status !== 'default') {
      const { body } = documentedErrorResponse(formOf(id), Number(status));
      const isPlanned = JSON.stringify(body).includes('Planned failure');
      media['example'] = isPlanned ? { message: 'Not valid' } : body;
    }
    operation.responses[status] = shared.add(
      `Status${status === 'default' ? 'Other' : status}`,
      formOf(id),
      response,
    ) as Operation['responses'][string];
  }
}

/** Returns the operation of an observed call, with its statuses and examples. */
export function observedOperation(
  endpoint: Endpoint,
  row: Row,
  example: ObservedExample,
  shared: Readonly<Record<'parameters' | 'responses' | 'schemas', SharedComponents>>,
): Operation {
  const errors = observedStatusesOf(row.id, row.errors);
  const paths = openApiPaths([{ ...endpoint, errors, responses: {} }], describe);
  const operation = structuredClone(Object.values(Object.values(paths)[0] ?? {})[0]) as Operation;
  success(operation, row, example, shared.schemas);
  if (row.id === 'auth.oauth.initiate') {
    const words = 'Without `mode=api`: a redirect to the hosted page.';
    operation.responses['302'] = { description: words, content: {} };
  }
  describeErrors(operation, row.id, shared.responses);
  operation.parameters = operation.parameters.map((parameter) => {
    if (parameter.in === 'header') {
      return shared.parameters.add('UsEnvironment', '', parameter) as typeof parameter;
    }
    const given = example.query?.[parameter.name];
    const isNumber = Object(parameter['schema'])['type'] === 'integer';
    return {
      ...parameter,
      ...(given !== undefined && { example: isNumber ? Number(given) : given }),
    };
  });
  const body = operation.requestBody?.content[JSON_TYPE];
  if (body !== undefined && example.body !== undefined) body['example'] = example.body;
  operation['summary'] = SUMMARIES[row.id] ?? row.id;
  operation['x-certainty'] = row.certainty;
  return operation;
}

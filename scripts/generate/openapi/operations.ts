import type ts from 'typescript';
import type { Endpoint } from '../../../src/contract/endpoint.js';
import { Field } from '../../../src/contract/field.js';
import type { ObservedSchema } from '../../../src/contract/observed/schema.js';
import type { Schema } from '../../../src/contract/schema.js';
import { pathsOf } from '../../../src/endpoints/openapi-operations.js';
import type { DeclaredEndpoint } from '../declared-endpoints.js';
import { clientDocOf } from './client-docs.js';
import type { NamedSchemas, SharedComponents } from './components.js';
import { fieldsOf, typesOfEndpoint } from './contract-types.js';
import type { Example } from './examples.js';
import { type Json, jsonSchema } from './json-schema.js';

type Content = { content: Record<string, Json & { schema: Json }> };
type Parameter = Json & { name: string; in: string; schema: Json };

/** The part of an operation that its declaration alone describes. */
export type Operation = Json & {
  description: string;
  parameters: Parameter[];
  requestBody?: Json & Content;
  responses: Record<string, Json & Content>;
};

/** The parts of a document that its operations share. */
export type Parts = {
  schemas: NamedSchemas;
  parameters: SharedComponents;
  responses: SharedComponents;
};

/** An example of an error, and the group of the endpoints whose errors look alike. */
export type ErrorOf = (endpoint: Endpoint, status: number) => { example: unknown; group: string };

const JSON_TYPE = 'application/json';

const NAMES: Readonly<Record<string, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  422: 'Invalid',
  498: 'InvalidKey',
  499: 'MissingKey',
  500: 'Failed',
  503: 'Unavailable',
  default: 'Other',
};

/** Describes a schema of the contract, or the form on the wire that one of an observed call has. */
function describeSchema(schema: Schema, direction: 'input' | 'output'): Json {
  const { field }: Partial<ObservedSchema<unknown>> = Object(schema);
  return jsonSchema(field instanceof Field ? field : schema, direction);
}

function describeInput(
  operation: Operation,
  { constant, endpoint }: DeclaredEndpoint,
  example: Example | undefined,
  { schemas, parameters }: Parts,
): void {
  const { input } = typesOfEndpoint(constant);
  const callers = Object.entries(endpoint.wireNames ?? {}).map(([name, wire]) => [wire, name]);
  const wireNames = new Map(callers as [string, string][]);
  const fields = fieldsOf(input);
  operation.parameters = operation.parameters.map((parameter) => {
    if (parameter.in === 'header')
      return parameters.add('UsEnvironment', '', parameter) as Parameter;
    const text = fields.get(wireNames.get(parameter.name) ?? parameter.name)?.text ?? '';
    const value = example?.parameters[parameter.name];
    return {
      ...parameter,
      ...(text !== '' && { description: text }),
      ...(value !== undefined && { example: value }),
    };
  });
  const media = operation.requestBody?.content[JSON_TYPE];
  if (media === undefined) return;
  media.schema = schemas.add(media.schema, input, (wire) => wireNames.get(wire) ?? wire);
  if (example !== undefined) media['example'] = example.body;
}

/** Names the status of a success, which a declaration outside the contract leaves open. */
function nameSuccess(operation: Operation): void {
  const { '2XX': done, ...others } = operation.responses;
  if (done !== undefined) operation.responses = { 200: done, ...others };
}

function describeSuccess(
  media: [type: string, Json & { schema?: Json }][],
  output: ts.TypeNode | undefined,
  example: unknown,
  { schemas }: Parts,
): void {
  for (const [type, one] of media) {
    if (type === JSON_TYPE && one.schema !== undefined && output !== undefined) {
      one.schema = schemas.add(one.schema, output);
    }
    if (type.startsWith('text/')) one.schema = { type: 'string' };
    if (example !== undefined) one['example'] = example;
  }
}

/**
 * Returns the operation of an endpoint: what its declaration says, with the parts that it does not
 * contain, which are names, descriptions and examples.
 *
 * @param statuses - the error statuses, without those that refuse a credential
 */
export function describeOperation(
  declared: DeclaredEndpoint,
  statuses: readonly number[],
  example: Example | undefined,
  parts: Parts,
  errorOf: ErrorOf,
): Operation {
  const { constant, endpoint } = declared;
  const { path, method, stability, isOutsideContract = false } = endpoint;
  const paths = pathsOf([{ ...endpoint, errors: statuses }], describeSchema);
  const operation = paths[path]?.[method.toLowerCase()] as Operation;
  const isPreview = stability === 'preview' && !isOutsideContract;
  const summary = clientDocOf(declared)?.summary;
  if (summary !== undefined) operation['summary'] = `${isPreview ? 'Preview: ' : ''}${summary}`;
  nameSuccess(operation);
  describeInput(operation, declared, example, parts);
  const { output } = typesOfEndpoint(constant);
  for (const [status, response] of Object.entries(operation.responses)) {
    if (Number(status) < 300) {
      const shown = example?.responses.get(Number(status)) ?? example?.response;
      describeSuccess(Object.entries(response.content), output, shown, parts);
      continue;
    }
    const media = response.content[JSON_TYPE];
    if (media === undefined) continue;
    const { example: body, group } = errorOf(endpoint, Number(status));
    if (status !== 'default') media['example'] = body;
    const name = NAMES[status];
    if (name === undefined) throw new Error(`${endpoint.id}: no name for responses with ${status}`);
    const shared = parts.responses.add(name, group, response);
    operation.responses[status] = shared as Operation['responses'][string];
  }
  return operation;
}

import { tagOf } from '../../../src/endpoints/openapi-operations.js';
import type { DeclaredEndpoint } from '../declared-endpoints.js';
import { clientDocOf } from './client-docs.js';
import { fieldsOf, typesOfEndpoint } from './contract-types.js';
import { type Example, errorExample } from './examples.js';
import type { Json } from './json-schema.js';
import type { NamedSchemas } from './named-schemas.js';
import type { SharedComponents } from './shared-components.js';

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

/**
 * Adds the parts of an operation that its declaration does not contain: names, descriptions and
 * examples.
 */
export function describeOperation(
  operation: Operation,
  declared: DeclaredEndpoint,
  example: Example | undefined,
  parts: Parts,
): void {
  const { constant, endpoint } = declared;
  const isPreview = endpoint.stability === 'preview';
  const summary = clientDocOf(declared)?.summary;
  if (summary !== undefined) operation['summary'] = `${isPreview ? 'Preview: ' : ''}${summary}`;
  describeInput(operation, declared, example, parts);
  const { output } = typesOfEndpoint(constant);
  for (const [status, response] of Object.entries(operation.responses)) {
    const media = response.content[JSON_TYPE];
    if (media === undefined) continue;
    if (Number(status) < 300) {
      media.schema = parts.schemas.add(media.schema, output);
      if (example === undefined) continue;
      media['example'] = example.responses.get(Number(status)) ?? example.response;
      continue;
    }
    if (status !== 'default') media['example'] = errorExample(endpoint.id, Number(status));
    const name = NAMES[status];
    if (name === undefined) throw new Error(`${endpoint.id}: no name for responses with ${status}`);
    const shared = parts.responses.add(name, tagOf(endpoint), response);
    operation.responses[status] = shared as Operation['responses'][string];
  }
}

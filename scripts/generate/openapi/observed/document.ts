import { readFileSync } from 'node:fs';
import type { Endpoint } from '../../../../src/contract/endpoint.js';
import { observedEndpoints } from '../../../../src/observed/endpoints/index.js';
import { documentOf, type PackageFacts } from '../document.js';
import { ERROR_SCHEMAS } from '../error-schemas.js';
import type { Json } from '../json-schema.js';
import type { Operation } from '../operations.js';
import { SharedComponents } from '../shared-components.js';
import { type ObservedExample, observedExample } from './examples.js';
import { observedOperation, type Row } from './operation.js';
import { signInOperation } from './sign-in-operation.js';
import { SUMMARIES, TAGS } from './summaries.js';

const FILE = new URL('../../../../test/fixtures/observed-endpoints.json', import.meta.url);

const ENDPOINTS: Readonly<Record<string, Endpoint>> = observedEndpoints;

const OAUTH_ERROR = {
  description: 'The error body of the grants.',
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string' }, error_description: { type: 'string' } },
};

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Two calls at one path are one operation: `grant_type` selects the call. */
function merged(one: Operation, other: Operation, id: string): Operation {
  const media = (key: string) => {
    const schemas = [one, other].map(({ requestBody }) => requestBody?.content[JSON_TYPE]?.schema);
    const examples = [one, other].map((each) => [
      each['operationId'],
      { value: each.requestBody?.content[JSON_TYPE]?.['example'] },
    ]);
    return [key, { schema: { oneOf: schemas }, examples: Object.fromEntries(examples) }];
  };
  const types = id.startsWith('auth.oauth2') ? [JSON_TYPE, FORM_TYPE] : [JSON_TYPE];
  return {
    ...other,
    ...one,
    operationId: id,
    summary: 'Exchanges an authorization code or a refresh token for tokens',
    requestBody: { required: true, content: Object.fromEntries(types.map(media)) },
    responses: { ...other.responses, ...one.responses },
    'x-operations': [one['operationId'], other['operationId']],
  } as Operation;
}

/** The OpenAPI 3.1 description of the calls that deployed clients make beyond the contract. */
export async function observedOpenApi(facts: PackageFacts): Promise<Json> {
  const rows: readonly Row[] = JSON.parse(readFileSync(FILE, 'utf8')).endpoints;
  const shared = {
    parameters: new SharedComponents('parameters'),
    responses: new SharedComponents('responses'),
    schemas: new SharedComponents('schemas'),
  };
  const paths: Record<string, Record<string, Json>> = {};
  for (const row of rows) {
    const example: ObservedExample = await observedExample(row);
    const endpoint = ENDPOINTS[row.id];
    const operation =
      endpoint === undefined
        ? {
            ...signInOperation(example.query),
            summary: SUMMARIES[row.id],
            'x-certainty': row.certainty,
          }
        : observedOperation(endpoint, row, example, shared);
    const methods = paths[row.path] ?? {};
    const method = row.method.toLowerCase();
    const known = methods[method] as Operation | undefined;
    const id = `${row.id.slice(0, row.id.lastIndexOf('.'))}.token`;
    methods[method] = known === undefined ? operation : merged(known, operation as Operation, id);
    paths[row.path] = methods;
  }
  shared.parameters.share();
  shared.responses.share();
  shared.schemas.share();
  const { Error: anyError, ...errors } = ERROR_SCHEMAS;
  const either = [...anyError.anyOf, { $ref: '#/components/schemas/OAuthError' }];
  const about = {
    title: 'Card platform: observed calls',
    description:
      'Calls that deployed clients of the card-and-wallet platform make beyond its contract. They were observed, but nobody promises them. `x-certainty` is how certain each one is.',
  };
  const components = {
    parameters: shared.parameters.byName,
    responses: shared.responses.byName,
    schemas: {
      Error: { ...anyError, anyOf: either },
      ...errors,
      OAuthError: OAUTH_ERROR,
      ...shared.schemas.byName,
    },
  };
  const tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }));
  return documentOf(facts, about, { tags, paths, components });
}

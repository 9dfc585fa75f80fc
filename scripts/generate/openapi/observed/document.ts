import { tagOf } from '../../../../src/endpoints/openapi-operations.js';
import { documentedErrorResponse } from '../../../../src/testing/error-responses.js';
import { takesForm } from '../../../../src/testing/observed/rows.js';
import type { DeclaredEndpoint } from '../../declared-endpoints.js';
import { describedPaths, documentOf, type PackageFacts } from '../document.js';
import { ERROR_SCHEMAS } from '../error-schemas.js';
import type { Json } from '../json-schema.js';
import type { ErrorOf, Operation } from '../operations.js';
import { observedExamples } from './examples.js';
import { SIGN_IN_PATH, signInOperation } from './sign-in-operation.js';
import { observedStatusesOf } from './statuses.js';

const OAUTH_ERROR = {
  description: 'The error body of the grants.',
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string' }, error_description: { type: 'string' } },
};

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The groups of calls whose errors have one form, each with one of them. */
const FORMS = { grant: 'auth.oauth.refresh', consent: 'consent.getByUser', other: 'other' };

function formOf(id: string): keyof typeof FORMS {
  if (/^auth\.oauth2?\.(?:initiate|exchangeCode|refresh)$/.test(id)) return 'grant';
  return id.startsWith('consent.') ? 'consent' : 'other';
}

/** The form of an error differs between the groups; the messages of refusals are only examples. */
const errorOf: ErrorOf = ({ id }, status) => {
  const group = formOf(id);
  const { body } = documentedErrorResponse(FORMS[group], status);
  const isPlanned = JSON.stringify(body).includes('Planned failure');
  return { example: isPlanned ? { message: 'Not valid' } : body, group };
};

/** Two grants at one path are one operation: `grant_type` selects the call. */
function mergedGrants(one: Operation, other: Operation, endpoint: DeclaredEndpoint['endpoint']) {
  const media = (key: string) => {
    const schemas = [one, other].map(({ requestBody }) => requestBody?.content[JSON_TYPE]?.schema);
    const examples = [one, other].map((each) => [
      each['operationId'],
      { value: each.requestBody?.content[JSON_TYPE]?.['example'] },
    ]);
    return [key, { schema: { oneOf: schemas }, examples: Object.fromEntries(examples) }];
  };
  const types = takesForm(endpoint) ? [JSON_TYPE, FORM_TYPE] : [JSON_TYPE];
  return {
    ...other,
    ...one,
    operationId: `${tagOf(endpoint)}.token`,
    summary: 'Exchanges an authorization code or a refresh token for tokens',
    requestBody: { required: true, content: Object.fromEntries(types.map(media)) },
    responses: { ...other.responses, ...one.responses },
    'x-operations': [one['operationId'], other['operationId']],
  } as Operation;
}

/** Adds what was observed of single calls beyond their declarations. */
function addObservations(paths: Record<string, Record<string, Json>>): void {
  const initiate = paths['/v1/auth/oauth/authorize/initiate']?.['get'] as Operation;
  const redirect = 'Without `mode=api`: a redirect to the hosted page.';
  initiate.responses['302'] = { description: redirect, content: {} };
  const statement = paths['/v1/card/transactions/statement']?.['get'] as Operation;
  const pdf = { schema: { type: 'string', format: 'binary' } };
  Object.assign(statement.responses['200']?.content ?? {}, { 'application/pdf': pdf });
}

/** The OpenAPI 3.1 description of the calls that deployed clients make beyond the contract. */
export async function observedOpenApi(
  declared: readonly DeclaredEndpoint[],
  facts: PackageFacts,
): Promise<Json> {
  const { tags, paths, components } = describedPaths(declared, {
    statusesOf: observedStatusesOf,
    errorOf,
    examples: await observedExamples(declared.map(({ endpoint }) => endpoint)),
    merge: mergedGrants,
  });
  addObservations(paths);
  paths[SIGN_IN_PATH] = { get: await signInOperation() };
  const { Error: anyError, ...errors } = ERROR_SCHEMAS;
  const either = [...anyError.anyOf, { $ref: '#/components/schemas/OAuthError' }];
  const about = {
    title: 'Card platform: observed calls',
    description:
      'Calls that deployed clients of the card-and-wallet platform make beyond its contract. They were observed, but nobody promises them. `x-certainty` is how certain each one is.',
  };
  const schemas = {
    Error: { ...anyError, anyOf: either },
    ...errors,
    OAuthError: OAUTH_ERROR,
    ...components.schemas,
  };
  return documentOf(facts, about, { tags, paths, components: { ...components, schemas } });
}

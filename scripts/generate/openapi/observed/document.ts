import type { Endpoint } from '../../../../src/contract/endpoint.js';
import { tagOf } from '../../../../src/endpoints/openapi-operations.js';
import { documentedErrorResponse } from '../../../../src/testing/error-responses.js';
import { createMockPlatform } from '../../../../src/testing/index.js';
import { takesForm } from '../../../../src/testing/observed/rows.js';
import { SIGN_IN_PATH } from '../../../../src/testing/observed/sign-in.js';
import type { DeclaredEndpoint } from '../../declared-endpoints.js';
import { ERROR_SCHEMAS } from '../components.js';
import { describedPaths, documentOf, type PackageFacts } from '../document.js';
import type { Json } from '../json-schema.js';
import type { ErrorOf, Operation } from '../operations.js';
import { observedExamples } from './examples.js';
import { prepareScene, SAMPLES } from './samples.js';

/** Refusals that the mock platform has beyond those that were seen, by the id of the call. */
const FURTHER: Readonly<Record<string, readonly number[]>> = {
  'auth.oauth.initiate': [400],
  'auth.oauth.authorize': [400],
  'auth.oauth.exchangeCode': [400],
  'auth.oauth2.exchangeCode': [400, 401, 403],
  'auth.oauth2.refresh': [400, 401, 403],
  'auth.oauth2.revoke': [400],
  'auth.passwordReset.request': [422],
  'user.registration.sendEmailCode': [422],
  'user.registration.verifyEmail': [400, 422],
  'user.registration.sendPhoneCode': [400, 422],
  'user.registration.verifyPhone': [400, 404, 422],
  'user.registration.startVerification': [400, 404, 422],
  'user.registration.submitPersonalDetails': [400, 403, 404, 422],
  'user.registration.submitAddress': [400, 404, 422],
  'user.registration.submitMailingAddress': [400, 404, 422],
  'user.registration.get': [404, 422],
  'consent.getByUser': [404],
  'wallets.internal.setLinkedPriority': [422],
  'wallets.reward.estimateWithdrawal': [404],
  'wallets.reward.withdraw': [404],
  'card.statement': [404, 422],
  'card.provisioning.apple': [400, 404, 422],
  'card.provisioning.google': [400, 404],
  'webhooks.events.list': [400],
  'webhooks.events.logs': [404, 503],
};

/** Returns the error statuses of a call, except those that refuse its credentials. */
function observedStatusesOf({ id, errors }: Endpoint): readonly number[] {
  // A stale token is refused even if the call needs none.
  return [...new Set([...errors, ...(FURTHER[id] ?? []), 401])].sort((one, other) => one - other);
}

export { SIGN_IN_PATH };

const TEXT = { type: 'string' };

const FIELDS: readonly (readonly [name: string, schema: Json, isRequired: boolean])[] = [
  ['client_id', TEXT, true],
  ['response_type', { enum: ['code'] }, true],
  ['scope', TEXT, true],
  ['redirect_uri', TEXT, true],
  ['code_challenge', { ...TEXT, pattern: '^[A-Za-z0-9_-]{43}$' }, true],
  ['code_challenge_method', { enum: ['S256'] }, true],
  ['prompt', TEXT, false],
  ['state', TEXT, false],
];

/** The page on which a user signs in. It is not a call: a browser opens it. */
async function signInOperation(): Promise<Json> {
  const operationId = 'auth.oauth2.authorizeUrl';
  const scene = await prepareScene(createMockPlatform({ observed: true }));
  const { query: example = {} } = (await SAMPLES[operationId]?.(scene)) ?? {};
  return {
    operationId,
    tags: ['auth.oauth2'],
    summary: 'The page on which a user signs in, for a browser',
    description: 'A page that a browser opens. It is not a call.',
    security: [{}],
    parameters: FIELDS.map(([name, schema, required]) => ({
      ...{ name, in: 'query', required, schema },
      ...(example[name] !== undefined && { example: example[name] }),
    })),
    responses: {
      200: { description: 'A page with a form.', content: { 'text/html': { schema: TEXT } } },
      400: {
        description: 'The query is not valid.',
        content: { 'text/html': { schema: TEXT } },
      },
    },
    'x-retry-class': 'safe',
    'x-page-access': 'on-request',
    'x-certainty': 'medium',
  };
}

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

import { createMockPlatform } from '../../../../src/testing/index.js';
import { SIGN_IN_PATH } from '../../../../src/testing/observed/sign-in.js';
import type { Json } from '../json-schema.js';
import { prepareScene, SAMPLES } from './samples.js';

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
export async function signInOperation(): Promise<Json> {
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

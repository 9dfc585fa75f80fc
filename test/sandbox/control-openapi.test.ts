import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACTIONS } from '../../src/sandbox/control/actions.js';
import { problemOf, type Schema } from '../../src/sandbox/control/schema.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';

type Media = { 'application/json': { schema: Schema & { $ref?: string }; example?: unknown } };
type Operation = {
  operationId: string;
  summary: string;
  requestBody?: { content: Media };
  responses: Record<string, { $ref?: string; content?: Media }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
  servers: { url: string }[];
};

let sandbox: Sandbox;
let document: Document;
beforeAll(async () => {
  sandbox = await startSandbox(0, 'demo', () => Date.UTC(2026, 0, 1), { observed: true });
  document = await (await fetch(`${sandbox.url}/sandbox/openapi.json`)).json();
});
afterAll(() => sandbox.stop());

/** Returns the schema of a successful response. */
function resultOf({ responses }: Operation): Schema {
  const schema = responses['200']?.content?.['application/json'].schema ?? {};
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
}

describe('the OpenAPI document of the control', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { errors } = await validator.validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(validator.version).toBe('3.1');
  });

  it('has an operation for each action, and names the sandbox as its server', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const names = ['getState', 'getSnapshot', ...Object.keys(ACTIONS)];
    expect(operations.map(({ operationId }) => operationId)).toEqual(names);
    for (const name of Object.keys(ACTIONS)) {
      expect(document.paths[`/sandbox/actions/${name}`]?.['post']?.operationId).toBe(name);
    }
    expect(document.servers).toEqual([{ url: sandbox.url }]);
  });

  it.each(Object.keys(ACTIONS))('describes the input and the result of %s', async (name) => {
    const operation = document.paths[`/sandbox/actions/${name}`]?.['post'];
    if (operation === undefined) throw new Error(`${name} is not described`);
    const media = operation.requestBody?.content['application/json'];
    expect(problemOf(media?.schema ?? {}, media?.example)).toBeUndefined();
    const prepared = await prepare(name);
    const response = await act(name, { ...Object(media?.example), ...prepared });
    expect(response.status).toBe(200);
    expect(problemOf(resultOf(operation), await response.json())).toBeUndefined();
  });

  it.each([
    ['fail', { endpoint: 'card.status' }, 400, 599],
    ['serve', { method: 'GET', path: '/v1/own' }, 200, 599],
  ])('states which status %s takes', (name, input, least, most) => {
    const body = document.paths[`/sandbox/actions/${name}`]?.['post']?.requestBody;
    const { schema } = body?.content['application/json'] ?? { schema: {} };
    const inputs = (status: number) => [
      { ...input, ...(name === 'serve' ? { response: { status } } : { status }) },
      ...(name === 'fail' ? [{ ...input, failure: status }] : []),
    ];
    const problems = (status: number) => inputs(status).map((one) => problemOf(schema, one));
    const nothing = inputs(least).map(() => undefined);
    expect([problems(least), problems(most)]).toEqual([nothing, nothing]);
    for (const status of [least - 1, most + 1]) expect(problems(status)).not.toContain(undefined);
  });

  it.each(['getState', 'getSnapshot'])('describes the result of %s', async (name) => {
    await prepare('deliver');
    const found = Object.entries(document.paths).find(([, { get }]) => get?.operationId === name);
    const [path = '', { get } = {}] = found ?? [];
    const body: unknown = await (await fetch(`${sandbox.url}${path}`)).json();
    expect(get === undefined ? 'not described' : problemOf(resultOf(get), body)).toBeUndefined();
  });

  it('documents each status that a refusal has', async () => {
    const { responses } = document.paths['/sandbox/actions/verify']?.['post'] ?? {};
    const post = (init: RequestInit) =>
      fetch(`${sandbox.url}/sandbox/actions/verify`, { method: 'POST', ...init });
    const json = { 'content-type': 'application/json' };
    const refused = await Promise.all([
      post({ headers: json, body: '{}' }),
      post({ headers: { ...json, origin: 'https://evil.example' }, body: '{}' }),
      post({ headers: { 'content-type': 'text/plain' }, body: '{}' }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([400, 403, 415]);
    for (const response of refused) {
      expect(responses).toHaveProperty(String(response.status));
      const body: unknown = await response.json();
      expect(problemOf(document.components.schemas['Error'] ?? {}, body)).toBeUndefined();
    }
    expect(Object.keys(responses ?? {})).toEqual(['200', '400', '403', '413', '415', '421']);
  });
});

const act = (name: string, input: unknown) =>
  fetch(`${sandbox.url}/sandbox/actions/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });

/**
 * Brings the sandbox into the state in which the example of an action works. Returns the fields that
 * only the sandbox knows.
 */
async function prepare(name: string): Promise<object | undefined> {
  const { platform } = sandbox;
  if (name === 'assertFaultsUsed') await act('reset', {});
  if (name === 'stopServing') await act('serve', ACTIONS['serve']?.example);
  if (name === 'waitForHeld' || name === 'release') {
    const { id } = await (await act('hold', { endpoint: 'card.status' })).json();
    const { clientKey } = platform.credentials;
    const headers = { 'x-client-key': clientKey };
    if (name === 'waitForHeld') {
      const held = fetch(`${sandbox.url}/v1/card/status`, { headers });
      held.catch(() => undefined);
    }
    return { id };
  }
  if (name === 'restoreSnapshot') {
    const body = new URLSearchParams({ name: 'logged-in' });
    await fetch(`${sandbox.url}/sandbox/actions/saveSnapshot`, { method: 'POST', body });
  }
  if (name === 'setOrderStatus') {
    const orderId = String(ACTIONS[name]?.example['orderId']);
    const order = { orderId, requestId: 'r', status: 'PENDING', productId: 'p' };
    platform.users.get('ada@example.com').orders.push(order);
  }
  if (name !== 'deliver') return undefined;
  platform.state.webhooks.push({
    id: 'webhook-1',
    tenant: 'mock-tenant',
    name: 'n',
    url: 'https://hooks.example.com',
    apiKey: 'whk_test',
    eventTypes: ['*'],
    isActive: true,
    metadata: {},
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  });
  await platform.deliver({ type: 'card.activated' });
  return undefined;
}

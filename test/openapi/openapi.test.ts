import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { CONTRACT_ROWS, PREVIEW_ROWS } from '../support/contract-rows.js';

const root = new URL('../../', import.meta.url);
const read = (name: string) => JSON.parse(readFileSync(new URL(name, root), 'utf8'));
const page = read('openapi.json');

type Referable = {
  $ref?: string;
  type?: string | string[];
  required?: string[];
  properties?: Record<string, Referable>;
  enum?: unknown[];
  pattern?: string;
  format?: string;
  anyOf?: Referable[];
};

type Media = { schema: Referable; example?: unknown };

type Operation = {
  operationId: string;
  security: Record<string, unknown>[];
  summary: string;
  tags: string[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  parameters: ({ name: string; in: string; required?: boolean; example?: unknown } & Referable)[];
  responses: Record<string, { content: Record<string, Media> } & Referable>;
  'x-preview'?: true;
};

const operations: [string, string, Operation][] = Object.entries(
  page.paths as Record<string, Record<string, Operation>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
    method.toUpperCase(),
    path,
    operation,
  ]),
);
/** Follows a reference into the components of the document. */
function resolved(part: Referable = {}): Referable {
  const path = part.$ref?.split('/').slice(1) ?? [];
  return path.length === 0 ? part : path.reduce((whole, key) => whole[key], page);
}

const find = (id: string) => operations.find(([, , { operationId }]) => operationId === id)?.[2];

describe('openapi.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(page);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('contains every endpoint of the contract', () => {
    expect(operations).toHaveLength(CONTRACT_ROWS.length);
    for (const row of CONTRACT_ROWS) {
      const found = operations.find(([method, path]) => method === row.method && path === row.path);
      expect(found, `${row.method} ${row.path}`).toBeDefined();
    }
  });

  it('marks previews, and describes no shape of their responses', () => {
    const previews = operations.filter(([, , operation]) => operation['x-preview'] === true);
    expect(previews).toHaveLength(PREVIEW_ROWS.length);
    for (const [, , { responses }] of previews) {
      expect(Object.values(responses)[0]?.content['application/json']?.schema).toEqual({});
    }
  });

  it('puts each input field into the path, the query or the body, as the client does', () => {
    const history = find('wallets.history.list');
    expect(history?.parameters.map(({ name }) => name)).toContain('walletCurrency');
    expect(history?.requestBody).toBeUndefined();
    const update = find('webhooks.update');
    expect(update?.parameters).toContainEqual(
      expect.objectContaining({ name: 'id', in: 'path', required: true }),
    );
    const login = find('auth.login')?.requestBody?.content['application/json']?.schema;
    expect(resolved(login).required).toEqual(['email', 'password']);
  });

  it('requires all credentials of an endpoint together', () => {
    expect(find('consent.createOnboarding')?.security).toEqual([{ clientKey: [], secretKey: [] }]);
    expect(find('auth.login')?.security).toEqual([{ clientKey: [] }]);
    expect(find('orders.create')?.security).toEqual([{ clientId: [], accessToken: [] }]);
  });
});

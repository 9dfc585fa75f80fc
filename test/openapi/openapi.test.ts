import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/contract/endpoint.js';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { openApiPaths } from '../../src/endpoints/index.js';
import { CONTRACT_ROWS, PREVIEW_ROWS } from '../support/contract-rows.js';
import {
  bodyOf,
  document,
  operationOf,
  OPERATIONS as operations,
  type Part,
  resolved,
} from './document.js';

/** Every object in a schema, at any depth. */
function objectsIn(given: Part): (Part & { properties: Record<string, Part> })[] {
  const { properties, items, anyOf = [], additionalProperties, ...rest } = resolved(given);
  const values = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  const parts = [
    ...Object.values(properties ?? {}),
    ...(items ? [items] : []),
    ...anyOf,
    ...values,
  ];
  const own = properties === undefined ? [] : [{ ...rest, properties }];
  return [...own, ...parts.flatMap(objectsIn)];
}

describe('openapi.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(document);
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

  it('marks previews, and requires no field of their responses', () => {
    const previews = operations.filter(([, , operation]) => operation['x-preview'] === true);
    expect(previews).toHaveLength(PREVIEW_ROWS.length);
    for (const [, , { operationId, responses }] of previews) {
      const [response] = Object.values(responses);
      const shape = response?.content['application/json']?.schema ?? {};
      const objects = objectsIn(shape);
      expect(objects.length, operationId).toBeGreaterThan(0);
      const isCommand = objects.every(
        ({ properties }) => Object.keys(properties).join() === 'success',
      );
      if (isCommand) continue;
      for (const { required } of objects) expect(required, operationId).toBeUndefined();
    }
  });

  it('puts each input field into the path, the query or the body, as the client does', () => {
    const history = operationOf('wallets.history.list');
    expect(history?.parameters.map(({ name }) => name)).toContain('walletCurrency');
    expect(history?.requestBody).toBeUndefined();
    const update = operationOf('webhooks.update');
    expect(update?.parameters).toContainEqual(
      expect.objectContaining({ name: 'id', in: 'path', required: true }),
    );
    const login = bodyOf(operationOf('auth.login'));
    expect(login?.required).toEqual(['email', 'password']);
  });

  it('forbids retries of a request that is dangerous for some inputs', () => {
    const special = ENDPOINTS.flatMap((endpoint: Endpoint) => {
      const { retryWhen } = endpoint;
      return retryWhen === undefined ? [] : [{ endpoint, retryWhen }];
    });
    expect(special.map(({ endpoint }) => endpoint.id)).toContain('delegation.getToken');
    for (const { endpoint, retryWhen } of special) {
      const own = openApiPaths([endpoint])[endpoint.path]?.['get'];
      for (const operation of [operationOf(endpoint.id), own]) {
        expect(operation).toMatchObject({
          description: expect.stringContaining(
            `With \`${retryWhen.field}: ${retryWhen.is}\`: not sent again once`,
          ),
          'x-retry-class': 'never',
        });
      }
    }
  });

  it('requires all credentials of an endpoint together', () => {
    expect(operationOf('consent.createOnboarding').security).toEqual([
      { clientKey: [], secretKey: [] },
    ]);
    expect(operationOf('auth.login').security).toEqual([{ clientKey: [] }]);
    expect(operationOf('orders.create').security).toEqual([{ clientId: [], accessToken: [] }]);
  });
});

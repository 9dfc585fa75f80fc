import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { CONTRACT_ROWS, PREVIEW_ROWS } from '../support/contract-rows.js';
import { bodyOf, document, operationOf, OPERATIONS as operations } from './document.js';

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

  it('marks previews, and describes no shape of their responses', () => {
    const previews = operations.filter(([, , operation]) => operation['x-preview'] === true);
    expect(previews).toHaveLength(PREVIEW_ROWS.length);
    for (const [, , { responses }] of previews) {
      expect(Object.values(responses)[0]?.content['application/json']?.schema).toEqual({});
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

  it('requires all credentials of an endpoint together', () => {
    expect(operationOf('consent.createOnboarding').security).toEqual([
      { clientKey: [], secretKey: [] },
    ]);
    expect(operationOf('auth.login').security).toEqual([{ clientKey: [] }]);
    expect(operationOf('orders.create').security).toEqual([{ clientId: [], accessToken: [] }]);
  });
});

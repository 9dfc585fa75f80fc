import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { LISTS } from '../../src/contract/lists.js';
import { bodyOf, document, OPERATIONS, operationOf, type Part, resolved } from './document.js';

/** Every schema inside of a schema, itself included. */
function partsOf(given: Part): Part[] {
  const part = resolved(given);
  const inner = [...Object.values(part.properties ?? {}), ...(part.anyOf ?? [])];
  return [part, ...[...inner, ...(part.items === undefined ? [] : [part.items])].flatMap(partsOf)];
}

const BODIES = OPERATIONS.map(([, , operation]) => operation).filter(
  ({ requestBody }) => requestBody !== undefined,
);

describe('the requests of openapi.json', () => {
  it.each(
    BODIES,
  )('require the body of $operationId exactly if one of its fields is required', (operation) => {
    const required = bodyOf(operation)?.required ?? [];
    expect(operation.requestBody?.required).toBe(required.length > 0);
  });

  it('do not require the body of an endpoint whose fields are all optional', () => {
    const optional = BODIES.filter(({ requestBody }) => requestBody?.required === false);
    expect(optional.map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining([
        'card.createDetailsToken',
        'card.createPinToken',
        'card.createSetPinToken',
        'webhooks.update',
      ]),
    );
  });

  it('have a boolean header for US routing only on the endpoints that take it', () => {
    for (const { id, routing } of ENDPOINTS) {
      const headers = operationOf(id).parameters.map(resolved);
      const us = headers.find(({ name }) => name === 'x-us-env');
      expect(us !== undefined, id).toBe(routing !== 'none');
      if (us !== undefined) expect(us.schema).toEqual({ type: 'boolean', default: false });
    }
  });

  it.each(BODIES)('never have null in the body of $operationId', (operation) => {
    for (const part of partsOf(bodyOf(operation) ?? {})) {
      expect([part.type ?? []].flat()).not.toContain('null');
    }
  });

  it('have the values of the lists of the contract', () => {
    for (const { id, listed = {}, wireNames } of ENDPOINTS) {
      const operation = operationOf(id);
      for (const [name, list] of Object.entries(listed)) {
        const wire = wireNames?.[name] ?? name;
        const parameter = operation.parameters.find((one) => one.name === wire);
        const schema = parameter?.schema ?? bodyOf(operation)?.properties?.[wire];
        expect(schema?.enum, `${id} ${wire}`).toEqual(LISTS[list]);
      }
    }
  });

  it.each([
    ['delegation.submitEvmApproval', 'address', '^0x[a-fA-F0-9]{40}$'],
    ['delegation.submitEvmApproval', 'amount', '^\\d+(\\.\\d+)?$'],
    ['delegation.submitEvmApproval', 'txHash', '^0x[a-fA-F0-9]{64}$'],
    ['delegation.submitEvmApproval', 'sigHash', '^0x[a-fA-F0-9]{130}$'],
    ['delegation.submitSolanaApproval', 'address', '^[1-9A-HJ-NP-Za-km-z]{32,44}$'],
    ['delegation.submitSolanaApproval', 'amount', '^\\d+(\\.\\d+)?$'],
    ['delegation.submitSolanaApproval', 'txHash', '^[1-9A-HJ-NP-Za-km-z]{87,88}$'],
    ['delegation.submitSolanaApproval', 'sigHash', '^[1-9A-HJ-NP-Za-km-z]{87,88}$'],
    ['auth.login', 'otpCode', '^[0-9]{6}$'],
    ['wallets.credit.withdraw', 'amount', '^\\d+(\\.\\d+)?$'],
    ['wallets.internal.withdraw', 'amount', '^\\d+(\\.\\d+)?$'],
  ])('have the pattern of the contract for the field of %s %s', (id, field, pattern) => {
    expect(bodyOf(operationOf(id))?.properties?.[field]?.pattern).toBe(pattern);
  });

  it('have patterns that other languages read too', () => {
    const patterns = Array.from(
      JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\\\]|\\\\.)*")/g),
      ([, text = '""']) => JSON.parse(text) as string,
    );
    expect(patterns.length).toBeGreaterThan(30);
    expect(patterns.filter((pattern) => /\\p\{|\(\?[!=<]/.test(pattern))).toEqual([]);
  });

  it('name every body by its type', () => {
    for (const { requestBody } of BODIES) {
      const { schema } = requestBody?.content['application/json'] ?? { schema: {} };
      expect(schema.$ref).toMatch(/^#\/components\/schemas\/\w+Input$/);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { check } from '../../src/contract/check.js';
import { differencesFrom } from '../../src/contract/differences.js';
import type { Endpoint } from '../../src/contract/endpoint.js';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { document, OPERATIONS, operationOf, resolved } from './document.js';

const JSON_TYPE = 'application/json';

/** The input of a call that sends the example of an operation. */
function inputOf({ id, wireNames = {} }: Endpoint): Record<string, unknown> {
  const { parameters, requestBody } = operationOf(id);
  const names = new Map(Object.entries(wireNames).map(([name, wire]) => [wire, name]));
  const given = parameters.filter(({ example }) => example !== undefined);
  const fields = [
    ...given.map(({ name, example }) => [name, example] as const),
    ...Object.entries(requestBody?.content[JSON_TYPE]?.example ?? {}),
  ];
  return Object.fromEntries(fields.map(([wire, value]) => [names.get(wire) ?? wire, value]));
}

describe.each(ENDPOINTS)('the example of $id in openapi.json', (endpoint) => {
  it('is an input that the client accepts', () => {
    expect(check(endpoint.input, inputOf(endpoint))).toEqual([]);
  });

  it.each(
    Object.entries(endpoint.responses),
  )('has a response with status %s as declared', (status, { promise }) => {
    const { example } = operationOf(endpoint.id).responses[status]?.content[JSON_TYPE] ?? {};
    expect(example).toBeTypeOf('object');
    expect(differencesFrom(promise, example)).toEqual([]);
  });

  it('has an error body for each documented status', () => {
    const { responses } = operationOf(endpoint.id);
    for (const [status, response] of Object.entries(responses)) {
      if (Number(status) < 300 || status === 'default') continue;
      const { example } = resolved(response).content[JSON_TYPE] ?? {};
      expect(JSON.stringify(example)).toMatch(/^\{"(message|error)":"(?!Planned)/);
    }
  });
});

describe('openapi.json', () => {
  it('declares the tag of every operation, and describes it', () => {
    const tags: { name: string; description: string }[] = document.tags;
    const declared = tags.map(({ name }) => name);
    const used = OPERATIONS.flatMap(([, , operation]) => operation.tags);
    expect(new Set(used)).toEqual(new Set(declared));
    expect(new Set(declared).size).toBe(declared.length);
    expect(tags.every(({ description }) => description.endsWith('.'))).toBe(true);
  });

  it('names the schema of every documented response', () => {
    for (const { id, stability, responses } of ENDPOINTS) {
      if (stability === 'preview') continue;
      for (const status of Object.keys(responses)) {
        const { schema } = operationOf(id).responses[status]?.content[JSON_TYPE] ?? {};
        // The contract shows less of this response than of the other one, which has the name.
        if (status === '207') continue;
        const reference = schema?.$ref ?? schema?.items?.$ref ?? schema?.anyOf?.[0]?.$ref;
        expect(reference, id).toMatch(/^#\/components\/schemas\/\w+$/);
      }
    }
  });

  it('summarises every operation in the words of the client', () => {
    expect(operationOf('card.freeze').summary).toBe(
      'Freezes the card: all authorizations are declined',
    );
    for (const [, , { summary }] of OPERATIONS)
      expect(summary).not.toMatch(/client method|undefined/);
  });
});

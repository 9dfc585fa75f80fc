import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check } from '../../src/contract/check.js';
import * as fields from '../../src/contract/fields.js';
import type { Schema } from '../../src/contract/schema.js';
import { VALIDATORS } from './field-rules.js';
import { anyText, holds, nearly } from './runs.js';

const accepted = (schema: Schema, value: unknown) => check(schema, value).length === 0;
const notString = fc.anything().filter((value) => typeof value !== 'string');

describe.each(Object.entries(VALIDATORS))('the field %s', (_, {
  schema,
  valid,
  accepts,
  isStricter: takesLess,
}) => {
  const agrees = (text: string) => {
    const isTaken = accepted(schema, text);
    expect(takesLess && !isTaken ? false : accepts(text)).toBe(isTaken);
  };

  it('accepts every valid value', () => {
    holds([valid], (text) => {
      expect(accepts(text)).toBe(true);
      expect(check(schema, text)).toEqual([]);
    });
  });

  it('agrees with its rule on nearly valid values', () => holds([nearly(valid)], agrees));

  it('agrees with its rule on any text', () => holds([anyText], agrees));

  it('rejects everything that is not a string and never quotes a value', () => {
    holds([fc.oneof(notString, nearly(valid))], (value) => {
      const broken = check(schema, value);
      if (typeof value !== 'string') expect(broken).not.toEqual([]);
      for (const { message } of broken) {
        if (typeof value === 'string' && value.length > 12) expect(message).not.toContain(value);
      }
    });
  });
});

describe('the field type', () => {
  const cases: [string, Schema, (value: unknown) => boolean][] = [
    ['flag', fields.flag, (value) => typeof value === 'boolean'],
    ['number', fields.number, (value) => typeof value === 'number' && Number.isFinite(value)],
    [
      'wholeNumber',
      fields.wholeNumber,
      (value) => Number.isSafeInteger(value) && Number(value) >= 0,
    ],
    ['integer', fields.integer, (value) => Number.isSafeInteger(value)],
    [
      'wholeNumberFrom',
      fields.wholeNumberFrom(1, 100),
      (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100,
    ],
    ['text', fields.text, (value) => typeof value === 'string'],
  ];
  const anything = fc.oneof(fc.anything(), fc.double(), fc.integer(), fc.boolean(), anyText);

  it.each(cases)('%s accepts exactly its values', (_, schema, accepts) => {
    holds([anything], (value) => {
      expect(accepted(schema, value)).toBe(accepts(value));
    });
  });

  it('distinctList names the first item that repeats a field of another', () => {
    const item = fields.input({ id: fields.integer, priority: fields.integer });
    const list = fields.distinctList(item, ['id', 'priority']);
    const numbers = fc.record({ id: fc.integer({ max: 3 }), priority: fc.integer({ max: 3 }) });
    holds([fc.array(numbers, { minLength: 1 })], (items) => {
      const repeated = (name: 'id' | 'priority') => {
        const values = items.map((one) => one[name]);
        const index = values.findIndex((value, at) => values.indexOf(value) !== at);
        return index < 0 ? [] : [`${index}.${name}`];
      };
      const paths = check(list, items).map(({ path }) => path);
      expect(paths).toEqual([...repeated('id'), ...repeated('priority')]);
    });
    expect(check(list, [])).toEqual([{ path: '', message: 'must not be empty' }]);
    expect(accepted(list, [{ id: 1, priority: 1, more: 1 }])).toBe(false);
  });

  it.each([
    [
      'serviceUrl',
      fields.serviceUrl,
      ['https://a.example', 'HTTPS://a.example/b/'],
      ['http://a.example', 'https://a@b', 'https://a?x', 'https://a#x', 'https://'],
    ],
    ['servicePath', fields.servicePath, ['/', '/v1/a'], ['//a', 'v1', '/a?b', '/a#b', '/a b']],
  ])('%s accepts and refuses these texts', (_, field, valid, invalid) => {
    for (const text of valid) expect(check(field, text), text).toEqual([]);
    for (const text of invalid) expect(accepted(field, text), text).toBe(false);
  });

  it('maybe also accepts null and undefined', () => {
    holds([anything], (value) => {
      const isAbsent = value === null || value === undefined;
      expect(accepted(fields.responseBody({ a: fields.maybe(fields.flag) }), { a: value })).toBe(
        isAbsent || typeof value === 'boolean',
      );
    });
  });

  it('input rejects every unknown key and names it', () => {
    holds([fc.stringMatching(/^[a-z]{2,20}$/)], (key) => {
      const broken = check(fields.input({ a: fields.optional(fields.flag) }), { [key]: true });
      expect(broken).toEqual([{ path: key, message: 'is not a known field' }]);
    });
  });

  it('responseBody accepts every unknown key', () => {
    holds([fc.object()], (value) => {
      expect(accepted(fields.responseBody({}), value)).toBe(true);
    });
  });
});

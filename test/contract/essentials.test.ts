import { describe, expect, it } from 'vitest';
import { check } from '../../src/contract/check.js';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import type { Field } from '../../src/contract/field.js';
import type { Schema } from '../../src/contract/schema.js';
import { sampleCall } from '../support/calls.js';

type Node = {
  _zod: { def: { shape?: Record<string, Node>; element?: Node; innerType?: Node } };
};
type Json = Record<string, unknown>;

const REPLACEMENTS = ['', 'x', 0, 1, -1, true, null, undefined, {}, []];

/** The paths of the fields that a schema names. */
function pathsOf({ _zod: { def } }: Node): string[][] {
  const inner = def.innerType ?? def.element;
  if (inner !== undefined) return pathsOf(inner);
  const fields = Object.entries(def.shape ?? {});
  return fields.flatMap(([name, node]) => [
    [name],
    ...pathsOf(node).map((rest) => [name, ...rest]),
  ]);
}

/** A copy of a value with another value at a path. */
function replaced(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by;
  const object = typeof value === 'object' && value !== null ? (value as Json) : {};
  return { ...object, [name]: replaced(object[name], rest, by) };
}

const answers = ENDPOINTS.filter(({ stability }) => stability === 'contract').flatMap(
  ({ id, responses: answers }) =>
    Object.entries(answers).flatMap(([status, { promise, tolerance }]) =>
      tolerance === undefined ? [] : [{ id, status, promise, tolerance }],
    ),
);

describe('a response that matches the promise is tolerated', () => {
  it.each(answers)('$id $status', ({ id, promise, tolerance }) => {
    const node: unknown = (tolerance as Schema & Field).zod;
    const sample = sampleCall(id).response.body;
    expect(check(promise, sample)).toEqual([]);
    for (const path of [[], ...pathsOf(node as Node)]) {
      for (const by of REPLACEMENTS) {
        const value = replaced(sample, path, by);
        if (check(tolerance, value).length > 0) expect(check(promise, value)).not.toEqual([]);
      }
    }
  });
});

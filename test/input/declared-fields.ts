import type * as z from 'zod/mini';
import { ENDPOINT_BY_ID } from '../../src/contract/endpoints.js';
import type { Field } from '../../src/contract/field.js';
import { CONTRACT_ROWS, type ContractRow } from '../support/contract-rows.js';

/** The kinds of a declared field that have rules in common. */
export type FieldKind = 'text' | 'number' | 'json';

/** A field of an endpoint's input, from its declaration. */
export type DeclaredField = { row: ContractRow; operation: string; field: string; kind: FieldKind };

const KINDS: Readonly<Record<string, FieldKind>> = {
  string: 'text',
  enum: 'text',
  number: 'number',
  int: 'number',
  record: 'json',
};

type Definition = {
  type: string;
  innerType?: z.core.$ZodType;
  element?: z.core.$ZodType;
  shape?: Record<string, z.core.$ZodType>;
};

function fieldsUnder(schema: z.core.$ZodType, path: string): { field: string; kind: FieldKind }[] {
  const { type, innerType, element, shape } = schema._zod.def as unknown as Definition;
  const under = (name: string) => (path === '' ? name : `${path}.${name}`);
  if (innerType !== undefined) return fieldsUnder(innerType, path);
  if (element !== undefined) return fieldsUnder(element, under('0'));
  if (shape !== undefined) {
    return Object.entries(shape).flatMap(([name, inner]) => fieldsUnder(inner, under(name)));
  }
  const kind = KINDS[type];
  return kind === undefined ? [] : [{ field: path, kind }];
}

/** Every text, number and free-form object in the input of every endpoint, optional ones too. */
export const DECLARED_FIELDS: readonly DeclaredField[] = CONTRACT_ROWS.flatMap((row) =>
  fieldsUnder((ENDPOINT_BY_ID[row.id].input as unknown as Field).zod, '').map((declared) => ({
    ...declared,
    row,
    operation: row.id,
  })),
);

/** Returns the sample input of an endpoint with another value in one field. */
export function inputWith({ row, field }: DeclaredField, value: unknown): Record<string, unknown> {
  const input = structuredClone(row.call.input ?? {}) as Record<string, unknown>;
  const names = field.split('.');
  const last = names.pop() ?? '';
  let holder: Record<string, unknown> = input;
  for (const name of names) {
    holder[name] ??= {};
    holder = holder[name] as Record<string, unknown>;
  }
  holder[last] = value;
  return input;
}

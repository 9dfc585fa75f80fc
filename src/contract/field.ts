import * as z from 'zod/mini';
import type { Schema } from './schema.js';

// Otherwise zod tries `new Function`, which a strict content security policy reports.
z.config({ jitless: true });

/**
 * A schema that zod builds on first use. Building the schemas of all endpoints would take longer than
 * the rest of the import, and a program uses few of them.
 */
export class Field<Zod extends z.core.$ZodType = z.core.$ZodType> implements Schema<z.output<Zod>> {
  /** What the field consists of. */
  readonly parts: Parts;
  readonly #build: () => Zod;
  #built: Zod | undefined;

  constructor(build: () => Zod, parts: Parts = {}) {
    this.parts = parts;
    this.#build = build;
  }

  /** The zod schema. */
  get zod(): Zod {
    this.#built ??= this.#build();
    return this.#built;
  }

  get '~standard'(): Schema<z.output<Zod>>['~standard'] {
    return this.zod['~standard'];
  }
}

/** The parts of a field, for code that compares a response with it or derives another schema from it. */
export type Parts = {
  /** Of an object: its fields. */
  readonly fields?: Fields;
  /** Of an object: whether the contract leaves open which other fields it has. */
  readonly isOpen?: boolean;
  /** Of a list: its items. */
  readonly item?: Field;
  /** Of an object with keys of the service's choice: its values. */
  readonly values?: Field;
  /** The field without what this one allows in addition. */
  readonly inner?: Field;
  readonly mayBeAbsent?: boolean;
  readonly mayBeNull?: boolean;
  /** Whether an object without any field stands for nothing. */
  readonly mayBeBlank?: boolean;
  /** Whether the field was observed, and is not part of the contract. */
  readonly isObserved?: boolean;
  /** Whether any text that is not empty is enough where the field is essential. */
  readonly isText?: boolean;
  /** What a value must be even where the field is not essential: an amount is never a number. */
  readonly tolerated?: Field;
};

/** The rule that an unknown field of an input breaks. */
export const UNKNOWN_FIELD = 'is not a known field';

/** The fields of an object. */
export type Fields = Readonly<Record<string, Field>>;

/** The fields of an object, as zod takes them. */
export type ZodShape<Shape extends Fields> = {
  -readonly [Name in keyof Shape]: Shape[Name] extends Field<infer Zod> ? Zod : never;
};

/** Builds the fields of an object. */
export function built<Shape extends Fields>(shape: Shape): ZodShape<Shape> {
  const schemas = Object.entries(shape).map(([name, field]) => [name, field.zod]);
  return Object.fromEntries(schemas) as ZodShape<Shape>;
}

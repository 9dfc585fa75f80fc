import * as z from 'zod/mini';
import type { Schema } from './schema.js';

// Otherwise zod tries `new Function`, which a strict content security policy reports.
z.config({ jitless: true });

/**
 * A schema that zod builds on first use. Building the schemas of all endpoints would take longer than
 * the rest of the import, and a program uses few of them.
 */
export class Field<Zod extends z.core.$ZodType = z.core.$ZodType> implements Schema<z.output<Zod>> {
  readonly #build: () => Zod;
  #built: Zod | undefined;

  constructor(build: () => Zod) {
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

import type * as z from 'zod/mini';
import type { Schema } from './schema.js';

/**
 * A schema that zod builds when it is first used. To build those of all endpoints takes longer than
 * everything else that happens at import, and a program uses few of them.
 */
export class Field<Zod extends z.core.$ZodType = z.core.$ZodType> implements Schema<z.output<Zod>> {
  readonly #build: () => Zod;
  #built: Zod | undefined;

  constructor(build: () => Zod) {
    this.#build = build;
  }

  /** What zod built. */
  get zod(): Zod {
    this.#built ??= this.#build();
    return this.#built;
  }

  get '~standard'(): Schema<z.output<Zod>>['~standard'] {
    return this.zod['~standard'];
  }
}

/** The fields of an object. */
export type Fields = Readonly<Record<string, Field>>;

/** The same as zod takes them. */
export type ZodShape<Shape extends Fields> = {
  -readonly [Name in keyof Shape]: Shape[Name] extends Field<infer Zod> ? Zod : never;
};

/** The fields of an object, built. */
export function built<Shape extends Fields>(shape: Shape): ZodShape<Shape> {
  const schemas = Object.entries(shape).map(([name, field]) => [name, field.zod]);
  return Object.fromEntries(schemas) as ZodShape<Shape>;
}

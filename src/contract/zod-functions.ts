import * as z from 'zod/mini';

/** The functions of zod that the fields of the contract use. By name, so that a bundler drops the rest. */
export const ZOD_FUNCTIONS = {
  array: z.array,
  boolean: z.boolean,
  custom: z.custom,
  email: z.email,
  enum: z.enum,
  int: z.int,
  looseObject: z.looseObject,
  maxLength: z.maxLength,
  minLength: z.minLength,
  minimum: z.minimum,
  nullable: z.nullable,
  number: z.number,
  optional: z.optional,
  positive: z.positive,
  record: z.record,
  refine: z.refine,
  regex: z.regex,
  strictObject: z.strictObject,
  string: z.string,
  union: z.union,
  unknown: z.unknown,
};

import * as z from 'zod/mini';
import { provideZod } from './zod.js';

/**
 * Provides zod to the fields of the contract, for code that checks values. Names each function, so
 * that a bundler drops the rest of zod.
 */
export function useZod(): void {
  provideZod({
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
  });
}

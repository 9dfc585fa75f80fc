import type * as z from 'zod/mini';

type Names =
  | 'array'
  | 'boolean'
  | 'custom'
  | 'email'
  | 'enum'
  | 'int'
  | 'looseObject'
  | 'maxLength'
  | 'minLength'
  | 'minimum'
  | 'nullable'
  | 'number'
  | 'optional'
  | 'positive'
  | 'record'
  | 'refine'
  | 'regex'
  | 'strictObject'
  | 'string'
  | 'union'
  | 'unknown';

/** The functions of zod that the fields of the contract use. */
export type Zod = Pick<typeof z, Names>;

let provided: Zod | undefined;

/** Sets zod; see `provide-zod.ts`. */
export function provideZod(functions: Zod): void {
  provided = functions;
}

/** Returns zod. A client loads it with the first call, so no field is built before. */
export function zod(): Zod {
  if (provided !== undefined) return provided;
  throw new TypeError(
    'Schemas are built with the first call. To check values earlier, import card-platform-sdk/schemas.',
  );
}

import type { ZOD_FUNCTIONS } from './zod-functions.js';

type Zod = typeof ZOD_FUNCTIONS;

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

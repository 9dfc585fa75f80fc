import type { ZOD_FUNCTIONS } from './zod-functions.js';

type Zod = typeof ZOD_FUNCTIONS;

let provided: Zod | undefined;

/** Sets zod; see `provide-zod.ts`. */
export function provideZod(functions: Zod): void {
  provided = functions;
}

/** Returns zod. A client loads it with the first call, so no field is built before then. */
export function zod(): Zod {
  if (provided !== undefined) return provided;
  throw new TypeError(
    'The schemas are not loaded yet: a client loads them with its first call. To check values earlier, import card-platform-sdk/schemas.',
  );
}

import { provideZod } from './zod.js';
import { ZOD_FUNCTIONS } from './zod-functions.js';

/** Provides zod to the fields of the contract, for code that checks values. */
export function useZod(): void {
  provideZod(ZOD_FUNCTIONS);
}

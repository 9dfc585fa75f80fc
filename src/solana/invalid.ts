import { RequestValidationError } from '../errors/index.js';

/** Refuses an input before anything is asked of a wallet or sent. The value is not repeated. */
export function invalid(path: string, message: string): never {
  throw new RequestValidationError([{ path, message }]);
}

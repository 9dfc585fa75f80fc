import { RequestValidationError } from '../errors/index.js';

/** Throws for an invalid input. The value itself is never part of the message. */
export function invalid(path: string, message: string): never {
  throw new RequestValidationError([{ path, message }]);
}

import { RequestValidationError } from '../errors/index.js';

/** Refuses an input. The value itself never gets into the message. */
export function invalid(path: string, message: string): never {
  throw new RequestValidationError([{ path, message }]);
}

import { RequestValidationError } from '../../endpoints/index.js';

/**
 * Copies the lists and plain objects of an input, because the caller may change them while a step
 * waits. All other values stay as they are: the call refuses those that cannot be sent.
 *
 * @throws RequestValidationError for an input that cannot be read, such as a getter that throws
 */
export function copyInput<Input extends object>(input: Input): Input {
  try {
    // The input itself may be an instance of one of the caller's classes.
    const copy: object = { ...input };
    return copyFields(copy, new Map([[input, copy]])) as Input;
  } catch {
    throw new RequestValidationError([{ path: '', message: 'cannot be read' }]);
  }
}

/** Whether an object is plain, in any realm: above its prototype there is nothing. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Replaces the fields of a copy with copies. An object that contains itself is copied once. */
function copyFields(copy: object, copies: Map<unknown, unknown>): object {
  for (const [key, value] of Object.entries(copy)) {
    Object.defineProperty(copy, key, { value: copyValue(value, copies) });
  }
  return copy;
}

function copyValue(value: unknown, copies: Map<unknown, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (copies.has(value)) return copies.get(value);
  const isList = Array.isArray(value);
  if (!isList && !isPlain(value)) return value;
  const copy = isList ? [...value] : { ...value };
  copies.set(value, copy);
  return copyFields(copy, copies);
}

import { StateMismatchError } from './flow-errors.js';

/** Names that an error message may contain. Other names may be any text, because the state is input. */
const PLAIN_NAME = /^[A-Za-z]\w{0,31}$/;
const MAX_TEXT_LENGTH = 20_000;

/** The values of an object's own fields, without a prototype. */
export type OwnFields = { readonly [name: string]: unknown };

/** Throws for an invalid field of a saved state. */
export function refuseState(path: string): never {
  throw new StateMismatchError([path]);
}

/**
 * Copies the own fields of an object and reads each of them once, so a getter cannot return one
 * value to the check and another to the flow. Inherited fields are ignored. A field whose value is
 * `undefined` counts as absent.
 *
 * @param path where the object is in the state; empty for the state itself
 * @param known the fields that the object may have. Default any.
 * @throws StateMismatchError for anything that is not an object, and for an unknown field
 */
export function readOwnFields(value: unknown, path: string, known?: readonly string[]): OwnFields {
  if (typeof value !== 'object' || value === null) return refuseState(path || 'resume');
  const fields: Record<string, unknown> = Object.create(null);
  for (const name of namesOf(value, path)) {
    if (known?.includes(name) === false) return refuseState(fieldPath(path, name));
    const found = readOnce(value, name, path);
    if (found !== undefined) fields[name] = found;
  }
  return fields;
}

/** Requires a string. The flow saves none longer than `MAX_TEXT_LENGTH`. */
export function requireText(value: unknown, path: string): string {
  return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH ? value : refuseState(path);
}

/** The path of a field, without a name that may not be shown. */
export function fieldPath(path: string, name: string): string {
  if (!PLAIN_NAME.test(name)) return path || 'resume';
  return path === '' ? name : `${path}.${name}`;
}

function namesOf(value: object, path: string): string[] {
  try {
    if (!Array.isArray(value)) {
      return Reflect.ownKeys(value).filter((name) => typeof name === 'string');
    }
  } catch {
    // A revoked proxy, or one whose traps throw.
  }
  return refuseState(path || 'resume');
}

function readOnce(value: object, name: string, path: string): unknown {
  try {
    return Reflect.get(value, name);
  } catch {
    return refuseState(fieldPath(path, name));
  }
}

import { isObject } from '../contract/formats/is-object.js';
import { invalid } from './invalid.js';

/**
 * Checks that the objects a delegation works with are there, for callers without types.
 *
 * @throws RequestValidationError that names the missing one
 */
export function requireParts(options: unknown, names: readonly string[]): void {
  const { client, ...parts } = hasFields(options)
    ? options
    : invalid('options', 'must be an object');
  if (!hasFields(client) || !hasFields(client['delegation'])) {
    invalid('client', 'has no delegation');
  }
  for (const name of names) {
    if (!hasFields(parts[name])) invalid(name, 'must be an object');
  }
}

/** A proxy for an object in a worker can be a function. */
function hasFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) || typeof value === 'function';
}

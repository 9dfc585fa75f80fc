import { invalid } from './invalid.js';

const isObject = (value: unknown): value is Record<string, unknown> =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/**
 * Checks that the objects are there which a delegation works with, for callers without types.
 *
 * @throws RequestValidationError that names the one that is missing
 */
export function requireParts(options: unknown, names: readonly string[]): void {
  const { client, ...parts } = isObject(options)
    ? options
    : invalid('options', 'must be an object');
  if (!isObject(client) || !isObject(client['delegation'])) invalid('client', 'has no delegation');
  for (const name of names) {
    if (!isObject(parts[name])) invalid(name, 'must be an object');
  }
}

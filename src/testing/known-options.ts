import { nearestName } from '../contract/formats/nearest-name.js';
import { describeUnknownOption } from '../contract/formats/option-names.js';

/**
 * Refuses an option that does not exist: a mistyped one would be silently ignored.
 *
 * @throws TypeError that names the option, and the one that the caller probably means
 */
export function requireKnownOptions(what: string, given: object, known: readonly string[]): void {
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(`${what}: the options must be an object`);
  }
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(`${what}: ${describeUnknownOption(unknown, known).message}`);
}

/**
 * Returns a value that is on a list.
 *
 * @throws TypeError that names the argument, the nearest allowed value and all others
 */
export function requireOneOf<const Value extends string>(
  name: string,
  given: unknown,
  allowed: readonly Value[],
): Value {
  const found = allowed.find((value) => value === given);
  if (found !== undefined) return found;
  const nearest = typeof given === 'string' ? nearestName(given, allowed) : undefined;
  throw new TypeError(
    `${name} must be one of ${allowed.join(', ')}` +
      (nearest === undefined ? '' : `. The nearest is "${nearest}"`),
  );
}

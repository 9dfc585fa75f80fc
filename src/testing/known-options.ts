/**
 * Refuses an option that does not exist: a mistyped one would be ignored without a trace.
 *
 * @throws TypeError that names the option and the known ones
 */
export function requireKnownOptions(
  what: string,
  given: object,
  known: readonly string[] | Readonly<Record<string, unknown>>,
): void {
  const names: readonly string[] = Array.isArray(known) ? known : Object.keys(known);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(`${what}: "${unknown}" is not one of ${[...names].sort().join(', ')}`);
}

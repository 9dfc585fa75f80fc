/**
 * Returns an object whose secrets a program can read, but no printout, copy or JSON contains: they are
 * getters of its prototype.
 */
export function withSecrets<Shown extends object, Secrets extends object>(
  shown: Shown,
  secrets: Secrets,
): Readonly<Shown & Secrets> {
  const prototype = { [Symbol.for('nodejs.util.inspect.custom')]: () => ({ ...shown }) };
  for (const [name, value] of Object.entries(secrets)) {
    Object.defineProperty(prototype, name, { get: () => value });
  }
  return Object.freeze(Object.assign(Object.create(prototype), shown));
}

/** An object without the properties that are `undefined`. */
type Given<T> = { readonly [Name in keyof T]: Exclude<T[Name], undefined> };

/** Returns the properties of an object that are not `undefined`. */
export function withoutUndefined<T extends object>(given: T): Given<T> {
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as Given<T>;
}

/** A placeholder of a path template. */
export const PLACEHOLDER = /\{([A-Za-z]+)\}/g;

/** The names of the placeholders of a path template. */
export function placeholdersIn(path: string): readonly string[] {
  return Array.from(path.matchAll(PLACEHOLDER), ([, name = '']) => name);
}

import { decode } from './query.js';

/** The segments of a path template such as `/v1/webhooks/{id}`. */
export type PathPattern = readonly string[];

const isPlaceholder = (segment: string) => segment.startsWith('{');

/** Splits a path template into segments. */
export function toPathPattern(path: string): PathPattern {
  return path.slice(1).split('/');
}

/** Returns the number of placeholders: a pattern with fewer is more specific, and comes first. */
export function countPlaceholders(pattern: PathPattern): number {
  return pattern.filter(isPlaceholder).length;
}

/** Returns the values of the placeholders, or `undefined` when the path does not match. */
export function matchPath(
  pattern: PathPattern,
  pathname: string,
): Record<string, string> | undefined {
  const given = pathname.slice(1).split('/');
  if (pattern.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of pattern.entries()) {
    const value = given[index] ?? '';
    if (isPlaceholder(segment)) params[segment.slice(1, -1)] = decode(value);
    else if (segment !== value) return undefined;
  }
  return params;
}

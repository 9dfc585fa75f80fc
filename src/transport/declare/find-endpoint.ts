import type { Endpoint } from '../../contract/endpoint.js';

const isPlaceholder = (segment: string) => segment.startsWith('{');
const countPlaceholders = ({ path }: Endpoint) => path.split('/').filter(isPlaceholder).length;

/** Whether two path segments may mean the same. A server may ignore the case of a path. */
function fits(segment: string, given: string): boolean {
  return (
    isPlaceholder(segment) || isPlaceholder(given) || segment.toLowerCase() === given.toLowerCase()
  );
}

/**
 * Finds the endpoint of the contract that a request reaches: by its template, or by a path in which
 * values stand for placeholders.
 *
 * @param params - values for the placeholders of `path`
 */
export function findEndpoint(
  endpoints: readonly Endpoint[],
  method: string,
  path: string,
  params: Readonly<Record<string, unknown>>,
): Endpoint | undefined {
  const given = path.split('/').map((segment) => {
    const value = isPlaceholder(segment) ? params[segment.slice(1, -1)] : undefined;
    return typeof value === 'string' ? value : segment;
  });
  return endpoints
    .filter((endpoint) => endpoint.method === method)
    .filter((endpoint) => {
      const segments = endpoint.path.split('/');
      return (
        segments.length === given.length &&
        segments.every((segment, index) => fits(segment, given[index] ?? ''))
      );
    })
    .sort((one, other) => countPlaceholders(one) - countPlaceholders(other))[0];
}

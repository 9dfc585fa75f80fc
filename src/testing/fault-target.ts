import type { EndpointId } from '../contract/endpoints.js';
import { nearestName } from '../contract/formats/nearest-name.js';
import { ENDPOINT_IDS } from './endpoint-ids.js';
import type { ObservedId } from './observed-ids.js';

/**
 * The requests that a fault concerns: those to an endpoint, by its id; to a route of your own, by the
 * endpoint or by what `serve` returned; or all (`*`).
 */
export type FaultTarget = EndpointId | ObservedId | '*' | { readonly id: string };

/**
 * Returns the id of a target.
 *
 * @throws Error for any other text, and for a route that is not served: its fault would never occur
 */
export function requireFaultTarget(target: FaultTarget, servedIds: readonly string[]): string {
  const id: unknown = typeof target === 'object' ? target?.id : target;
  const known = [...servedIds, ...ENDPOINT_IDS];
  if (typeof id === 'string' && (id === '*' || known.includes(id))) return id;
  const nearest = nearestName(String(id), known);
  throw new Error(
    `"${String(id)}" is not an endpoint id, and no route of that id is served. The nearest is "${nearest}"`,
  );
}

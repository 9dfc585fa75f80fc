import type { Endpoint } from '../../contract/endpoint.js';
import { observedEndpoints } from '../../contract/observed/endpoints.js';
import type { ObservedSchema } from '../../contract/observed/schema.js';
import { findRow, takesForm } from '../../testing/observed/rows.js';
import { findRoute, type Route } from '../../testing/routing.js';
import type { Body } from './exchange.js';

/** An observed call with the input that goes over the wire: what the client adds is required there. */
function asSent(endpoint: Endpoint): Endpoint {
  const { field }: Partial<ObservedSchema<unknown>> = Object(endpoint.input);
  return { ...endpoint, input: field ?? endpoint.input };
}

/** Every observed call, as it is sent. */
export const OBSERVED_CALLS: readonly Endpoint[] = Object.values(observedEndpoints).map((one) =>
  asSent(one as Endpoint),
);

/** Returns the observed call of a request. Calls of one path differ by a field of the body. */
export function findObservedCall(method: string, path: string, body: Body): Route | undefined {
  const found = findRow(method, path, () => ('json' in body ? body.json : undefined));
  const endpoint = OBSERVED_CALLS.find(({ id }) => id === found?.row.endpoint.id);
  // The page on which a user signs in is not a call.
  return found && endpoint && { endpoint, params: found.params };
}

/**
 * Returns the endpoint of a request: one of the contract, or an observed call where the recording has
 * those too.
 */
export function findRecorded(
  method: string,
  path: string,
  body: Body,
  isObserved: boolean,
): Route | undefined {
  const observed = isObserved ? findObservedCall(method, path, body) : undefined;
  // A literal segment takes precedence: the contract has `/v1/webhooks/{id}`, `events` is observed.
  return observed ?? findRoute(method, path);
}

/** Returns a body as the endpoint reads it. Only few endpoints accept a form. */
export function bodyFor(route: Route | undefined, body: Body): Body {
  const isRead = body.kind !== 'form' || (route !== undefined && takesForm(route.endpoint));
  return isRead ? body : { kind: 'not-json' };
}

import type { Credential, Endpoint } from '../contract/endpoint.js';
import type { EndpointCredentials } from '../contract/endpoint-credentials.js';
import { nearestName } from '../contract/formats/nearest-name.js';
import { ENDPOINT_IDS } from './endpoint-ids.js';
import { CREDENTIAL_NAMES } from './tenants.js';

/** The names of all credentials. */
export const CREDENTIALS: readonly Credential[] = [...CREDENTIAL_NAMES, 'accessToken'];

/** Endpoints whose credentials differ from the contract, by id. */
export type CredentialsById = ReadonlyMap<string, readonly Credential[]>;

/**
 * Returns a copy of a list of credentials.
 *
 * @throws TypeError for any other value
 */
export function requireCredentials(what: string, names: unknown): readonly Credential[] {
  if (Array.isArray(names) && names.every((name) => CREDENTIALS.includes(name))) return [...names];
  throw new TypeError(`${what} must be a list of ${CREDENTIALS.join(', ')}`);
}

/** Checks the option `endpointCredentials`. */
export function requireEndpointCredentials(
  given: EndpointCredentials = {},
  observedIds: readonly string[] = [],
): CredentialsById {
  const byId = new Map<string, readonly Credential[]>();
  const known = [...ENDPOINT_IDS, ...observedIds];
  for (const [id, names] of Object.entries(given)) {
    if (!known.includes(id)) {
      throw new TypeError(
        `endpointCredentials: "${id}" is not an endpoint id. The nearest is "${nearestName(id, known)}"`,
      );
    }
    if (names === undefined) continue;
    byId.set(id, requireCredentials(`endpointCredentials: ${id}`, names));
  }
  return byId;
}

/** Returns an endpoint with the credentials that this platform expects. */
export function withCredentials(endpoint: Endpoint, byId: CredentialsById): Endpoint {
  const credentials = byId.get(endpoint.id);
  return credentials === undefined ? endpoint : { ...endpoint, credentials };
}

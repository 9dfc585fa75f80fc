import type { Credential, Endpoint } from '../contract/endpoint.js';
import type { EndpointCredentials } from '../contract/endpoint-credentials.js';
import { isEndpointId } from './endpoint-ids.js';

const CREDENTIALS: readonly Credential[] = ['clientKey', 'clientId', 'secretKey', 'accessToken'];

/** Endpoints whose credentials differ from the contract, by id. */
export type CredentialsById = ReadonlyMap<string, readonly Credential[]>;

/** Checks the option `endpointCredentials`. */
export function requireEndpointCredentials(given: EndpointCredentials = {}): CredentialsById {
  const byId = new Map<string, readonly Credential[]>();
  for (const [id, names] of Object.entries(given)) {
    if (!isEndpointId(id)) {
      throw new TypeError(`endpointCredentials: "${id}" is not an endpoint id`);
    }
    if (names === undefined) continue;
    if (!Array.isArray(names) || !names.every((name) => CREDENTIALS.includes(name))) {
      throw new TypeError(`endpointCredentials: ${id} must be a list of ${CREDENTIALS.join(', ')}`);
    }
    byId.set(id, [...names]);
  }
  return byId;
}

/** The same endpoint with the credentials that this platform expects. */
export function withCredentials(endpoint: Endpoint, byId: CredentialsById): Endpoint {
  const credentials = byId.get(endpoint.id);
  return credentials === undefined ? endpoint : { ...endpoint, credentials };
}

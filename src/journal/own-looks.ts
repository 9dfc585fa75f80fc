import type { Endpoint, OwnLook } from '../contract/endpoint.js';
import { ConfigurationError } from '../errors/index.js';
import { isSecretDetail, KEPT_FIELDS } from './entry-details.js';
import type { JournalOptions } from './options.js';

/** How to look up endpoints outside the contract, by their ids. */
export type OwnLooks = ReadonlyMap<string, OwnLook>;

const RESERVED = ['request', 'unreadable'];

function refuse(rule: string): never {
  throw new ConfigurationError('journal.endpoints', `journal.endpoints ${rule}.`);
}

/**
 * Reads the option `endpoints` of a journal.
 *
 * @throws ConfigurationError
 */
export function ownLooksOf({ endpoints = [] }: JournalOptions): OwnLooks {
  const looks = new Map<string, OwnLook>();
  if (!Array.isArray(endpoints)) refuse('must be an array of endpoints');
  for (const endpoint of endpoints as readonly (Endpoint | undefined)[]) {
    if (endpoint?.reconcile === undefined) refuse('must hold endpoints that declare reconcile');
    const { id, reconcile } = endpoint;
    if (looks.has(id)) refuse('must not hold two endpoints with one id');
    if (RESERVED.includes(id) || Object.hasOwn(KEPT_FIELDS, id)) {
      refuse('must not hold an endpoint with the id of another operation');
    }
    if (reconcile.details.some(isSecretDetail(endpoint))) {
      refuse('must not hold an endpoint whose details are secret fields');
    }
    looks.set(id, reconcile);
  }
  return looks;
}

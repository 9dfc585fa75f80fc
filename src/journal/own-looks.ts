import type { Endpoint, OwnLook } from '../contract/endpoint.js';
import { ConfigurationError } from '../errors/index.js';
import type { JournalOptions } from '../transport/settings/journal-options.js';
import { KEPT_FIELDS } from './entry-details.js';

/** How to look up endpoints outside the contract, by their ids. */
export type OwnLooks = ReadonlyMap<string, OwnLook>;

const RESERVED = ['request', 'unreadable'];

function refuse(rule: string): never {
  throw new ConfigurationError('journal.endpoints', `journal.endpoints ${rule}.`);
}

/**
 * Reads the endpoints of one's own that a journal can look up.
 *
 * @throws ConfigurationError
 */
export function ownLooksOf({ endpoints = [] }: JournalOptions): OwnLooks {
  const looks = new Map<string, OwnLook>();
  if (!Array.isArray(endpoints)) refuse('must be a list of endpoints');
  for (const endpoint of endpoints as readonly (Partial<Endpoint> | undefined)[]) {
    const { id = '', reconcile } = { ...endpoint };
    if (reconcile === undefined) refuse('must hold endpoints that declare reconcile');
    if (looks.has(id)) refuse('must not hold two endpoints with one id');
    if (RESERVED.includes(id) || Object.hasOwn(KEPT_FIELDS, id)) {
      refuse('must not hold an endpoint with the id of another operation');
    }
    looks.set(id, reconcile);
  }
  return looks;
}

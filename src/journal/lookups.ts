import type { Endpoint, Lookup } from '../contract/endpoint.js';
import { ENDPOINT_IDS } from '../contract/endpoint-ids.js';
import type { ContractLookTools, LookResult } from '../contract/lookup.js';
import { RECORDED_ENDPOINTS } from '../contract/recorded-endpoints.js';
import { ConfigurationError } from '../errors/index.js';
import { isSecretDetail } from './entry-details.js';
import type { LookTools } from './journal-types.js';
import type { JournalOptions } from './options.js';

/** The tools of any look: those of the contract, and those of a caller. */
export type AnyLookTools = ContractLookTools & LookTools;

/** How to look up the requests of an operation. */
export type DeclaredLookup = Required<
  Pick<Lookup, 'details' | 'actsOn' | 'target' | 'takesFromWallets' | 'isOfTenant'>
> & {
  readonly look: ((tools: AnyLookTools) => Promise<LookResult>) | undefined;
  readonly undecidedBecause: string;
};

/** Returns how the requests of an operation are looked up; `undefined` where nobody has declared it. */
export type LookupOf = (operation: string) => DeclaredLookup | undefined;

const RESERVED = ['request', 'unreadable'];

function refuse(rule: string): never {
  throw new ConfigurationError('journal.endpoints', `journal.endpoints ${rule}.`);
}

function declaredLookup(id: string, reconcile: Lookup): DeclaredLookup {
  const {
    details,
    target = [],
    actsOn = id,
    takesFromWallets = true,
    isOfTenant = false,
  } = reconcile;
  return {
    details,
    target,
    actsOn,
    takesFromWallets,
    isOfTenant,
    // Its declaration is typed by the tools that it gets.
    look: reconcile.look as DeclaredLookup['look'],
    undecidedBecause: reconcile.undecidedBecause ?? '',
  };
}

const ofEndpoints = (endpoints: readonly Endpoint[]) =>
  endpoints.flatMap(({ id, reconcile }) =>
    reconcile === undefined ? [] : [[id, declaredLookup(id, reconcile)] as const],
  );

/** Checks an endpoint of the option `endpoints` of a journal. */
function requireLookup(endpoint: Endpoint | undefined, known: ReadonlySet<string>): Endpoint {
  if (endpoint?.reconcile === undefined)
    return refuse('must contain endpoints that declare reconcile');
  const { id, reconcile } = endpoint;
  if (known.has(id)) refuse('must not contain two endpoints with one id');
  if (RESERVED.includes(id) || ENDPOINT_IDS.includes(id)) {
    refuse('must not contain an endpoint with the id of another operation');
  }
  if (reconcile.details.some(isSecretDetail(endpoint))) {
    refuse('must not contain an endpoint whose details are secret fields');
  }
  return endpoint;
}

/**
 * Returns how each operation is looked up: as the contract declares it, or an endpoint of the option
 * `endpoints` of a journal.
 *
 * @throws ConfigurationError
 */
export function lookupsOf({ endpoints = [] }: JournalOptions): LookupOf {
  if (!Array.isArray(endpoints)) refuse('must be an array of endpoints');
  const ids = new Set<string>();
  for (const endpoint of endpoints as readonly (Endpoint | undefined)[]) {
    ids.add(requireLookup(endpoint, ids).id);
  }
  const lookups = new Map(ofEndpoints([...RECORDED_ENDPOINTS, ...(endpoints as Endpoint[])]));
  return (operation) => lookups.get(operation);
}

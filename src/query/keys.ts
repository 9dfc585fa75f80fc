import type { EndpointId } from '../contract/endpoints.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import type { Region } from '../transport/request/wire-request.js';
import { OPERATIONS } from './operations.js';

/**
 * A query or mutation key: this package, region, user, the names of the endpoint, and the input of a
 * read. It contains no credential, and survives JSON.
 */
export type PlatformKey = readonly [
  origin: 'card-platform',
  region: Region,
  user: string | null,
  ...namesAndInput: unknown[],
];

type PrefixOf<Id extends string> = Id extends `${infer Head}.${infer Rest}`
  ? Head | `${Head}.${PrefixOf<Rest>}`
  : Id;

/** The id of an endpoint or of a namespace: `wallets`, `wallets.credit`, `wallets.credit.get`. */
export type QueryNamespace = PrefixOf<EndpointId>;

/** The region and the user that a key belongs to. */
export type KeyOwner = { readonly region: Region; readonly user: string | null };

/** A JSON Web Token, passed where an id belongs. */
const TOKEN = /^eyJ[\w-]*\.eyJ/;

/** @throws ConfigurationError when keys with this owner would collide or contain a token */
export function checkOwner({ region, user }: KeyOwner): void {
  if (region !== 'global' && region !== 'us') {
    throw new ConfigurationError('region', 'region must be "global" or "us".');
  }
  if (user === null) return;
  if (typeof user !== 'string' || user.trim() === '') {
    throw new ConfigurationError('user', 'user must be the id of the user, or null.');
  }
  if (TOKEN.test(user)) {
    throw new ConfigurationError(
      'user',
      'user must be an id and not a token: query keys are shown and stored.',
    );
  }
}

/** Returns the key of an endpoint or a namespace, with the input of a read. */
export function keyOf({ region, user }: KeyOwner, id: string, input?: unknown): PlatformKey {
  const names = id === '' ? [] : id.split('.');
  const isEmpty = input === undefined || Object.keys(Object(input)).length === 0;
  return ['card-platform', region, user, ...names, ...(isEmpty ? [] : [input])];
}

/**
 * Copies an input, so that a later change to it does not change the key. The copy is sorted and has
 * no `undefined` fields: equal inputs have equal keys, however a cache compares them.
 */
export function stableInput(input: unknown): unknown {
  if (Object(input) !== input) return input;
  const fields = Object.entries(Object(input)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const FACTS: Readonly<Record<string, readonly string[]>> = OPERATIONS;

/** The facts about the endpoint of a key; none for a key of the app. */
export function factsOf([origin, , , ...rest]: readonly unknown[] = []): readonly string[] {
  const id = rest.filter((part) => typeof part === 'string').join('.');
  return origin === 'card-platform' && Object.hasOwn(FACTS, id) ? (FACTS[id] ?? []) : [];
}

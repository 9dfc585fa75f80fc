import { ENDPOINT_BY_ID, type EndpointId } from '../contract/endpoints.js';
import { ConfigurationError } from '../errors/index.js';

/** Only for a server: logins, records with legal weight, webhooks, purchases. */
const SERVER_ONLY_NAMESPACES = new Set(['auth', 'consent', 'orders', 'webhooks']);

/** Their responses hold a secret that outlives the page. */
const RETURNS_A_LASTING_SECRET: readonly EndpointId[] = [
  'auth.login',
  'webhooks.create',
  'webhooks.rotateKey',
];

const IDS = Object.keys(ENDPOINT_BY_ID) as readonly EndpointId[];

function isAllowedByDefault(id: EndpointId): boolean {
  const [namespace = ''] = id.split('.');
  const credentials: readonly string[] = ENDPOINT_BY_ID[id].credentials;
  return !SERVER_ONLY_NAMESPACES.has(namespace) && credentials.includes('accessToken');
}

/**
 * The operations that a proxy allows by default: everything that a user can read and do with their
 * card, wallets and delegations. Login, consent, orders, webhooks, and operations without a session
 * are not among them.
 *
 * @example
 * ```ts
 * import { CardPlatformClient } from 'card-platform-sdk';
 * import { createCardProxy, DEFAULT_OPERATIONS } from 'card-platform-sdk/server';
 *
 * const proxy = createCardProxy({
 *   client: new CardPlatformClient({ baseUrl: 'https://api.example.com', clientKey: 'a key' }),
 *   session: () => undefined,
 *   allow: [...DEFAULT_OPERATIONS, 'orders.listProducts'],
 * });
 * ```
 */
export const DEFAULT_OPERATIONS: readonly EndpointId[] = Object.freeze(
  IDS.filter(isAllowedByDefault),
);

/**
 * Checks a list of operations.
 *
 * @throws ConfigurationError
 */
export function requireOperations(allow: unknown): ReadonlySet<string> {
  const refuse = (rule: string): never => {
    throw new ConfigurationError('allow', `allow ${rule}.`);
  };
  if (allow === undefined) return new Set(DEFAULT_OPERATIONS);
  if (!Array.isArray(allow)) return refuse('must be an array of operations');
  const known = new Set<unknown>(IDS);
  const secret = RETURNS_A_LASTING_SECRET.find((id) => allow.includes(id));
  if (secret !== undefined) {
    refuse(`must not hold ${secret}: its response has a secret. Call it on your server`);
  }
  if (!allow.every((id) => known.has(id))) refuse('holds an operation that does not exist');
  return new Set(allow);
}

import { requireKnownOptions, requireText } from './check-options.js';
import { MockCollection } from './mock-collection.js';
import type { MockCredentials, MockState, MockTenant } from './state.js';

/** Name of the tenant to which `mock.credentials` belong. */
export const DEFAULT_TENANT = 'mock-tenant';

/** The credentials of the first tenant. */
export const DEFAULT_CREDENTIALS: MockCredentials = {
  clientKey: 'mock-client-key',
  clientId: 'mock-client-id',
  secretKey: 'mock-secret-key',
};

/** The names of a tenant's credentials. */
export const CREDENTIAL_NAMES = ['clientKey', 'clientId', 'secretKey'] as const;

/**
 * Returns the credentials of a tenant: the given ones, and defaults in place of the others.
 *
 * @throws TypeError for an unknown credential, or one that is not a non-empty string
 */
export function readCredentials(
  what: string,
  given: Partial<MockCredentials>,
  defaults: MockCredentials,
): MockCredentials {
  requireKnownOptions(what, given, CREDENTIAL_NAMES);
  const read = (name: (typeof CREDENTIAL_NAMES)[number]) =>
    requireText(`${what}: ${name}`, given[name] ?? defaults[name]);
  return {
    clientKey: read('clientKey'),
    clientId: read('clientId'),
    secretKey: read('secretKey'),
  };
}

/** Returns the tenant of a webhook. A tenant that does not exist counts as the first one. */
export function ownerOf({ tenants }: MockState, { tenant }: { tenant: string }): string {
  return tenants.some(({ name }) => name === tenant) ? tenant : DEFAULT_TENANT;
}

/** The tenants of a platform: each has its own credentials, users and webhooks. */
export class MockTenants extends MockCollection<MockTenant> {
  readonly #state: () => MockState;

  /** @internal */
  constructor(state: () => MockState) {
    super(
      'tenant',
      () => state().tenants,
      ({ name }) => [name],
    );
    this.#state = state;
  }

  /**
   * Adds a tenant and returns its credentials, which are derived from its name unless you pass others.
   *
   * @throws Error for a name or a credential that another tenant has, TypeError for an empty name
   * or credential, or an unknown credential
   *
   * @example
   * ```ts
   * const { name, clientKey } = mock.tenants.add('acme');
   * const bob = mock.users.add({ tenant: name });
   * console.log(clientKey, bob.tenant);
   * ```
   */
  add(name: string, credentials: Partial<MockCredentials> = {}): MockTenant {
    requireText('name', name);
    const defaults = {
      clientKey: `${name}-client-key`,
      clientId: `${name}-client-id`,
      secretKey: `${name}-secret-key`,
    };
    const added: MockTenant = { name, ...readCredentials('tenants.add', credentials, defaults) };
    const { tenants } = this.#state();
    const fields = ['name', ...CREDENTIAL_NAMES] as const;
    const taken = fields.find((field) => tenants.some((other) => other[field] === added[field]));
    if (taken !== undefined) throw new Error(`another tenant has this ${taken}`);
    tenants.push(added);
    return added;
  }
}

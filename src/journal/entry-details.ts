import type { Endpoint } from '../contract/endpoint.js';
import type { EndpointId } from '../contract/endpoints.js';
import { isObject } from '../contract/formats/is-object.js';
import { isSecretInput } from '../transport/response/redact.js';
import type { JournalEntry } from './journal-types.js';

/**
 * The input fields that an entry holds, of each endpoint that must not be sent twice: those by which
 * a read recognises the effect. Never the postal or e-mail address of a person, a URL or a secret.
 */
export const KEPT_FIELDS: { readonly [Id in EndpointId]?: readonly string[] } = {
  'auth.login': [],
  'auth.sendLoginOtp': [],
  'card.order': ['type'],
  'card.unfreeze': [],
  'delegation.getToken': ['address', 'network'],
  'delegation.submitEvmApproval': ['address', 'network', 'currency', 'amount', 'txHash'],
  'delegation.submitSolanaApproval': ['address', 'network', 'currency', 'amount', 'txHash'],
  'orders.create': ['productId'],
  'wallets.credit.withdraw': ['amount'],
  'wallets.internal.create': ['wallets'],
  'wallets.internal.linkToCard': ['addressId'],
  'wallets.internal.unlinkFromCard': ['addressId'],
  'wallets.internal.withdraw': ['amount', 'currency', 'sourceAddress', 'sourceMemo'],
  'webhooks.create': ['name'],
  'webhooks.rotateKey': ['id'],
};

/** The wallets to create as one text. */
function textOfWallets(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  return value
    .map((one) => (isObject(one) ? `${one['network']}:${one['currency']}` : String(one)))
    .join(',');
}

/** A field as text. Anything but a plain value may hold a secret. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return '';
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

/** Returns a test for fields of an endpoint outside the contract that no entry may hold. */
export function isSecretDetail(endpoint: Endpoint) {
  const isSecret = isSecretInput(endpoint);
  return (name: string): boolean => isSecret(name) || isSecret(endpoint.wireNames?.[name] ?? '');
}

/**
 * Returns the details of a request that an entry holds.
 *
 * @param hasSecret - whether a text contains a secret of the call: it is then left out
 */
export function detailsOf(
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
  hasSecret: (text: string) => boolean,
): Record<string, string> {
  const { id, isOwn, method, path, secretInputs = [], reconcile } = endpoint;
  if (isOwn === true) {
    // An entry with an id of the contract would be looked up like a call of the contract.
    if (reconcile === undefined || Object.hasOwn(KEPT_FIELDS, id)) return { method, path };
    const isSecret = isSecretDetail(endpoint);
    const own = reconcile.details.flatMap((name) => {
      const text = isSecret(name) ? undefined : textOf(input[name]);
      return text === undefined || hasSecret(text) ? [] : [[name, text]];
    });
    return Object.fromEntries(own);
  }
  const names = KEPT_FIELDS[id as EndpointId] ?? [];
  const kept = names.flatMap((name) => {
    const value = input[name];
    const text = secretInputs.includes(name) ? undefined : (textOfWallets(value) ?? textOf(value));
    return text === undefined || value === undefined ? [] : [[name, text]];
  });
  return Object.fromEntries(kept);
}

/** Whether an entry holds everything by which its effect is recognised. */
export function holds(details: JournalEntry['details'], names: readonly string[]): boolean {
  return names.every((name) => Object.hasOwn(details, name));
}

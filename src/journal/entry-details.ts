import type { Endpoint } from '../contract/endpoint.js';
import type { EndpointId } from '../contract/endpoints.js';
import { isObject } from '../contract/formats/is-object.js';

/**
 * The input fields that an entry holds, of each endpoint that must not be sent twice: those by which
 * a read recognises the effect. No address of a person, no free text, no URL, no secret.
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

/** A list such as the wallets to create, as one text. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  return value
    .map((one) => (isObject(one) ? `${one['network']}:${one['currency']}` : String(one)))
    .join(',');
}

/** Returns the details of a request that an entry holds. */
export function detailsOf(
  { id, isOwn, method, path, secretInputs = [] }: Endpoint,
  input: Readonly<Record<string, unknown>>,
): Record<string, string> {
  if (isOwn === true) return { method, path };
  const names = KEPT_FIELDS[id as EndpointId] ?? [];
  const kept = names.flatMap((name) => {
    const text = secretInputs.includes(name) ? undefined : textOf(input[name]);
    return text === undefined ? [] : [[name, text]];
  });
  return Object.fromEntries(kept);
}

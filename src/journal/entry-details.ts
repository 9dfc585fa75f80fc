import type { Endpoint } from '../contract/endpoint.js';
import { ENDPOINT_IDS } from '../contract/endpoint-ids.js';
import { isObject } from '../contract/formats/is-object.js';
import { isSecretInput } from '../transport/response/redact.js';
import type { JournalEntry } from './journal-types.js';

/** A list of objects as one text, with these fields of each. */
function textOfList(value: unknown, fields: readonly string[]): string | undefined {
  if (!Array.isArray(value) || !value.every(isObject)) return undefined;
  return value.map((item) => fields.map((name) => String(item[name])).join(':')).join(',');
}

/** A field as text. Anything but a plain value may hold a secret. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return '';
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

/** Returns a test for input fields of an endpoint that no entry may hold. */
export function isSecretDetail(endpoint: Endpoint) {
  const isSecret = isSecretInput(endpoint);
  return (name: string): boolean => isSecret(name) || isSecret(endpoint.wireNames?.[name] ?? '');
}

/**
 * Returns the details of a request that an entry holds: the fields by which a read recognises its
 * effect.
 *
 * @param hasSecret - whether a text contains a secret of the call: it is then left out
 */
export function detailsOf(
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
  hasSecret: (text: string) => boolean,
): Record<string, string> {
  const { id, isOutsideContract = false, method, path, reconcile } = endpoint;
  // An entry with an id of the contract would be looked up like a call of the contract.
  if (reconcile === undefined || (isOutsideContract && ENDPOINT_IDS.includes(id)))
    return { method, path };
  const { details, listDetails = {} } = reconcile;
  const isSecret = isSecretDetail(endpoint);
  const kept = details.flatMap((name) => {
    const fields = listDetails[name];
    const value = input[name];
    const text = fields === undefined ? textOf(value) : textOfList(value, fields);
    return text === undefined || isSecret(name) || hasSecret(text) ? [] : [[name, text]];
  });
  return Object.fromEntries(kept);
}

/** Whether an entry holds everything by which its effect is recognised. */
export function holds(details: JournalEntry['details'], names: readonly string[]): boolean {
  return names.every((name) => Object.hasOwn(details, name));
}

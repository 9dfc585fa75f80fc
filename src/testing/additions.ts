import { isObject } from '../contract/formats/is-object.js';
import { type Additions, type AddressFormats, LISTS, type ListName } from '../contract/lists.js';
import { ADDRESS_FORMAT_NAMES, addressFormatProblem } from '../contract/recipients.js';
import { requireKnownOptions } from './check-options.js';

/** What the platform accepts beyond the contract's lists. */
export type AcceptedAdditions = {
  /** Whether a value was added to a list of the contract. */
  isListed: (list: ListName, value: string) => boolean;
  /** Whether custodial wallets can be on a network, or in a currency, of this name. */
  isForWallets: (name: string) => boolean;
  formats: AddressFormats;
};

function requireFormats(formats: unknown): AddressFormats {
  if (!isObject(formats)) throw new TypeError('additions.addressFormats must be an object');
  for (const [network, format] of Object.entries(formats)) {
    const path = `additions.addressFormats.${network}`;
    if (!isObject(format)) throw new TypeError(`${path} must have isAddress and hasMemos`);
    requireKnownOptions(path, format, ADDRESS_FORMAT_NAMES);
    const [name, rule] = addressFormatProblem(format) ?? [];
    if (name !== undefined) throw new TypeError(`${path}.${name} ${rule}`);
  }
  return formats as AddressFormats;
}

/**
 * Reads the option `additions`: names for every list, or the additions of a client.
 *
 * @throws TypeError that says which entry is not valid
 */
export function readAdditions(given: readonly string[] | Additions = []): AcceptedAdditions {
  if (Array.isArray(given)) {
    const names = requireNames('additions', given);
    const isAdded = (name: string) => names.includes(name);
    return { isListed: (_, value) => isAdded(value), isForWallets: isAdded, formats: {} };
  }
  if (!isObject(given)) throw new TypeError('additions must be an array or an object');
  const { addressFormats, ...lists }: Additions = given;
  requireKnownOptions('additions', lists, [...Object.keys(LISTS), 'addressFormats']);
  const formats = addressFormats === undefined ? {} : requireFormats(addressFormats);
  const byList = new Map(
    Object.entries(lists).map(([list, names = []]) => [list, requireNames(list, names)]),
  );
  const names = [...byList.values()].flat();
  return {
    isListed: (list, value) => byList.get(list)?.includes(value) === true,
    isForWallets: (name) => names.includes(name) || Object.hasOwn(formats, name),
    formats,
  };
}

function requireNames(what: string, names: unknown): readonly string[] {
  const areNames = Array.isArray(names) && names.every((name) => typeof name === 'string');
  if (!areNames) throw new TypeError(`${what} must be an array of strings`);
  return names;
}

import { isObject } from '../../contract/formats/is-object.js';
import type { FieldError } from '../../errors/index.js';
import { type Layer, textOf, unpacked } from './error-layers.js';

/** Fields refused by the service, and further sentences. */
export type ErrorItems = { fieldErrors: FieldError[]; details: string[] };

/** Replaces secrets in a name before it is respelled, which would hide them from the search. */
type Redact = (text: string) => string;

const MOST = 50;

/** The fields that hold arrays of refused fields or of sentences. */
const LISTS = ['errors', 'details', 'invalid-params', 'message', 'error', 'detail'] as const;

/** Names under which an item spells its field: the contract's, those of RFC 9457, and common others. */
const FIELD_NAMES = ['field', 'pointer', 'path', 'name', 'param', 'property'] as const;
const MESSAGE_NAMES = ['message', 'detail', 'reason', 'msg'] as const;

const find = (item: Layer, names: readonly string[]): string | undefined =>
  names.map((name) => textOf(item[name])).find((one) => one !== undefined);

/** A JSON pointer such as `#/customCss/panTextColor` in the spelling of the contract, with dots. */
function fieldName(name: string): string {
  if (!/^#?\//.test(name)) return name;
  const parts = name.replace(/^#?\//, '').split('/');
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
}

function pathOf(item: Layer, redact: Redact): string {
  const path = item['path'] ?? item['loc'];
  if (Array.isArray(path)) return path.filter((one) => typeof one !== 'object').join('.');
  return fieldName(redact(find(item, FIELD_NAMES) ?? ''));
}

function addItem(item: unknown, found: ErrorItems, redact: Redact): void {
  const text = textOf(item);
  if (text !== undefined) found.details.push(text);
  if (!isObject(item)) return;
  const field = pathOf(item, redact);
  const message = find(item, MESSAGE_NAMES) ?? '';
  if (field !== '') found.fieldErrors.push({ field, message });
  else if (message !== '') found.details.push(message);
}

/** Adds a map such as `{ email: ['is taken'] }`. An object with a message of its own is a single item. */
function addMap(map: Layer, isOfFields: boolean, found: ErrorItems, redact: Redact): void {
  if (find(map, MESSAGE_NAMES) !== undefined) {
    addItem(map, found, redact);
    return;
  }
  for (const [name, value] of Object.entries(map).slice(0, MOST)) {
    const list: unknown[] = Array.isArray(value) ? value : [value];
    for (const message of list.map(textOf)) {
      if (message === undefined) continue;
      if (isOfFields) found.fieldErrors.push({ field: fieldName(redact(name)), message });
      else found.details.push(`${name}: ${message}`);
    }
  }
}

/** Collects the refused fields and the further sentences of an error body, at most 50 of each. */
export function itemsIn(layers: readonly Layer[], redact: Redact): ErrorItems {
  const found: ErrorItems = { fieldErrors: [], details: [] };
  for (const layer of layers) {
    for (const name of LISTS) {
      const value = unpacked(layer[name]);
      if (Array.isArray(value))
        for (const item of value.slice(0, MOST)) addItem(item, found, redact);
      else if (isObject(value) && (name === 'errors' || name === 'details')) {
        addMap(value, name === 'errors', found, redact);
      } else if (name === 'details' && typeof value === 'string') addItem(value, found, redact);
    }
  }
  return {
    fieldErrors: found.fieldErrors.slice(0, MOST),
    details: [...new Set(found.details)].slice(0, MOST),
  };
}

import { isObject } from '../../contract/formats/is-object.js';
import { REDACTED } from './redact.js';

const DEEPEST = 32;
/** The last part of a path that stands for every field. */
const EVERY = '*';
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Fields that hold secrets, one level at a time. */
type SecretTree = Map<string, SecretTree | true>;

function insert(tree: SecretTree, [head = '', ...rest]: readonly string[]): void {
  const known = tree.get(head) ?? new Map();
  if (rest.length === 0 || known === true) {
    tree.set(head, true);
    return;
  }
  tree.set(head, known);
  insert(known, rest);
}

function toTree(paths: readonly string[]): SecretTree {
  const tree: SecretTree = new Map();
  for (const path of paths) insert(tree, path.split('.'));
  return tree;
}

function printRedacted(value: object, isSecret: (key: string) => boolean): void {
  // A caller's schema may return frozen objects. How they print is up to the caller.
  if (!Object.isExtensible(value)) return;
  const printed = () => {
    const copy: Record<string, unknown> = { ...value };
    for (const key of Object.keys(copy)) {
      if (copy[key] !== undefined && copy[key] !== null && isSecret(key)) copy[key] = REDACTED;
    }
    return copy;
  };
  Object.defineProperty(value, INSPECT, { value: printed, enumerable: false, configurable: true });
}

function concealObject(
  value: unknown,
  tree: SecretTree,
  isSecret: (key: string) => boolean,
  depth = 0,
): void {
  if (depth >= DEEPEST) return;
  if (Array.isArray(value)) {
    for (const one of value) concealObject(one, tree, isSecret, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  if (ArrayBuffer.isView(value)) {
    // Bytes have no names: they are secret as a whole or not at all.
    if (tree.has(EVERY)) Object.defineProperty(value, INSPECT, { value: () => REDACTED });
    return;
  }
  for (const [key, inner] of tree) {
    if (inner instanceof Map) concealObject(value[key], inner, isSecret, depth + 1);
  }
  printRedacted(value, (key) => tree.get(key) === true || tree.has(EVERY) || isSecret(key));
}

/**
 * Makes the secrets of a result print redacted in `console.log`. To the program they stay plain
 * values, `JSON.stringify` included: an image URL must reach the browser that shows it.
 *
 * @param paths - dotted paths of secret fields; `*` at the end stands for every field
 * @param isSecret - whether a field next to them is secret by its name
 */
export function conceal<T>(
  result: T,
  paths: readonly string[],
  isSecret: (key: string) => boolean = () => false,
): T {
  if (paths.length > 0) concealObject(result, toTree(paths), isSecret);
  return result;
}

/** Makes every field with a secret name print redacted, at any depth; see {@link conceal}. */
export function concealNamed<T>(result: T, isSecret: (key: string) => boolean, depth = 0): T {
  if (typeof result !== 'object' || result === null || depth >= DEEPEST) return result;
  // Bytes have no names.
  if (ArrayBuffer.isView(result)) return result;
  for (const one of Object.values(result)) concealNamed(one, isSecret, depth + 1);
  if (!Array.isArray(result) && Object.keys(result).some(isSecret)) printRedacted(result, isSecret);
  return result;
}

import { isObject } from './json.js';
import { REDACTED } from './redact.js';

const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Fields that hold secrets, one level at a time. */
type SecretTree = Map<string, SecretTree | true>;

function toTree(paths: readonly string[]): SecretTree {
  const tree: SecretTree = new Map();
  for (const path of paths) {
    const [head = '', ...rest] = path.split('.');
    tree.set(head, rest.length === 0 ? true : toTree([rest.join('.'), ...leaves(tree.get(head))]));
  }
  return tree;
}

function leaves(tree: SecretTree | true | undefined): string[] {
  return tree instanceof Map ? [...tree.keys()] : [];
}

function concealObject(value: unknown, tree: SecretTree): void {
  if (Array.isArray(value)) {
    for (const one of value) concealObject(one, tree);
    return;
  }
  if (!isObject(value)) return;
  for (const [key, inner] of tree) {
    if (inner instanceof Map) concealObject(value[key], inner);
  }
  const printed = () => {
    const copy: Record<string, unknown> = { ...value };
    for (const [key, inner] of tree) {
      if (inner === true && copy[key] !== undefined && copy[key] !== null) copy[key] = REDACTED;
    }
    return copy;
  };
  Object.defineProperty(value, INSPECT, { value: printed, enumerable: false });
}

/**
 * Makes the secrets of a result print redacted in `console.log`. To the program they stay plain
 * values, `JSON.stringify` included: an image URL has to reach the browser that shows it.
 */
export function conceal<T>(result: T, paths: readonly string[]): T {
  if (paths.length > 0) concealObject(result, toTree(paths));
  return result;
}

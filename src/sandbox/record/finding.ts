import type { BrokenRule } from '../../contract/check.js';
import type { DifferenceKind } from '../../contract/differences.js';

/** The kinds of differences. */
type FindingKind =
  | DifferenceKind
  | 'unknown-endpoint'
  | 'unknown-refusal'
  | 'other-status'
  | 'other-media-type';

/** A difference between an exchange and the contract. Never contains a value of the exchange. */
export type Difference = {
  readonly kind: FindingKind;
  readonly side: 'request' | 'response';
  /** Endpoint id, or method and path of an unknown endpoint. */
  readonly operation: string;
  /**
   * Where: a dotted path with `*` for positions in lists, a header, a query field or a status. Empty for
   * the whole message.
   */
  readonly path: string;
  readonly message: string;
};

/** A difference whose operation is known to the caller. */
export type Finding = Omit<Difference, 'operation' | 'side'>;

const TYPE_RULE =
  /^must be (?:a string|an object|an array|true or false|a finite number|a whole number)/;

/** Whether a value has something at a dotted path. `null` counts: it is a value of another type. */
function has(value: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return value !== undefined;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
  return has(Reflect.get(value, name), rest);
}

/** Returns the difference of a field that the contract does not have. */
export const unknownField = (path: string): Finding => ({
  kind: 'unknown-field',
  path,
  message: 'the contract has no such field',
});

/** Returns a broken rule of a request as a difference. */
export function findingOf({ path, message }: BrokenRule, value: unknown): Finding {
  if (path !== '' && !has(value, path.split('.'))) {
    return { kind: 'missing-field', path, message: 'the contract requires this field' };
  }
  const kind = TYPE_RULE.test(message) ? 'other-type' : 'other-format';
  return { kind, path, message };
}

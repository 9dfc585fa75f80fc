import { readFileSync } from 'node:fs';
import type { NodeFailure } from './failing-node.js';

/** What a library threw after a failure, as plain data. */
export type RecordedError = {
  readonly library: string;
  readonly version: string;
  readonly failure: NodeFailure;
  /** `undefined` when the library threw nothing. */
  readonly error: unknown;
};

const MAX_DEPTH = 8;
const MAX_ITEMS = 60;
/** Different in each run, or what was sent. */
const LEFT_OUT = ['stack', 'payload', 'transaction', 'requestBody', 'metaMessages'];

/**
 * Copies an error as plain data: its own fields, also those that `JSON.stringify` leaves out, the
 * name, and the name of its class. The port and stack differ in each run.
 */
export function describeError(value: unknown, depth = 0, seen: readonly object[] = []): unknown {
  if (typeof value === 'string') return value.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8545');
  if (typeof value === 'bigint') return `${value}`;
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
  }
  if (depth > MAX_DEPTH || seen.includes(value)) return undefined;
  const inner = [...seen, value];
  if (Array.isArray(value)) {
    return value.slice(0, MAX_ITEMS).map((item) => describeError(item, depth + 1, inner));
  }
  if (ArrayBuffer.isView(value)) return undefined;
  const names = new Set([
    ...Object.getOwnPropertyNames(value),
    ...(value instanceof Error ? ['name', 'message'] : []),
  ]);
  for (const name of LEFT_OUT) names.delete(name);
  const fields = [...names].map((name) => [
    name,
    describeError(Reflect.get(value, name), depth + 1, inner),
  ]);
  const kind = value instanceof Error ? { class: value.constructor.name } : {};
  return { ...kind, ...Object.fromEntries(fields.filter(([, field]) => field !== undefined)) };
}

/** Reads the errors that `npm run record:errors` has recorded. */
export function readRecordedErrors(chain: 'evm' | 'solana'): RecordedError[] {
  const url = new URL(`../fixtures/library-errors/${chain}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as RecordedError[];
}

import type { SuccessResult } from '../../index.js';
import { flag, isRecord, object, seen } from './rule.js';
import { schemaOf } from './schema.js';

const fields = object<{ success?: boolean }>({ success: seen(flag) });

/** An empty response, which the client reads as `{}`, or one that says `success: true`. */
function saysDone(value: unknown): boolean {
  return isRecord(value) && (value['success'] === true || Object.keys(value).length === 0);
}

/** `{ success: true }` or nothing, the response to a command that moves no money. */
export const command = schemaOf(
  { ...fields, check: (value) => (saysDone(value) ? [] : [['success']]) },
  (value) => value as SuccessResult,
);

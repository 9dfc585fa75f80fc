import type { SuccessResult } from '../common.js';
import { flag, optional, responseBody } from '../fields.js';
import { isObject } from '../formats/is-object.js';
import { schemaOf } from './schema.js';

/** An empty response, which the client reads as `{}`, or one that says `success: true`. */
function saysDone(value: unknown): boolean {
  return isObject(value) && (value['success'] === true || Object.keys(value).length === 0);
}

/** `{ success: true }` or nothing, the response to a command that moves no money. */
export const command = schemaOf(
  responseBody({ success: optional(flag) }),
  {
    '~standard': {
      version: 1,
      vendor: 'card-platform-sdk',
      validate: (value) =>
        saysDone(value) ? { value } : { issues: [{ message: 'must be true', path: ['success'] }] },
    },
  },
  (value) => value as SuccessResult,
);

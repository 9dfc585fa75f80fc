import { flag, maybe, responseBody } from '../../contract/fields.js';
import { isObject } from '../../contract/formats/is-object.js';
import type { SuccessResult } from '../../index.js';
import { schemaOf } from './schema.js';

/** An empty response, which the client reads as `{}`, or one that says `success: true`. */
function saysDone(value: unknown): boolean {
  return isObject(value) && (value['success'] === true || Object.keys(value).length === 0);
}

/** `{ success: true }` or nothing, the response to a command that moves no money. */
export const command = /* @__PURE__ */ schemaOf(
  responseBody({ success: maybe(flag) }),
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

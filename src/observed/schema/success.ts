import type { SuccessResult } from '../../index.js';
import { flag, object, seen } from './rule.js';
import { schemaOf } from './schema.js';

/**
 * `{ success }`, the response to a command. Any other 2xx means done, because the client refuses
 * `success: false` before this reads it.
 */
export const command = schemaOf(
  object<{ success?: boolean }>({ success: seen(flag) }),
  (value): SuccessResult => ({ ...(value as object), success: true }),
);

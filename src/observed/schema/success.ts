import type { SuccessResult } from '../../index.js';
import { flag, object, seen } from './rule.js';
import { readResponse } from './schema.js';

/**
 * `{ success }`, the response to a command. A 2xx that does not say otherwise means done; the client
 * refuses `success: false` before this reads it.
 */
export const command = readResponse(
  object<{ success?: boolean }>({ success: seen(flag) }),
  (value): SuccessResult => ({ ...(value as object), success: true }),
);

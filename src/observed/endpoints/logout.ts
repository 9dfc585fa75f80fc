import { defineEndpoint } from '../../endpoints/index.js';
import { noInput } from '../schema/schema.js';
import { command } from '../schema/success.js';

/** POST /v1/auth/logout (certainty high) */
export const logout = /* @__PURE__ */ defineEndpoint({
  id: 'auth.logout',
  method: 'POST',
  path: '/v1/auth/logout',
  pageAccess: 'on-request',
  retry: 'idempotent',
  input: noInput,
  sendsBody: false,
  output: command,
  mayBeEmpty: true,
  renewsToken: false,
  resultWhenRetried: { 401: { resolvedByRetry: true } },
  errors: [401],
});

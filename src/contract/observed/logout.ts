import { defineEndpoint } from '../define-endpoint.js';
import { command, noInput } from './schema.js';

/** POST /v1/auth/logout (certainty high) */
export const logout = defineEndpoint({
  id: 'auth.logout',
  certainty: 'high',
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

import type { Endpoint } from '../../contract/endpoint.js';
import { flag, list, maybe, responseBody, text } from '../../contract/fields.js';
import { isObject } from '../../contract/formats/is-object.js';
import type { Body } from './exchange.js';

const consentError = responseBody({ error: text, details: maybe(list(text)) });
const commonError = responseBody({
  message: text,
  errors: maybe(list(responseBody({ field: text, message: text }))),
  isOtpRequired: maybe(flag),
});
const oauthError = responseBody({ error: text, error_description: maybe(text) });

/** The schemas of the error bodies of the contract and the observed calls. */
export const ERROR_SCHEMAS = [commonError, consentError, oauthError];

/** The codes of errors in OAuth (RFC 6749, sections 4.1.2.1 and 5.2). */
export const OAUTH_CODES: ReadonlySet<string> = new Set([
  'access_denied',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
]);

/** Returns the schema of the error bodies of an endpoint. An OAuth call has either form. */
export function errorSchemaOf({ id }: Endpoint, body: Body) {
  if (id.startsWith('consent.')) return consentError;
  const isPair = 'json' in body && isObject(body.json) && 'error' in body.json;
  return isPair && id.startsWith('auth.oauth') ? oauthError : commonError;
}

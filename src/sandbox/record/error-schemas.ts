import type { Endpoint } from '../../contract/endpoint.js';
import { flag, list, maybe, responseBody, text } from '../../contract/fields.js';

const consentError = responseBody({ error: text, details: maybe(list(text)) });
const commonError = responseBody({
  message: text,
  errors: maybe(list(responseBody({ field: text, message: text }))),
  isOtpRequired: maybe(flag),
});

/** The schemas of the error bodies that the contract documents. */
export const ERROR_SCHEMAS = [commonError, consentError];

/** Returns the schema of the error bodies of an endpoint. */
export function errorSchemaOf({ id }: Endpoint) {
  return id.startsWith('consent.') ? consentError : commonError;
}

import { NO_INPUT } from './define-endpoint.js';
import { type Credential, type Endpoint, placeholdersIn } from './endpoint.js';
import { RECOGNISED_ERRORS } from './recognised-errors.js';

const KEY_REFUSED = [498, 499] as const;

/** The statuses that refuse a missing, wrong or insufficient credential. */
export const REFUSED_CREDENTIAL: Readonly<Record<Credential, readonly number[]>> = {
  clientKey: KEY_REFUSED,
  clientId: KEY_REFUSED,
  secretKey: [401],
  accessToken: [401, 403],
};

const INVALID_INPUT = [400, 422];

/**
 * Returns the error statuses of an endpoint: those that the contract documents, and those that follow
 * from the rest of its declaration. Credentials are refused alike everywhere and are not among them.
 */
export function errorStatusesOf(endpoint: Endpoint): readonly number[] {
  const { id, errors, businessErrors, input, path } = endpoint;
  const refusals = businessErrors.map(({ status }) => status);
  const recognised = RECOGNISED_ERRORS.filter(
    ({ endpoints }) => endpoints !== '*' && endpoints.some((one) => one === id),
  ).flatMap(({ statuses }) => statuses);
  // If the contract does not document how an input is refused, either status is possible.
  const isSilent = input !== NO_INPUT && !INVALID_INPUT.some((status) => errors.includes(status));
  const invalid = isSilent ? INVALID_INPUT : [];
  const notFound = placeholdersIn(path).length > 0 ? [404] : [];
  return [...new Set([...errors, ...refusals, ...recognised, ...invalid, ...notFound])];
}

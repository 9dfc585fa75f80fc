import type { BusinessErrorCode } from '../../../src/contract/business-errors.js';
import { NO_INPUT } from '../../../src/contract/define-endpoint.js';
import type { Endpoint } from '../../../src/contract/endpoint.js';
import { placeholdersIn } from '../../../src/contract/placeholders.js';
import { RECOGNISED_ERRORS } from '../../../src/contract/recognised-errors.js';

/** The status of each documented refusal, or our choice if the contract documents none. */
const STATUS_OF_REFUSAL: Readonly<Record<BusinessErrorCode, number>> = {
  card_already_frozen: 400,
  card_not_frozen: 400,
  card_not_found: 404,
  user_already_has_card: 400,
  card_type_required: 422,
  insufficient_balance: 400,
  no_external_wallet: 400,
  amount_not_positive: 400,
  withdrawals_not_allowed: 400,
  invalid_recipient_address: 400,
  invalid_network_or_currency: 422,
  max_linked_wallets: 400,
  invalid_evm_address: 422,
  invalid_solana_address: 422,
  webhook_not_found: 404,
  webhook_url_not_https: 400,
  notification_service_not_configured: 503,
  not_authenticated: 401,
  not_authorized: 403,
  wallet_already_approved: 422,
  no_phone_number: 400,
  custodial_platform_required: 403,
};

const INVALID_INPUT = [400, 422];

/**
 * Returns the error statuses of an endpoint: those that the contract documents, and those that follow
 * from the rest of its declaration. Credentials are refused alike everywhere and are not among them.
 */
export function errorStatusesOf(endpoint: Endpoint): readonly number[] {
  const { id, errors, businessErrors, input, path } = endpoint;
  const refusals = businessErrors.map((code) => STATUS_OF_REFUSAL[code]);
  const recognised = RECOGNISED_ERRORS.filter(
    ({ endpoints }) => endpoints !== '*' && endpoints.some((one) => one === id),
  ).flatMap(({ statuses }) => statuses);
  // If the contract does not document how an input is refused, either status is possible.
  const isSilent = input !== NO_INPUT && !INVALID_INPUT.some((status) => errors.includes(status));
  const invalid = isSilent ? INVALID_INPUT : [];
  const notFound = placeholdersIn(path).length > 0 ? [404] : [];
  return [...new Set([...errors, ...refusals, ...recognised, ...invalid, ...notFound])];
}

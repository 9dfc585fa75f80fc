/**
 * The refusals whose messages the contract documents, each with a stable code. A message must match
 * as a whole, ignoring case, and only for the endpoints that document it: a longer sentence that
 * contains it may mean something else.
 */
export const BUSINESS_ERRORS = {
  card_already_frozen: ['card is already frozen'],
  card_not_frozen: ['card is not frozen'],
  card_not_found: ['card not found'],
  user_already_has_card: ['user already has a card'],
  card_type_required: ['type field is required'],
  insufficient_balance: ['insufficient balance', 'insufficient balance for withdrawal'],
  no_external_wallet: ['no external wallet registered'],
  amount_not_positive: ['amount must be a positive number'],
  withdrawals_not_allowed: ['withdrawals are not allowed for this wallet'],
  invalid_recipient_address: ['invalid recipient address format'],
  invalid_network_or_currency: ['invalid network or currency combination'],
  max_linked_wallets: ['maximum 5 wallets can be linked'],
  invalid_evm_address: ['invalid evm address format'],
  invalid_solana_address: ['invalid solana address format'],
  webhook_not_found: ['webhook config not found'],
  webhook_url_not_https: ['url must be an https url'],
  notification_service_not_configured: [
    'notification service is not configured for this environment',
    'notification service is not configured',
  ],
  not_authenticated: ['not authenticated'],
  not_authorized: ['not authorized'],
  wallet_already_approved: ['wallet already approved'],
  no_phone_number: ['user has no phone number'],
  custodial_platform_required: ['only available for custodial'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

/** Code of a refusal that the contract documents. */
export type BusinessErrorCode = keyof typeof BUSINESS_ERRORS;

/** The status of each documented refusal, or our choice where the contract documents none. */
export const STATUS_OF_REFUSAL: Readonly<Record<BusinessErrorCode, number>> = {
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

// Only a part of this message is known, so a message that contains it counts.
const SEEN_IN_PART: readonly BusinessErrorCode[] = ['custodial_platform_required'];

function statesRefusal(text: string, code: BusinessErrorCode): boolean {
  const known: readonly string[] = BUSINESS_ERRORS[code];
  if (SEEN_IN_PART.includes(code)) return known.some((part) => text.includes(part));
  return known.includes(text);
}

/**
 * Finds the documented refusal that one of the messages states.
 *
 * @param texts - the messages of the service
 * @param documented - the codes that the endpoint documents
 */
export function businessErrorIn(
  texts: readonly string[],
  documented: readonly BusinessErrorCode[],
): BusinessErrorCode | undefined {
  const plain = texts.map((text) => text.trim().toLowerCase().replace(/\.$/, ''));
  return documented.find((code) => plain.some((text) => statesRefusal(text, code)));
}

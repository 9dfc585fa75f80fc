/**
 * The refusals that the contract documents in words, each with a stable code. A text is recognised
 * anywhere in the service's message, whatever its case.
 */
export const BUSINESS_ERRORS = {
  card_already_frozen: 'card is already frozen',
  card_not_frozen: 'card is not frozen',
  card_not_found: 'card not found',
  user_already_has_card: 'user already has a card',
  card_type_required: 'type field is required',
  insufficient_balance: 'insufficient balance',
  no_external_wallet: 'no external wallet registered',
  amount_not_positive: 'amount must be a positive number',
  withdrawals_not_allowed: 'withdrawals are not allowed for this wallet',
  invalid_recipient_address: 'invalid recipient address format',
  invalid_network_or_currency: 'invalid network or currency combination',
  max_linked_wallets: 'maximum 5 wallets can be linked',
  invalid_evm_address: 'invalid evm address format',
  invalid_solana_address: 'invalid solana address format',
  webhook_not_found: 'webhook config not found',
  webhook_url_not_https: 'url must be an https url',
  notification_service_not_configured: 'notification service is not configured',
  not_authenticated: 'not authenticated',
  not_authorized: 'not authorized',
  wallet_already_approved: 'wallet already approved',
  no_phone_number: 'user has no phone number',
  custodial_platform_required: 'only available for custodial',
} as const;

/** Stable code of a documented refusal. */
export type BusinessErrorCode = keyof typeof BUSINESS_ERRORS;

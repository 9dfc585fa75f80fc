import type { RefusalCode } from '../contract/recognised-errors.js';

/** Codes of `ApiError`: a refusal that is known by name, or else the status. */
export type ApiErrorCode =
  | RefusalCode
  | 'otp_required'
  | 'bad_request'
  | 'not_authenticated'
  | 'not_authorized'
  | 'not_found'
  | 'conflict'
  | 'validation_failed'
  | 'rate_limited'
  | 'invalid_client_key'
  | 'missing_client_key'
  | 'server_error'
  | 'api_error';

/** Codes of `OperationRejectedError`: a refusal that is known by name, or the general one. */
export type OperationRejectedCode = RefusalCode | 'operation_rejected';

/** Codes of `ConnectionError`. */
export type ConnectionErrorCode = 'connection_failed' | 'tls_failed';

/** Codes of `ProtocolError`. */
export type ProtocolErrorCode =
  | 'response_invalid'
  | 'response_too_large'
  | 'body_unreadable'
  | 'fetch_response_invalid'
  | 'redirect_refused';

/** Why a webhook delivery was not accepted. */
export type WebhookVerificationCode =
  | 'webhook_body_not_raw'
  | 'webhook_body_too_large'
  | 'webhook_header_missing'
  | 'webhook_timestamp_invalid'
  | 'webhook_timestamp_outside_tolerance'
  | 'webhook_signature_invalid'
  | 'webhook_payload_invalid';

/** Codes of `ChainError`: what can go wrong in a delegation. */
export type ChainErrorCode =
  | 'user_rejected'
  | 'wrong_chain'
  | 'signer_mismatch'
  | 'unsupported_signature'
  | 'nonce_not_allowed'
  | 'insufficient_funds'
  | 'approval_would_revert'
  | 'token_decimals_differ'
  | 'spender_without_code'
  | 'wallet_failed'
  | 'prompt_timeout'
  | 'chain_unreadable'
  | 'chain_config_unusable'
  | 'clock_unusable'
  | 'approval_unknown'
  | 'approval_mismatch'
  | 'allowance_raced'
  | 'transaction_reverted'
  | 'transaction_replaced'
  | 'transaction_cancelled'
  | 'transaction_expired'
  | 'transaction_refused'
  | 'delegate_in_use'
  | 'token_unusable'
  | 'token_account_unusable'
  | 'confirmation_timeout'
  | 'delegation_token_expired'
  | 'delegation_in_progress'
  | 'delegation_not_saved'
  | 'state_mismatch'
  | 'proof_unknown'
  | 'proof_refused'
  | 'limit_not_updated'
  | 'revocation_not_registered'
  | 'spender_not_confirmed';

/** Codes of `SessionError`: why a session provides no token. */
export type SessionErrorCode =
  | 'session_ended'
  | 'session_not_renewed'
  | 'session_store_failed'
  | 'session_mismatch';

/** Codes of `OAuthError`: why a login with OAuth stopped. */
export type OAuthErrorCode =
  | 'oauth_refused'
  | 'oauth_state_mismatch'
  | 'oauth_redirect_invalid'
  | 'oauth_redirect_error';

/**
 * Every code that an error of this package can have: the list is closed, and no code comes from the
 * service. `docs/reference/error-catalogue.md` explains each one.
 */
export type ErrorCode =
  | ApiErrorCode
  | ConnectionErrorCode
  | ProtocolErrorCode
  | WebhookVerificationCode
  | ChainErrorCode
  | SessionErrorCode
  | OAuthErrorCode
  | OperationRejectedCode
  | 'configuration_invalid'
  | 'request_invalid'
  | 'timeout'
  | 'journal_failed'
  | 'mutation_restored'
  | 'pagination_stuck';

import type { ChainErrorCode } from 'card-platform-sdk';
import { type ChainError, isChainError } from 'card-platform-sdk/evm';

/**
 * The message that the page shows at the end of a delegation, by the code of the error. A new code
 * does not compile without a message. The texts are those of the table in
 * docs/own-wallet/evm-delegation.md.
 */
export const DELEGATION_MESSAGES: Readonly<Record<ChainErrorCode, string>> = {
  user_rejected: 'You declined in your wallet. Continue when you are ready.',
  wrong_chain: 'Your wallet is on another network. Switch it to Linea, then continue.',
  signer_mismatch: 'Another account signed. Choose the account that you started with.',
  unsupported_signature: 'This kind of wallet is not supported yet. Use another one.',
  nonce_not_allowed: 'Something went wrong on our side. Please try again.',
  insufficient_funds: 'Your wallet lacks coins for the network fee. Add some, then continue.',
  approval_would_revert: 'This token cannot be approved with this wallet now.',
  token_decimals_differ: 'Something went wrong on our side. Please try again later.',
  spender_without_code: 'Something went wrong on our side. Please try again later.',
  wallet_failed: 'Your wallet reported an error. Open it, then continue.',
  prompt_timeout: 'Your wallet does not respond. Open it, check its connection, then continue.',
  chain_unreadable: 'The network cannot be read right now. Continue later: nothing is lost.',
  chain_config_unusable: 'Something went wrong on our side. Please try again later.',
  clock_unusable: 'Something went wrong in this page. Reload it, then continue.',
  approval_unknown: 'Check in your wallet whether an approval was sent, then continue.',
  approval_mismatch: 'Something else was approved. Revoke it in your wallet, and contact us.',
  allowance_raced: 'The limit was changed elsewhere. Check your wallet, then start again.',
  transaction_reverted: 'The approval failed, and the network fee was paid. Continue to try again.',
  transaction_replaced: 'You replaced the approval with something else. Continue to try again.',
  transaction_cancelled: 'You cancelled the approval. Continue to try again.',
  transaction_expired: 'The network was busy, and nothing was paid. Continue to approve again.',
  transaction_refused: 'The approval would have failed, so it was not sent. Please try again.',
  delegate_in_use: 'Another app may spend from this account. Replace it?',
  token_unusable: 'Something went wrong on our side. Please try again later.',
  token_account_unusable: 'This wallet cannot be used for this token.',
  confirmation_timeout: 'The network is slow. Continue later: nothing is lost.',
  delegation_token_expired: 'That took too long. Continue: you only sign once more.',
  delegation_in_progress: 'Finish the other delegation first, here or in another tab.',
  state_mismatch: 'This does not fit what you started. Use the same wallet and account.',
  proof_unknown: 'We do not know yet whether your wallet was registered. Continue to check.',
  proof_refused: 'Your wallet was not registered. Continue to try again, or contact us.',
  limit_not_updated: 'Your new limit is not active yet. Continue later to check again.',
  revocation_not_registered:
    'Nothing can be spent any more. The card may still show the old limit.',
  spender_not_confirmed: 'Something changed since you looked. Please start again.',
};

/** The message that the page shows when the service refused the proof of an approval. */
export const NOT_REGISTERED = 'Your wallet was not registered. Continue, or contact us.';

/** Returns the message for the error that ended a delegation or a revocation. */
export function delegationMessage(error: ChainError): string {
  if (isChainError(error, 'approval_mismatch') && error.approvedAmount !== undefined) {
    return `You approved ${error.approvedAmount} USDC in your wallet. Continue to use that limit.`;
  }
  return DELEGATION_MESSAGES[error.code];
}

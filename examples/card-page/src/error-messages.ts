import { isCardPlatformError } from 'card-platform-sdk';
import { isChainError, say } from 'card-platform-sdk/evm';

/** Messages for users, by the stable code of an error. */
const MESSAGES: Readonly<Record<string, string>> = {
  card_already_frozen: 'The card is already frozen.',
  card_not_frozen: 'The card is not frozen.',
  user_already_has_card: 'You already have a card.',
  insufficient_balance: 'That is more than you have. Nothing was withdrawn.',
  no_external_wallet: 'Connect your own wallet first: withdrawals go there.',
  withdrawals_not_allowed: 'Withdrawals are not allowed for this wallet.',
  max_linked_wallets: 'At most five wallets can pay for the card.',
};

/** Messages by outcome, for codes without a message of their own. */
const OUTCOMES: Readonly<Record<string, string>> = {
  not_sent: 'Nothing was sent. Please try again.',
  rejected: 'That was refused. Nothing was changed.',
  unknown: 'We do not know whether that was done. Check before you try again.',
  executed: 'That was done, but we could not read the response. Reload the page.',
};

/** Returns a message for the user. The message of an error itself is for developers. */
export function messageFor(error: unknown): string {
  if (isChainError(error)) return say(error);
  if (!isCardPlatformError(error)) return 'Something went wrong in this page. Reload it.';
  if (error.name === 'RequestValidationError') return `Please correct this: ${rulesOf(error)}`;
  if (error.name === 'AuthenticationError') return 'Your session has ended. Log in again.';
  return MESSAGES[error.code] ?? OUTCOMES[error.outcome] ?? 'That did not work.';
}

function rulesOf(error: object): string {
  const { issues = [] } = error as { issues?: readonly { path: string; message: string }[] };
  return issues.map(({ path, message }) => `${path} ${message}`).join('; ');
}

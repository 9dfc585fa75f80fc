import { isCardPlatformError } from 'card-platform-sdk';
import { isChainError } from 'card-platform-sdk/evm';

/** What the user is told, by the stable code of an error. */
const WORDS: Readonly<Record<string, string>> = {
  card_already_frozen: 'The card is frozen already.',
  card_not_frozen: 'The card is not frozen.',
  user_already_has_card: 'You have a card already.',
  insufficient_balance: 'That is more than you have. Nothing was withdrawn.',
  no_external_wallet: 'Connect a wallet of your own first: withdrawals go there.',
  withdrawals_not_allowed: 'Withdrawals are not allowed for this wallet.',
  max_linked_wallets: 'At most five wallets can pay for the card.',
  user_rejected: 'You declined in your wallet. Continue when you are ready: nothing was paid.',
  insufficient_funds: 'Your wallet lacks coins for the network fee. Add some, then continue.',
  confirmation_timeout: 'The network is slow. Continue later: nothing is lost.',
  delegation_token_expired:
    'That took too long. Continue: you sign once more, and pay nothing again.',
  proof_unknown: 'We do not know yet whether your wallet was registered. Continue to check.',
  approval_unknown: 'Look into your wallet: was an approval sent? Then continue.',
};

/** What is known of the effect, where no code says more. */
const OUTCOMES: Readonly<Record<string, string>> = {
  not_sent: 'Nothing was sent. Please try again.',
  rejected: 'That was refused. Nothing was changed.',
  unknown: 'We do not know whether that was done. Look before you try again.',
  executed: 'That was done, but we could not read the answer. Reload the page.',
};

/** What happened, in words for the user. The text of an error itself is for developers. */
export function wordsFor(error: unknown): string {
  if (isChainError(error, 'wrong_chain')) return 'Switch your wallet to Linea, then continue.';
  if (!isCardPlatformError(error)) return 'Something went wrong in this page. Reload it.';
  if (error.name === 'RequestValidationError') return `Please correct this: ${rulesOf(error)}`;
  if (error.name === 'AuthenticationError') return 'Your session has ended. Log in again.';
  return WORDS[error.code] ?? OUTCOMES[error.outcome] ?? 'That did not work.';
}

function rulesOf(error: object): string {
  const { issues = [] } = error as { issues?: readonly { path: string; message: string }[] };
  return issues.map(({ path, message }) => `${path} ${message}`).join('; ');
}

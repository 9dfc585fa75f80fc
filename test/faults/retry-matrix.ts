/**
 * Section B of the reliability requirements, written by hand: the number of requests that may reach
 * the service in one call when a fault persists. It is not derived from src/contract, because it
 * checks src/contract.
 */
export type MatrixRow = {
  id: string;
  class: 'safe' | 'idempotent' | 'issues-token' | 'never';
  /** Attempts when the connection is refused and the runtime proves it. */
  connect: number;
  /** Requests after a reset, after a timeout that follows the request, and after 408. */
  noResponse: number;
  on500: number;
  on502: number;
  on503: number;
  on504: number;
  on429: number;
};

const safe = {
  class: 'safe',
  connect: 3,
  noResponse: 3,
  on500: 3,
  on502: 3,
  on503: 3,
  on504: 3,
  on429: 3,
} as const;
const idempotent = {
  class: 'idempotent',
  connect: 3,
  noResponse: 2,
  on500: 2,
  on502: 2,
  on503: 2,
  on504: 2,
  on429: 2,
} as const;
const never = {
  class: 'never',
  connect: 3,
  noResponse: 1,
  on500: 1,
  on502: 1,
  on503: 1,
  on504: 1,
  on429: 1,
} as const;
const consent = { ...idempotent, on500: 1 } as const;
const cardToken = {
  ...idempotent,
  class: 'issues-token',
  noResponse: 1,
  on500: 1,
  on502: 1,
  on504: 1,
} as const;

export const RETRY_MATRIX: readonly MatrixRow[] = [
  { id: 'auth.login', ...never, connect: 2 },
  { id: 'delegation.getToken', ...idempotent, class: 'issues-token' },
  { id: 'delegation.submitEvmApproval', ...never },
  { id: 'delegation.submitSolanaApproval', ...never },
  { id: 'card.order', ...never },
  { id: 'card.status', ...safe },
  { id: 'card.freeze', ...idempotent },
  { id: 'card.unfreeze', ...never },
  { id: 'card.createDetailsToken', ...cardToken },
  { id: 'card.createPinToken', ...cardToken },
  { id: 'card.createSetPinToken', ...cardToken },
  { id: 'wallets.credit.withdraw', ...never },
  { id: 'wallets.internal.withdraw', ...never },
  { id: 'wallets.internal.list', ...safe },
  { id: 'wallets.internal.create', ...never },
  { id: 'wallets.internal.linkToCard', ...never },
  { id: 'wallets.history.list', ...safe },
  { id: 'orders.create', ...never },
  { id: 'consent.createOnboarding', ...consent },
  { id: 'consent.linkUser', ...consent },
  { id: 'referral.get', ...safe },
  { id: 'user.startVerification', ...idempotent, class: 'issues-token', noResponse: 1, on500: 1 },
  { id: 'webhooks.update', ...idempotent },
  { id: 'webhooks.rotateKey', ...never },
  { id: 'webhooks.delete', ...idempotent },
];

/** `delegation.getToken` with a faucet, which is a GET with a side effect. */
export const FAUCET_ROW: MatrixRow = { id: 'delegation.getToken', ...never };

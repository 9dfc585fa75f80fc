/**
 * Section B of the reliability requirements, written down by hand: how many requests may reach the
 * service in one call when a fault does not end. Not read from src/contract, which it checks.
 */
export type MatrixRow = {
  id: string;
  class: 'safe' | 'idempotent' | 'issues-token' | 'never';
  /** Attempts when the connection is refused and the runtime proves it. */
  connect: number;
  /** After a reset or a timeout once the request was sent, and 408. */
  noResponse: number;
  on500: number;
  on502: number;
  on503: number;
  on504: number;
  on429: number;
};

const read = {
  class: 'safe',
  connect: 3,
  noResponse: 3,
  on500: 3,
  on502: 3,
  on503: 3,
  on504: 3,
  on429: 3,
} as const;
const same = {
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
const consent = { ...same, on500: 1 } as const;
const cardToken = {
  ...same,
  class: 'issues-token',
  noResponse: 1,
  on500: 1,
  on502: 1,
  on504: 1,
} as const;

export const RETRY_MATRIX: readonly MatrixRow[] = [
  { id: 'auth.login', ...never, connect: 2 },
  { id: 'delegation.getToken', ...same, class: 'issues-token' },
  { id: 'delegation.submitEvmApproval', ...never },
  { id: 'delegation.submitSolanaApproval', ...never },
  { id: 'card.order', ...never },
  { id: 'card.status', ...read },
  { id: 'card.freeze', ...same },
  { id: 'card.unfreeze', ...never },
  { id: 'card.createDetailsToken', ...cardToken },
  { id: 'card.createPinToken', ...cardToken },
  { id: 'card.createSetPinToken', ...cardToken },
  { id: 'wallets.credit.withdraw', ...never },
  { id: 'wallets.internal.withdraw', ...never },
  { id: 'wallets.internal.list', ...read },
  { id: 'wallets.internal.create', ...never },
  { id: 'wallets.internal.linkToCard', ...never },
  { id: 'wallets.history.list', ...read },
  { id: 'orders.create', ...never },
  { id: 'consent.createOnboarding', ...consent },
  { id: 'consent.linkUser', ...consent },
  { id: 'referral.get', ...read },
  { id: 'user.startVerification', ...same, class: 'issues-token', noResponse: 1, on500: 1 },
  { id: 'webhooks.update', ...same },
  { id: 'webhooks.rotateKey', ...never },
  { id: 'webhooks.delete', ...same },
];

/** `delegation.getToken` with a faucet: a GET with an effect. */
export const FAUCET_ROW: MatrixRow = { id: 'delegation.getToken', ...never };

import { CONTRACT_ROWS, type ContractRow } from '../support/contract-rows.js';

/**
 * Section B of the reliability requirements: the number of requests that may reach the service in
 * one call when a fault persists. It is not derived from src/contract, because it checks
 * src/contract: the class of an endpoint is that of the contract as data, and what the requirements
 * decide otherwise for an endpoint is written here by hand.
 */
export type MatrixRow = {
  id: string;
  class: ContractRow['retryClass'];
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

type Requests = Omit<MatrixRow, 'id' | 'class'>;

const all = (requests: number): Omit<Requests, 'connect'> => ({
  noResponse: requests,
  on500: requests,
  on502: requests,
  on503: requests,
  on504: requests,
  on429: requests,
});

const OF_CLASS: Readonly<Record<MatrixRow['class'], Requests>> = {
  safe: { connect: 3, ...all(3) },
  idempotent: { connect: 3, ...all(2) },
  'issues-token': { connect: 3, ...all(2) },
  never: { connect: 3, ...all(1) },
};

/** A live URL to card secrets: each retry leaves one more. */
const cardToken = { noResponse: 1, on500: 1, on502: 1, on504: 1 };

const EXCEPTIONS: Readonly<Record<string, Partial<Requests>>> = {
  // Attempts count toward a lockout.
  'auth.login': { connect: 2 },
  'card.createDetailsToken': cardToken,
  'card.createPinToken': cardToken,
  'card.createSetPinToken': cardToken,
  // A 500 may hide that the consent exists.
  'consent.createOnboarding': { on500: 1 },
  'consent.linkUser': { on500: 1 },
  // Sessions may be billed.
  'user.startVerification': { noResponse: 1, on500: 1 },
};

/** The endpoints that the contract documents. */
export const RETRY_MATRIX: readonly MatrixRow[] = CONTRACT_ROWS.filter(
  ({ contract }) => contract,
).map(({ id, retryClass }) => ({
  id,
  class: retryClass,
  ...OF_CLASS[retryClass],
  ...EXCEPTIONS[id],
}));

/** The endpoints that differ from their class. */
export const EXCEPTIONAL: readonly string[] = Object.keys(EXCEPTIONS);

/** `delegation.getToken` with a faucet, which is a GET with a side effect. */
export const FAUCET_ROW: MatrixRow = {
  id: 'delegation.getToken',
  class: 'never',
  ...OF_CLASS.never,
};

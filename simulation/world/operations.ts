import type { EndpointId } from '../../src/contract/endpoints.js';
import type { RetryClass } from '../../src/contract/retry-policy.js';
import type { MockState, MockUser } from '../../src/testing/state.js';
import type { Random } from '../engine/random.js';

type Input = Readonly<Record<string, unknown>>;

/** A call that applications make. */
export type Operation = {
  readonly id: EndpointId;
  readonly retryClass: RetryClass;
  /** How often it is drawn. */
  readonly weight: number;
  /** Its input; `undefined` if it takes none, `null` if it makes no sense for this user now. */
  input(user: MockUser, random: Random, state: MockState): Input | undefined | null;
  /** The part of the platform's state that it changes. */
  ledger(user: MockUser, state: MockState): unknown;
  /** Whether a proxy refuses to pass it on. */
  isServerOnly?: true;
};

const RECIPIENT = `0x${'ab'.repeat(20)}`;
/** Only a few different amounts, so that equal requests occur; spelled in different ways. */
const AMOUNTS = ['1', '1', '1.0', '2', '2.50'];
const none = () => undefined;
const nothing = () => 0;

const never = (
  id: EndpointId,
  weight: number,
  input: Operation['input'],
  ledger: Operation['ledger'],
): Operation => ({ id, retryClass: 'never', weight, input, ledger });

const read = (id: EndpointId, weight: number, input: Operation['input'] = none): Operation => ({
  id,
  retryClass: 'safe',
  weight,
  input,
  ledger: nothing,
});

const card = (user: MockUser) => `${user.card?.id} ${user.card?.status}`;

/** The user's own wallets that are linked or can be linked. */
const walletOf = (user: MockUser, random: Random) =>
  user.internalWallets.length === 0 ? undefined : random.pick(user.internalWallets);

/** Every operation of the simulated applications. */
export const OPERATIONS: readonly Operation[] = [
  never(
    'wallets.credit.withdraw',
    12,
    (_, random) => ({ amount: random.pick(AMOUNTS) }),
    (user) => user.transactions[user.creditWallet.id]?.length ?? 0,
  ),
  never(
    'wallets.internal.withdraw',
    8,
    (user, random) => {
      const wallet = walletOf(user, random);
      if (wallet === undefined) return null;
      const { currency, address: sourceAddress } = wallet;
      const amount = random.pick(AMOUNTS);
      return { amount, currency, sourceAddress, recipientAddress: RECIPIENT };
    },
    (user) => user.internalWallets.map(({ id }) => user.transactions[id]?.length ?? 0).join(),
  ),
  never(
    'wallets.internal.linkToCard',
    3,
    // A wallet that was already linked cannot be distinguished from one that this request has
    // linked.
    (user, random) => {
      const wallet = walletOf(user, random);
      const isFree = wallet !== undefined && !user.linkedWallets.includes(wallet.addressId);
      return isFree ? { addressId: wallet.addressId } : null;
    },
    (user) => user.linkedWallets.join(),
  ),
  never(
    'wallets.internal.unlinkFromCard',
    3,
    (user, random) =>
      user.linkedWallets.length === 0 ? null : { addressId: random.pick(user.linkedWallets) },
    (user) => user.linkedWallets.join(),
  ),
  never(
    'wallets.internal.create',
    2,
    (user) =>
      user.internalWallets.length > 12
        ? null
        : { wallets: [{ network: 'linea', currency: 'usdt' }] },
    (user) => user.internalWallets.length,
  ),
  never(
    'card.order',
    4,
    (user) => (user.card === null || user.card.status === 'BLOCKED' ? { type: 'VIRTUAL' } : null),
    (user) => user.card?.id,
  ),
  never('card.unfreeze', 3, (user) => (user.card?.status === 'FROZEN' ? undefined : null), card),
  never(
    'orders.create',
    3,
    () => ({ productId: 'product_1', paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY' }),
    (user) => user.orders.length,
  ),
  {
    ...never(
      'webhooks.create',
      6,
      // The service refuses those above its limit. All have one name, so that they may be taken for
      // each other.
      () => ({
        name: 'orders',
        url: 'https://hooks.example/other',
        eventTypes: ['unused.event'],
      }),
      (_, { webhooks }) => webhooks.length,
    ),
    isServerOnly: true,
  },
  {
    ...never(
      'webhooks.rotateKey',
      2,
      (user, random, { webhooks }) => {
        const others = webhooks.filter(
          ({ name, tenant }) => name !== 'main' && tenant === user.tenant,
        );
        return others.length === 0 ? null : { id: random.pick(others).id };
      },
      (_, { webhooks }) =>
        webhooks
          .filter(({ name }) => name !== 'main')
          .map(({ apiKey }) => apiKey)
          .join(),
    ),
    isServerOnly: true,
  },
  never(
    'delegation.getToken',
    2,
    () => ({ address: RECIPIENT, network: 'linea', faucet: true }),
    (user, { delegationTokens }) =>
      `${user.isFaucetUsed} ${delegationTokens.filter(({ userId }) => userId === user.id).length}`,
  ),
  {
    id: 'card.freeze',
    retryClass: 'idempotent',
    weight: 4,
    input: (user) => (user.card?.status === 'ACTIVE' ? undefined : null),
    ledger: card,
  },
  {
    id: 'card.createDetailsToken',
    retryClass: 'issues-token',
    weight: 2,
    input: (user) => (user.card === null ? null : {}),
    ledger: (user, { pages }) => pages.filter(({ userId }) => userId === user.id).length,
  },
  read('card.status', 5, (user) => (user.card === null ? null : undefined)),
  read('wallets.credit.get', 4),
  read('wallets.internal.list', 4),
  read('wallets.history.list', 4, (user) => ({
    walletId: user.creditWallet.id,
    walletType: 'CREDIT',
  })),
  read('user.get', 2),
  read('referral.get', 1),
];

/** Returns the operation with an id. */
export function operationOf(id: EndpointId): Operation {
  const operation = OPERATIONS.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`no application calls ${id}`);
  return operation;
}

/** A login, which applications make when they need a token. */
export const LOGIN: Operation = never('auth.login', 0, none, (user, { sessions }) => {
  return sessions.filter(({ userId }) => userId === user.id).length;
});

const TOTAL = OPERATIONS.reduce((sum, { weight }) => sum + weight, 0);

/** Draws an operation. */
export function drawOperation(random: Random): Operation {
  let rest = random.next() * TOTAL;
  for (const operation of OPERATIONS) {
    rest -= operation.weight;
    if (rest < 0) return operation;
  }
  return OPERATIONS[0] as Operation;
}

import { describe, expect, it } from 'vitest';
import type { CardPlatformClient } from '../../src/client.js';
import { createMockPlatform } from '../../src/testing/platform.js';
import type { MockUser } from '../../src/testing/state.js';
import { MapStore } from '../support/map-store.js';
import { signedMessage } from '../support/signed-message.js';
import { clientOf, lookTwice, lose, OWN_WALLET, platformWithUser } from './support.js';

type Write = (client: CardPlatformClient, user: MockUser) => PromiseLike<unknown>;

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

/** Submits a proof in the region of the client, or in the one that the query names. */
const submitIn = async ({ delegation }: CardPlatformClient, query: { region?: 'us' }) => {
  const { token, nonce } = await delegation.getToken(query);
  return delegation.submitEvmApproval({
    ...query,
    ...{ address: ADDRESS, network: 'linea', currency: 'usdc', amount: '5000', token },
    txHash: `0x${'a'.repeat(64)}`,
    sigHash: `0x${'b'.repeat(130)}`,
    sigMessage: signedMessage({ address: ADDRESS, nonce }),
  });
};

const submitApproval: Write = (client) => submitIn(client, {});

const firstWallet = ({ internalWallets: [wallet] }: MockUser) => {
  if (wallet === undefined) throw new Error('the user must have a wallet');
  return wallet;
};

/** Every operation that a read can show, with what the user must have. */
const WRITES: readonly [
  operation: Parameters<ReturnType<typeof platformWithUser>['mock']['drop']>[0],
  write: Write,
  prepare?: (user: MockUser) => void,
][] = [
  ['wallets.credit.withdraw', (client) => client.wallets.credit.withdraw({ amount: '10' })],
  [
    'wallets.internal.withdraw',
    (client, user) =>
      client.wallets.internal.withdraw({
        amount: '3',
        currency: 'usdc',
        sourceAddress: firstWallet(user).address,
        recipientAddress: OWN_WALLET,
      }),
  ],
  [
    'wallets.internal.linkToCard',
    (client, user) =>
      client.wallets.internal.linkToCard({ addressId: firstWallet(user).addressId }),
  ],
  [
    'wallets.internal.unlinkFromCard',
    (client, user) =>
      client.wallets.internal.unlinkFromCard({ addressId: firstWallet(user).addressId }),
    (user) => user.linkedWallets.push(firstWallet(user).addressId),
  ],
  [
    'webhooks.create',
    (client) =>
      client.webhooks.create({
        name: 'orders',
        url: 'https://hooks.example/orders',
        eventTypes: ['card.*'],
      }),
  ],
  ['delegation.submitEvmApproval', submitApproval],
  [
    'card.order',
    (client) => client.card.order({ type: 'VIRTUAL' }),
    (user) => {
      user.card = null;
    },
  ],
];

/** Loses the response of a call, and looks up its entry when it is settled. */
async function reconcileLost(
  [operation, write, prepare]: (typeof WRITES)[number],
  moment: 'before-processing' | 'after-processing',
) {
  const { mock } = platformWithUser();
  const { id } = mock.users.add({
    card: 'ACTIVE',
    wallets: [{ network: 'linea', currency: 'usdc', balance: '50' }],
    // The recipient of credit withdrawals.
    externalWallets: [{ address: OWN_WALLET, network: 'linea', currency: 'usdc' }],
  });
  const user = mock.users.get(id);
  prepare?.(user);
  const client = clientOf(mock, user, new MapStore());
  // From now on, the client knows the clock of the service.
  await client.user.get();
  mock.advance('1 hour');
  await client.user.get();
  mock.drop(operation, moment);
  await lose(write(client, user));
  const [entry] = await client.journal.pending();
  if (entry === undefined) throw new Error('there must be an entry');
  expect(entry.operation).toBe(operation);
  return (await lookTwice(mock, client, entry)).verdict;
}

describe('a call whose response is lost', () => {
  it.each(WRITES)('is found by what its entry holds: %s', async (...write) => {
    expect(await reconcileLost(write, 'after-processing')).toBe('executed');
  });

  it.each(WRITES)('is not found when the service never got it: %s', async (...write) => {
    expect(await reconcileLost(write, 'before-processing')).toBe('not_executed');
  });

  it.each([
    ['after-processing', 'executed'],
    ['before-processing', 'not_executed'],
  ] as const)('is looked up in the region that its query names: %s', async (moment, verdict) => {
    const mock = createMockPlatform();
    const grace = mock.users.add({ environment: 'us' });
    const ofGlobal = clientOf(mock, grace, new MapStore());
    await ofGlobal.user.get({ region: 'us' });
    mock.advance('1 hour');
    await ofGlobal.user.get({ region: 'us' });
    mock.drop('delegation.submitEvmApproval', moment);
    await lose(submitIn(ofGlobal, { region: 'us' }));
    const [entry] = await ofGlobal.journal.pending();
    if (entry === undefined) throw new Error('there must be an entry');
    expect(entry.region).toBe('us');
    expect((await lookTwice(mock, ofGlobal, entry)).verdict).toBe(verdict);
  });
});

import { describe, expect, it, vi } from 'vitest';
import { isCardPlatformError, type JournalEntry } from '../../src/index.js';
import { rejection } from '../support/clients.js';
import { MapStore } from '../support/map-store.js';
import { clientOf, OWN_WALLET, platformWithUser } from './support.js';

const FAILED_LOAD = 'Failed to fetch dynamically imported module';

vi.mock('../../src/journal/open-journal.js', () => {
  throw new TypeError(FAILED_LOAD);
});

const ENTRY: JournalEntry = {
  id: 'an entry',
  operation: 'wallets.credit.withdraw',
  at: 0,
  region: 'global',
  details: {},
};

function setUp(onStoreFailure?: 'send') {
  const { mock } = platformWithUser();
  const user = mock.users.add({
    card: 'ACTIVE',
    wallets: [{ network: 'linea', currency: 'usdc', balance: '50' }],
    externalWallets: [
      { address: OWN_WALLET, currency: 'usdc', balance: '0', allowance: '5', network: 'linea' },
    ],
  });
  const store = new MapStore();
  const client = clientOf(mock, user, store, {
    journal: { store, ...(onStoreFailure && { onStoreFailure }) },
  });
  return { mock, client };
}

type Use = (client: ReturnType<typeof setUp>['client']) => Promise<unknown>;

describe('a page that cannot load the code of the journal', () => {
  it.each<[string, Use]>([
    ['pending', (client) => client.journal.pending()],
    ['reconcile', (client) => client.journal.reconcile(ENTRY)],
    ['remove', (client) => client.journal.remove(ENTRY, 'executed')],
  ])('gets an error of this package from %s, with the next step', async (_, use) => {
    const { mock, client } = setUp();
    const error = await rejection(use(client));
    expect(isCardPlatformError(error)).toBe(true);
    expect(error).toMatchObject({
      name: 'ConnectionError',
      code: 'connection_failed',
      outcome: 'not_sent',
      isRetryable: true,
      message:
        'journal: the code of the journal could not be loaded. The entries are unchanged. ' +
        'Reload the page, then try again.',
    });
    expect(mock.requests.length).toBe(0);
  });

  it('sends no request that would need an entry', async () => {
    const { mock, client } = setUp();
    const error = await rejection(client.wallets.credit.withdraw({ amount: '10' }));
    expect(error).toMatchObject({ code: 'journal_failed', outcome: 'not_sent', attempts: 0 });
    expect(error).toHaveProperty('message', expect.stringContaining('Reload the page'));
    expect(mock.requests.length).toBe(0);
  });

  it('sends it without an entry when the caller asks for that', async () => {
    const { client } = setUp('send');
    expect(await client.wallets.credit.withdraw({ amount: '10' })).toHaveProperty('txHash');
  });
});

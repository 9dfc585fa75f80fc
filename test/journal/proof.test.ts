import { describe, expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/client.js';
import type { ClientOptions, JournalEntry } from '../../src/index.js';
import { createJournal } from '../../src/journal/journal.js';
import { json, rejection } from '../support/clients.js';
import { MapStore } from '../support/map-store.js';
import { clientOf, clockOf, lookTwice, lose, OWN_WALLET, platformWithUser } from './support.js';

const MINUTE = 60_000;
type Row = Record<string, unknown>;

/** A platform whose history a test can change on its way to the client. */
function setUp() {
  const { mock } = platformWithUser();
  const ada = mock.users.add({
    card: 'ACTIVE',
    externalWallets: [
      { address: OWN_WALLET, currency: 'usdc', balance: '0', allowance: '5', network: 'linea' },
    ],
  });
  // Everything that the user had before is older than the test.
  mock.advance('3 days');
  const store = new MapStore();
  const view = { history: (rows: Row[]): unknown[] => rows };
  const fetch: ClientOptions['fetch'] = async (url, init) => {
    const response = await mock.fetch(url, init);
    if (!url.includes('/wallet/history')) return response;
    const date = response.headers.get('date') ?? '';
    return json(view.history((await response.json()) as Row[]), 200, { date });
  };
  /** A client with a new token. */
  const logIn = () =>
    clientOf(mock, ada, store, {
      fetch,
      journal: createJournal({ store, user: ada.id, hasAllRequests: true }),
      random: () => 0,
    });
  const client = logIn();
  const withdraw = (amount: string) => client.wallets.credit.withdraw({ amount });
  const loseBefore = async (amount: string) => {
    mock.drop('wallets.credit.withdraw', 'before-processing');
    await lose(withdraw(amount));
  };
  const loseAfter = async (amount: string) => {
    mock.drop('wallets.credit.withdraw', 'after-processing');
    await lose(withdraw(amount));
  };
  const entryOf = async (amount: string): Promise<JournalEntry> => {
    const entry = (await client.journal.pending()).find(
      ({ details }) => details['amount'] === amount,
    );
    if (entry === undefined) throw new Error('there must be an entry');
    return entry;
  };
  const verdictOf = async (amount: string) =>
    (await lookTwice(mock, client, await entryOf(amount))).verdict;
  return {
    mock,
    ada,
    store,
    view,
    client,
    logIn,
    withdraw,
    loseBefore,
    loseAfter,
    entryOf,
    verdictOf,
  };
}

describe('a withdrawal that was executed is never not_executed', () => {
  it('when the history does not show a later equal one yet', async () => {
    const { mock, view, withdraw, loseAfter, verdictOf } = setUp();
    await loseAfter('10');
    mock.advance(4.9 * MINUTE);
    await withdraw('10');
    mock.advance(0.2 * MINUTE);
    // The later one is first in the list, and is still missing.
    view.history = (rows) => rows.slice(1);
    expect(await verdictOf('10')).toBe('undecided');
  });

  it('when the history shows amounts without their fees, beside a larger withdrawal', async () => {
    const { mock, view, withdraw, loseAfter, verdictOf } = setUp();
    view.history = (rows) =>
      rows.map((row) => ({ ...row, amount: String(Number(row['amount']) - 1) }));
    await withdraw('50');
    mock.advance(MINUTE);
    await loseAfter('30');
    mock.advance(6 * MINUTE);
    expect(await verdictOf('30')).not.toBe('not_executed');
  });

  it('while its call may still be in flight in another tab', async () => {
    const { mock, ada, store, client } = setUp();
    const hour = 60 * MINUTE;
    let verdict: string | undefined;
    const slow = clientOf(mock, ada, store, {
      journal: createJournal({ store, user: ada.id }),
      timeout: hour,
      totalTimeout: hour,
      fetch: async (url, init) => {
        // The connection is slow.
        mock.advance(30 * MINUTE);
        const [entry] = await client.journal.pending();
        verdict = entry && (await client.journal.reconcile(entry)).verdict;
        return mock.fetch(url, init);
      },
    });
    await slow.wallets.credit.withdraw({ amount: '10' });
    expect(verdict).toBe('undecided');
  });

  it('when the entry has lost its amount', async () => {
    const { mock, client, loseAfter, entryOf } = setUp();
    await loseAfter('30');
    mock.advance(6 * MINUTE);
    const entry = { ...(await entryOf('30')), details: {} };
    expect((await client.journal.reconcile(entry)).verdict).toBe('undecided');
  });
});

describe('a withdrawal that was not executed is never executed', () => {
  it('when an equal one of that time is no longer in the store, because it is too old', async () => {
    const { mock, client, withdraw, loseBefore, entryOf, logIn } = setUp();
    await client.user.get();
    await loseBefore('10');
    await withdraw('10');
    mock.advance(3 * 24 * 60 * MINUTE);
    // The same slot is used again.
    const later = logIn();
    await later.user.get();
    await later.wallets.credit.withdraw({ amount: '5' });
    const { verdict, reason } = await lookTwice(mock, later, await entryOf('10'));
    expect(verdict).toBe('undecided');
    expect(reason).toBe('the journal does not remember all requests of that time');
  });

  it('when a larger open one may be shown without its fee', async () => {
    const { mock, view, loseBefore, loseAfter, verdictOf } = setUp();
    view.history = (rows) =>
      rows.map((row) => ({ ...row, amount: String(Number(row['amount']) - 1) }));
    await loseAfter('11');
    await loseBefore('10');
    mock.advance(6 * MINUTE);
    expect(await verdictOf('10')).toBe('undecided');
  });
});

describe('the client of a page behind a proxy, which sees no token', () => {
  /** A page whose proxy adds the token of whoever is logged in. */
  function page(options: Partial<ClientOptions> = {}) {
    const base = setUp();
    const bob = base.mock.users.add({ card: 'ACTIVE' });
    const tokens = [base.ada, bob].map((user) =>
      base.mock.accessTokenFor(base.mock.users.get(user.id)),
    );
    const proxied = { user: 0 };
    const client = new CardPlatformClient({
      baseUrl: base.mock.baseUrl,
      throughProxy: true,
      clock: clockOf(base.mock),
      journal: createJournal({ store: base.store }),
      fetch: async (url, init) => {
        const response = await base.mock.fetch(url, {
          ...init,
          headers: {
            ...Object(init.headers),
            'x-client-key': base.mock.credentials.clientKey ?? '',
            authorization: `Bearer ${tokens[proxied.user]}`,
          },
        });
        const headers = new Headers(response.headers);
        headers.set('x-card-platform-date', response.headers.get('date') ?? '');
        // The clock of a proxy proves nothing.
        headers.set('date', new Date(0).toUTCString());
        return new Response(response.body, { status: response.status, headers });
      },
      ...options,
    });
    return { ...base, bob, proxied, client };
  }

  async function lostBy({ mock, client }: ReturnType<typeof page>): Promise<JournalEntry> {
    await client.user.get();
    mock.drop('wallets.credit.withdraw', 'after-processing');
    await lose(client.wallets.credit.withdraw({ amount: '10' }));
    const [entry] = await client.journal.pending();
    if (entry === undefined) throw new Error('there must be an entry');
    return entry;
  }

  it('sends nothing as long as journal.user is not known: nobody could ever look it up', async () => {
    let name: string | undefined;
    const store = new MapStore();
    const set = page({ journal: createJournal({ store, user: () => name }) });
    const before = set.mock.requests.matching({ operation: 'wallets.credit.withdraw' }).length;
    for (const client of [set.client, page().client]) {
      const error = await rejection(client.wallets.credit.withdraw({ amount: '10' }));
      expect(error).toMatchObject({
        code: 'configuration_invalid',
        option: 'journal.user',
        outcome: 'not_sent',
      });
    }
    expect(set.mock.requests.matching({ operation: 'wallets.credit.withdraw' })).toHaveLength(
      before,
    );
    name = set.ada.id;
    await set.client.wallets.credit.withdraw({ amount: '10' });
    expect(await set.client.journal.pending()).toEqual([]);
  });

  it('decides for the user that journal.user names, and for no other', async () => {
    let name = '';
    const store = new MapStore();
    const set = page({ journal: createJournal({ store, user: () => name, hasAllRequests: true }) });
    name = set.ada.id;
    const entry = await lostBy(set);
    expect(entry.user).toBe(set.ada.id);
    set.mock.advance(MINUTE);
    expect((await lookTwice(set.mock, set.client, entry)).verdict).toBe('executed');
    set.proxied.user = 1;
    // Another tab has logged in somebody else.
    expect((await set.client.journal.reconcile(entry)).verdict).toBe('undecided');
    name = set.bob.id;
    expect((await set.client.journal.reconcile(entry)).verdict).toBe('undecided');
  });
});

it.each([Number.NaN, -1, '300000', 2 ** 31])('a settleTime of %s is refused', async (value) => {
  const { client, loseBefore, entryOf, mock } = setUp();
  await loseBefore('10');
  const before = mock.requests.length;
  const error = await rejection(
    client.journal.reconcile(await entryOf('10'), { settleTime: value as number }),
  );
  expect(error).toMatchObject({ name: 'ConfigurationError', option: 'settleTime' });
  expect(mock.requests.length).toBe(before);
});

describe('an entry of a store that somebody has changed', () => {
  it.each([
    'toString',
    'constructor',
    '__proto__',
  ])('is undecided for the operation %s', async (name) => {
    const { client, loseAfter, entryOf } = setUp();
    await loseAfter('10');
    const entry = { ...(await entryOf('10')), operation: name };
    expect((await client.journal.reconcile(entry)).verdict).toBe('undecided');
  });
});

describe('a card order', () => {
  it.each([
    1, 200,
  ])('is never not_executed because a later order has replaced its card, %i minutes after it', async (minutes) => {
    const { mock, store, ada } = setUp();
    const user = mock.users.get(ada.id);
    const block = () => Object.assign(Object(user.card), { status: 'BLOCKED' });
    block();
    const client = clientOf(mock, ada, store);
    await client.user.get();
    mock.drop('card.order', 'after-processing');
    await lose(client.card.order({ type: 'VIRTUAL' }));
    const [entry] = await client.journal.pending();
    if (entry === undefined) throw new Error('there must be an entry');
    const looks = [(await client.journal.reconcile(entry)).verdict];
    // Support disables the card, and the user orders another one.
    block();
    mock.advance(minutes * MINUTE);
    await client.card.order({ type: 'VIRTUAL' });
    for (const pause of [0, 6, 60]) {
      mock.advance(pause * MINUTE);
      looks.push((await client.journal.reconcile(entry)).verdict);
    }
    expect(looks.filter((verdict) => verdict === 'not_executed')).toEqual([]);
  });

  it('is not decided by a 404 that the service did not send', async () => {
    const { mock, store, ada } = setUp();
    const gone = () => new Response('<html>Not Found</html>', { status: 404 });
    const client = clientOf(mock, ada, store, {
      fetch: async (url, init) => (url.includes('status') ? gone() : mock.fetch(url, init)),
    });
    mock.drop('card.order', 'before-processing');
    await lose(client.card.order({ type: 'VIRTUAL' }));
    mock.advance(6 * MINUTE);
    const [entry] = await client.journal.pending();
    if (entry === undefined) throw new Error('there must be an entry');
    const verdict = await client.journal.reconcile(entry).then(
      (result) => result.verdict,
      () => 'undecided',
    );
    expect(verdict).toBe('undecided');
  });
});

// The data that an app keeps over a restart, and the state of its screens.
import { CardPlatformClient } from 'card-platform-sdk';
import { createCardReveal, createPinPage } from 'card-platform-sdk/card-reveal';
import { createJournal } from 'card-platform-sdk/journal';
import { createQueries } from 'card-platform-sdk/query';
import { createSessions } from 'card-platform-sdk/sessions';
import { createMockPlatform } from 'card-platform-sdk/testing';
import { expectSame, failureOf } from '../../suite/expect.mjs';
import { asyncStorage, storeOf } from './stores.mjs';

const WALLETS = [{ network: 'linea', currency: 'usdc', balance: '50' }];
const OWN_WALLET = {
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  network: 'linea',
  currency: 'usdc',
  balance: '0',
  allowance: '5',
};

function setUp(options = {}) {
  const mock = createMockPlatform({ startsAt: Date.now() });
  const user = mock.users.add({
    card: 'ACTIVE',
    wallets: WALLETS,
    externalWallets: [OWN_WALLET],
  });
  const { baseUrl, fetch } = mock;
  const { clientKey } = mock.credentials;
  const client = new CardPlatformClient({ baseUrl, fetch, clientKey, ...options });
  return { mock, user, client, accessToken: mock.accessTokenFor(user) };
}

/** The part of `AppState` that the package uses. */
function appState() {
  const listeners = new Set();
  return {
    currentState: 'active',
    addEventListener: (_, listener) => {
      listeners.add(listener);
      return { remove: () => listeners.delete(listener) };
    },
    listeners,
    change(state) {
      this.currentState = state;
      for (const listener of [...listeners]) listener(state);
    },
  };
}

/** Checks of journal, sessions, card reveal and queries. */
export const stored = {
  'the journal keeps a lost withdrawal over a restart of the app': async () => {
    const storage = asyncStorage();
    const { mock, client, accessToken } = setUp({
      journal: createJournal({ store: storeOf(storage) }),
    });
    mock.drop('wallets.credit.withdraw', 'after-processing');
    const own = client.withAccessToken(accessToken);
    const error = await failureOf(own.wallets.credit.withdraw({ amount: '1' }));
    expectSame(error.outcome, 'unknown');
    const { baseUrl, fetch } = mock;
    const { clientKey } = mock.credentials;
    const journal = createJournal({ store: storeOf(storage) });
    const restarted = new CardPlatformClient({ baseUrl, fetch, clientKey, accessToken, journal });
    const [entry, ...others] = await restarted.journal.pending();
    expectSame([entry?.operation, others.length], ['wallets.credit.withdraw', 0]);
    const { verdict, reason } = await restarted.journal.reconcile(entry);
    expectSame(typeof reason, 'string');
    await restarted.journal.remove(entry, verdict);
    expectSame((await restarted.journal.pending()).length, 0, 'entries');
    for (const text of storage.items.values()) {
      expectSame(text.includes(accessToken), false, 'an entry with the token');
    }
  },

  'the journal has no entry after a success': async () => {
    const storage = asyncStorage();
    const { client, accessToken } = setUp({ journal: createJournal({ store: storeOf(storage) }) });
    const own = client.withAccessToken(accessToken);
    await own.wallets.credit.withdraw({ amount: '1' });
    expectSame((await own.journal.pending()).length, 0, 'entries');
  },

  'a session is there again after a restart of the app, until the user logs out': async () => {
    const storage = asyncStorage();
    const { client, user, accessToken } = setUp();
    const first = createSessions({ store: storeOf(storage) });
    await first.signIn({ accessToken, userId: user.id }, { region: 'global' });
    const sessions = createSessions({ store: storeOf(storage) });
    const { status, session } = await sessions.load();
    expectSame([status, session.userId], ['signed_in', user.id]);
    const own = client.withAccessToken(session.accessToken);
    expectSame((await own.card.status()).status, 'ACTIVE');
    await sessions.signOut();
    expectSame((await first.load()).status, 'signed_out');
    expectSame((await failureOf(own.card.status())).name, 'SessionError');
  },

  'a session is renewed': async () => {
    const { client, user, mock, accessToken } = setUp();
    let renewals = 0;
    const renew = () => {
      renewals++;
      return { accessToken: mock.accessTokenFor(user), userId: user.id };
    };
    const sessions = createSessions({ store: storeOf(asyncStorage()), renew });
    const session = await sessions.signIn(
      { accessToken, userId: user.id, expiresIn: 1 },
      { region: 'global' },
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
    const own = client.withAccessToken(session.accessToken);
    expectSame((await own.card.status()).status, 'ACTIVE');
    expectSame(renewals, 1, 'renewals');
  },

  'details are gone when the app is not active any more': async () => {
    const { client, accessToken } = setUp();
    const own = client.withAccessToken(accessToken);
    const visibility = appState();
    const load = (options) => own.card.createDetailsToken({}, options);
    const reveal = createCardReveal({ load, visibility });
    const shown = await reveal.show();
    expectSame([shown.status, typeof shown.url], ['shown', 'string'], String(shown.error));
    visibility.change('inactive');
    const { status, reason, url } = reveal.getSnapshot();
    expectSame([status, reason, url, shown.url], ['gone', 'hidden', undefined, undefined]);
    expectSame(visibility.listeners.size, 0, 'listeners');
  },

  'the PIN page ends when the WebView is led to the return URL': async () => {
    const { client, accessToken } = setUp();
    const own = client.withAccessToken(accessToken);
    const redirectUrl = 'https://app.example/pin-done';
    const load = (options) => own.card.createSetPinToken({ redirectUrl }, options);
    const page = createPinPage({ load, redirectUrl, visibility: appState() });
    const { status, url, error } = await page.show();
    expectSame([status, typeof url], ['shown', 'string'], String(error));
    expectSame([page.handleEvent({ url }), page.handleEvent({ url: redirectUrl })], [false, true]);
    expectSame(page.getSnapshot().reason, 'finished');
  },

  'queries read and write as a query library calls them': async () => {
    const { client, user, accessToken } = setUp();
    const own = client.withAccessToken(accessToken);
    const queries = createQueries({ client: own, user: user.id, region: 'global' });
    const { queryFn, queryKey } = queries.card.status();
    const { signal } = new AbortController();
    expectSame((await queryFn({ signal, queryKey })).status, 'ACTIVE');
    await queries.card.freeze().mutationFn(undefined, {});
    expectSame((await queryFn({ signal, queryKey })).status, 'FROZEN');
  },
};

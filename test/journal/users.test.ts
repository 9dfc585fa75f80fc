import { describe, expect, it } from 'vitest';
import {
  type AccessTokenProvider,
  CardPlatformClient,
  type RecoveredEntry,
  type TokenRequest,
} from '../../src/index.js';
import { createJournal } from '../../src/journal/journal.js';
import type { JournalOptions } from '../../src/journal/options.js';
import { learnUser, tokenHashOf } from '../../src/journal/users.js';
import { createQueries } from '../../src/query/index.js';
import { createCardProxy } from '../../src/server/index.js';
import { createSessions } from '../../src/sessions/index.js';
import { SessionError } from '../../src/sessions/session-error.js';
import { createMockPlatform } from '../../src/testing/index.js';
import { systemClock } from '../../src/transport/attempts/clock.js';
import { BASE_PATH, pageClient } from '../server/support.js';
import { twoRegions } from '../sessions/support.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { MapStore } from '../support/map-store.js';
import {
  loseRequest,
  type ReadResponses,
  setUpScripted,
  WITHDRAWAL,
  withHistory,
} from './scripted-reads.js';
import { clientOf, clockOf, lookTwice, OWN_WALLET } from './support.js';

/** Recovers, and returns what the handler was called with, and the error of `recover`. */
async function recover({ journal }: Pick<CardPlatformClient, 'journal'>) {
  const found: RecoveredEntry[] = [];
  const error = await journal.recover((each) => found.push(each)).catch((thrown) => thrown);
  return { found, error };
}

describe('an app with users of both regions and one store', () => {
  /** Grace of the US loses a withdrawal and signs out. Ada signs in, and loses one too. */
  async function graceThenAda(journal: (user: string) => Partial<JournalOptions>) {
    const { mock, ada, grace } = twoRegions();
    const store = new MapStore();
    const clock = clockOf(mock);
    const sessions = createSessions({ store, clock });
    const logIn = async (user: typeof ada, region: 'global' | 'us') => {
      const token = mock.accessTokenFor(user);
      const { accessToken } = await sessions.signIn({ accessToken: token }, { region });
      const options = {
        accessToken,
        region,
        journal: createJournal({ store, ...journal(user.id) }),
      };
      return { token, client: clientOf(mock, user, store, options) };
    };
    const loseAs = async (user: typeof ada, region: 'global' | 'us') => {
      const { token, client } = await logIn(user, region);
      mock.drop('wallets.credit.withdraw', 'after-processing');
      await rejection(client.wallets.credit.withdraw({ amount: '10' }));
      return { token, client };
    };
    const ofGrace = await loseAs(grace, 'us');
    const ofAda = await loseAs(ada, 'global');
    const [entryOfGrace, entryOfAda] = await ofAda.client.journal.pending();
    if (entryOfGrace === undefined || entryOfAda === undefined) throw new Error('two must be open');
    expect([entryOfGrace.region, entryOfAda.region]).toEqual(['us', 'global']);
    return { mock, ada, grace, store, clock, logIn, ofGrace, ofAda, entryOfGrace, entryOfAda };
  }

  it('looks up the request of each user, whatever the other one has left open', async () => {
    const { ofAda, logIn, grace, entryOfGrace, entryOfAda } = await graceThenAda((user) => ({
      user,
    }));
    const seenByAda = await recover(ofAda.client);
    expect(seenByAda.error).toBeUndefined();
    expect(seenByAda.found.map(({ entry }) => entry.id)).toEqual([entryOfAda.id]);
    expect(await ofAda.client.journal.reconcile(entryOfGrace)).toMatchObject({
      verdict: 'undecided',
      reason: 'the entry is of another user',
    });
    const seenByGrace = await recover((await logIn(grace, 'us')).client);
    expect(seenByGrace.error).toBeUndefined();
    expect(seenByGrace.found.map(({ entry }) => entry.id)).toEqual([entryOfGrace.id]);
  });

  it('asks no provider for a token of the other region', async () => {
    const { mock, ada, store, entryOfGrace, entryOfAda } = await graceThenAda((user) => ({ user }));
    const token = mock.accessTokenFor(ada);
    const accessToken = ({ region }: TokenRequest) => {
      if (region === 'us') throw new Error('there is no user of the US');
      return token;
    };
    const journal = createJournal({ store, user: ada.id });
    const client = clientOf(mock, ada, store, { accessToken, journal });
    const { found, error } = await recover(client);
    expect(error).toBeUndefined();
    expect(found.map(({ entry }) => entry.id)).toEqual([entryOfAda.id]);
    expect((await client.journal.reconcile(entryOfGrace)).verdict).toBe('undecided');
  });

  it('does so too where only the logins show who the users are', async () => {
    const set = await graceThenAda(() => ({}));
    const { store, clock, mock, ada, grace, ofAda, entryOfAda } = set;
    await learnUser(store, clock, tokenHashOf(ofAda.token), ada.id);
    // As it is when the login of Grace went through this store.
    for (const [key, text] of store) {
      if (!text.includes(set.entryOfGrace.id)) continue;
      const page = JSON.parse(text);
      page.entries[0].user = grace.id;
      store.set(key, JSON.stringify(page));
    }
    const { found, error } = await recover(ofAda.client);
    expect(error).toBeUndefined();
    expect(found.map(({ entry }) => entry.id)).toEqual([entryOfAda.id]);
    expect(mock.requests.matching({ operation: 'user.get' })).toEqual([]);
  });

  it('refuses at the end if the open request of the other region may be of this user', async () => {
    const { ofAda, entryOfAda } = await graceThenAda(() => ({}));
    const { found, error } = await recover(ofAda.client);
    expect(found.map(({ entry }) => entry.id)).toEqual([entryOfAda.id]);
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'journal.user' });
    expect(String(error)).toContain('another region');
    expect(String(error)).toContain('send nothing again');
  });

  describe('and tokens that come from elsewhere', () => {
    /** Grace has lost a withdrawal in the US, and Ada one; both had logged in through this store. */
    async function bothLost() {
      const { mock, ada, grace } = twoRegions();
      const store = new MapStore();
      const clientAs = (user: typeof ada, region: 'global' | 'us') =>
        clientOf(mock, user, store, { region, retry: false, journal: createJournal({ store }) });
      for (const [user, region] of [
        [grace, 'us'],
        [ada, 'global'],
      ] as const) {
        const accessToken = mock.accessTokenFor(user);
        await learnUser(store, clockOf(mock), tokenHashOf(accessToken), user.id);
        mock.drop('wallets.credit.withdraw', 'after-processing');
        const { wallets } = clientAs(user, region).withAccessToken(accessToken);
        await rejection(wallets.credit.withdraw({ amount: '10' }));
      }
      return { mock, ada, grace, clientAs };
    }

    it('finds what is open of the user whose token it is', async () => {
      const { ada, clientAs } = await bothLost();
      // This token comes from elsewhere: no login has shown whose it is.
      const { found, error } = await recover(clientAs(ada, 'global'));
      expect(error).toBeUndefined();
      expect(found.map(({ entry }) => entry.user)).toEqual([ada.id]);
    });

    it('never calls an open request nothing, where the service does not say whose token it is', async () => {
      const { mock, ada, clientAs } = await bothLost();
      mock.serve('GET', '/v1/user', ({ headers }) =>
        headers.has('x-us-env') ? json({}, 401) : json({ email: 'ada@example.com' }),
      );
      const { error } = await recover(clientAs(ada, 'global'));
      expect(error).toMatchObject({ option: 'journal.user' });
      expect(String(error)).toContain('another region');
    });

    it('fails with a token that a provider returns for the region, and that the region refuses', async () => {
      const { mock, ada, clientAs } = await bothLost();
      const token = mock.accessTokenFor(ada);
      const accessToken = ({ region }: TokenRequest) => (region === 'us' ? 'revoked' : token);
      const { error } = await recover(clientAs(ada, 'global').withAccessToken(accessToken));
      expect(error).toMatchObject({ name: 'AuthenticationError', status: 401 });
      const reads = mock.requests.matching({ operation: 'user.get' });
      expect(reads.length).toBeGreaterThan(0);
      for (const { headers } of reads) expect(headers['x-us-env']).toBe('true');
    });

    it('fails with a token that no region accepts', async () => {
      const { mock, ada, clientAs } = await bothLost();
      const client = clientAs(ada, 'global');
      mock.state.sessions.length = 0;
      const { found, error } = await recover(client);
      expect(error).toMatchObject({ name: 'AuthenticationError', status: 401 });
      expect(found).toEqual([]);
    });
  });

  it('passes a damaged entry on, which has no region', async () => {
    const { logIn, grace, store, entryOfAda } = await graceThenAda((user) => ({ user }));
    for (const [key, text] of store) {
      if (text.includes(entryOfAda.id)) store.set(key, text.replace('"operation"', '"lost"'));
    }
    const { found, error } = await recover((await logIn(grace, 'us')).client);
    expect(error).toBeUndefined();
    expect(found.map(({ entry }) => entry.operation)).toContain('unreadable');
  });
});

describe('a page with an open request of the user whom it shows', () => {
  const WITHOUT_ID = { 'user.get': { email: 'ada@example.com' } };
  const NOT_FOUND = { 'user.get': json({ message: 'Not found' }, 404) };
  const OF_BOB = { 'user.get': { id: 'bob', email: 'bob@example.com' } };

  /** A page that shows one user, and a service that reports these responses behind the proxy. */
  async function pageOf(user: string | undefined, reads: ReadResponses) {
    const scene = setUpScripted(withHistory([]), {}, { user: 'ada' });
    const { store, clock } = scene;
    const entry = await loseRequest(scene, WITHDRAWAL);
    const { client } = setUpScripted({ ...withHistory([]), ...reads }, { clock });
    const proxy = createCardProxy({
      client,
      session: () => ({ accessToken: 'token-of-the-cookie' }),
      basePath: BASE_PATH,
    });
    const journal = createJournal({ store, user: () => user, hasAllRequests: true });
    return { entry, page: pageClient(proxy, { clock, journal }) };
  }

  it.each([
    ['the service does not say who is logged in', WITHOUT_ID],
    ['the service does not say who is logged in', NOT_FOUND],
    ['the service says that another user is logged in, not the one of journal.user', OF_BOB],
  ])('never calls it nothing: %s', async (reason, reads) => {
    const { entry, page } = await pageOf('ada', reads);
    const { found, error } = await recover(page);
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'journal.user' });
    expect(String(error)).toContain(`send nothing again. It was not looked up because ${reason}.`);
    expect(found).toEqual([]);
    expect(await page.journal.reconcile(entry)).toMatchObject({ verdict: 'undecided', reason });
    expect(await page.journal.pending()).toHaveLength(1);
  });

  it('looks it up when the service names that user', async () => {
    const { entry, page } = await pageOf('ada', {});
    const { found, error } = await recover(page);
    expect(error).toBeUndefined();
    expect(found).toMatchObject([{ entry: { id: entry.id }, verdict: 'undecided' }]);
  });

  it.each([
    WITHOUT_ID,
    NOT_FOUND,
    OF_BOB,
    {},
  ])('ignores it while it shows another user', async (reads) => {
    const { page } = await pageOf('bob', reads);
    expect(await recover(page)).toEqual({ found: [], error: undefined });
  });

  it.each([
    [WITHOUT_ID, { option: 'journal.user' }],
    [OF_BOB, undefined],
  ])('goes by the service alone while it shows nobody', async (reads, error) => {
    const { page } = await pageOf(undefined, reads);
    const seen = await recover(page);
    expect(seen.found).toEqual([]);
    if (error === undefined) expect(seen.error).toBeUndefined();
    else expect(seen.error).toMatchObject(error);
  });
});

it('the region of a page is that of its session, whatever its calls name', async () => {
  const mock = createMockPlatform();
  const wallet = { currency: 'usdc', balance: '0', allowance: '5', network: 'linea' } as const;
  const grace = mock.users.add({
    card: 'ACTIVE',
    environment: 'us',
    externalWallets: [{ address: OWN_WALLET, ...wallet }],
  });
  // Everything that the user had before is older than the test.
  mock.advance('3 days');
  const { baseUrl, fetch, credentials } = mock;
  const accessToken = mock.accessTokenFor(grace);
  const proxy = createCardProxy({
    client: new CardPlatformClient({ baseUrl, fetch, ...credentials, retry: false }),
    session: () => ({ accessToken, region: 'us' }),
    basePath: BASE_PATH,
  });
  const store = new MapStore();
  const page = pageClient(proxy, {
    clock: clockOf(mock),
    journal: createJournal({ store, user: grace.id, hasAllRequests: true }),
  });
  await page.user.get();
  // The queries name the region of the session, and a page's client cannot.
  const { withdraw } = createQueries({ client: page, user: grace.id, region: 'us' }).wallets.credit;
  mock.drop('wallets.credit.withdraw', 'before-processing');
  await rejection(Promise.resolve(withdraw().mutationFn({ amount: '25' })));
  const [lost] = await page.journal.pending();
  if (lost === undefined) throw new Error('there must be an entry');
  await page.wallets.credit.withdraw({ amount: '25' });
  mock.advance('10 minutes');
  // The one debit is that of the second request.
  expect((await lookTwice(mock, page, lost)).verdict).toBe('not_executed');
  expect(lost.region).toBe('global');
});

describe('the user of a request is the one whose token is sent', () => {
  /** An app that another tab may give another user at any moment. */
  function appOf(journal: Partial<JournalOptions> = {}) {
    const scene = scriptedFetch(() => json({ success: true, txHash: '0xab' }));
    const app: { user: string | undefined; token: string } = { user: 'ada', token: 'token-of-ada' };
    const store = new MapStore();
    const signInBob = () => Object.assign(app, { user: 'bob', token: 'token-of-bob' });
    const clientWith = (accessToken: AccessTokenProvider, fetch = scene.fetch) =>
      clientFor('https://api.example.com', {
        fetch,
        accessToken,
        retry: false,
        journal: createJournal({ store, user: () => app.user, ...journal }),
      });
    const tokens = () =>
      scene.requests.map(({ init }) => new Headers(init.headers).get('authorization'));
    return { app, store, signInBob, clientWith, tokens };
  }
  const REFUSED = { name: 'SessionError', code: 'session_mismatch', outcome: 'not_sent' };

  it.each(['refuse', 'send'] as const)('or nothing is sent (%s)', async (onStoreFailure) => {
    const { signInBob, clientWith, tokens } = appOf({ onStoreFailure });
    const client = clientWith(() => signInBob().token);
    const error = await rejection(client.wallets.credit.withdraw({ amount: '10' }));
    expect(error).toMatchObject({ ...REFUSED, isRetryable: false });
    expect(tokens()).toEqual([]);
    expect(await client.journal.pending()).toEqual([]);
  });

  it.each([
    ['nobody', undefined],
    ['a user', 'ada'],
    ['a function', () => 'ada'],
  ])('and the provider is asked while the application makes the call, if the journal has %s', async (_, user) => {
    const { clientWith, tokens } = appOf({ user });
    let current: string | undefined = 'token-of-ada';
    const client = clientWith(() => current ?? 'token of nobody');
    const withdrawal = client.wallets.credit.withdraw({ amount: '10' });
    // An app whose server has one client for many users may know them by what it is doing.
    current = undefined;
    await withdrawal;
    expect(tokens()).toEqual(['Bearer token-of-ada']);
  });

  it('or nothing is sent if the user changes just after the token was chosen', async () => {
    const { app, signInBob, clientWith, tokens } = appOf();
    const client = clientWith(() => {
      const { token } = app;
      signInBob();
      return token;
    });
    expect(await rejection(client.wallets.credit.withdraw({ amount: '10' }))).toMatchObject(
      REFUSED,
    );
    expect(tokens()).toEqual([]);
  });

  it('also while the store of the journal works', async () => {
    const { app, store, signInBob, clientWith, tokens } = appOf();
    const set = store.set.bind(store);
    store.set = (key, text) => {
      signInBob();
      return set(key, text);
    };
    const lost = clientWith(() => app.token, scriptedFetch(new Error('broken')).fetch);
    await rejection(lost.wallets.credit.withdraw({ amount: '10' }));
    expect(app.user).toBe('bob');
    const [entry] = await lost.journal.pending();
    expect(entry).toMatchObject({ user: 'ada', tokenHash: tokenHashOf('token-of-ada') });
    expect(tokens()).toEqual([]);
  });

  it('also if the service refuses the first token, and another user has logged in since', async () => {
    const { app, signInBob, clientWith } = appOf();
    const service = scriptedFetch(() => json({ message: 'Unauthorized' }, 401));
    const client = clientWith(
      ({ reason }) => (reason === 'rejected' ? signInBob().token : app.token),
      service.fetch,
    );
    const error = await rejection(client.wallets.credit.withdraw({ amount: '10' }));
    expect(error).toMatchObject(REFUSED);
    expect(service.requests).toHaveLength(1);
    expect(await client.journal.pending()).toEqual([]);
  });

  it.each([
    ['the journal names', {}],
    ['the logins show', { user: undefined }],
    ['nobody knows', { user: undefined, store: new MapStore() }],
  ])('also with a renewed token of the user whom %s', async (_, journal) => {
    const { app, store, clientWith } = appOf(journal);
    for (const token of ['token-of-ada', 'renewed']) {
      await learnUser(store, systemClock, tokenHashOf(token), 'ada');
    }
    const service = scriptedFetch(
      json({ message: 'Unauthorized' }, 401),
      json({ success: true, txHash: '0xab' }),
    );
    const client = clientWith(
      ({ reason }) => (reason === 'rejected' ? 'renewed' : app.token),
      service.fetch,
    );
    await client.wallets.credit.withdraw({ amount: '10' });
    expect(service.requests).toHaveLength(2);
    expect(await client.journal.pending()).toEqual([]);
  });

  it('also without an entry, because the store has failed', async () => {
    const fail = () => Promise.reject(new Error('the disk is full'));
    const store = { get: fail, set: fail, update: fail, delete: fail };
    const { app, signInBob, clientWith } = appOf({ store, onStoreFailure: 'send' });
    const service = scriptedFetch(() => json({ message: 'Unauthorized' }, 401));
    const client = clientWith(
      ({ reason }) => (reason === 'rejected' ? signInBob().token : app.token),
      service.fetch,
    );
    const error = await rejection(client.wallets.credit.withdraw({ amount: '10' }));
    expect(error).toMatchObject({ code: 'session_mismatch' });
    expect(service.requests).toHaveLength(1);
  });

  it('or nothing is sent again if nobody can say whose the renewed token is', async () => {
    let calls = 0;
    const user = () => {
      if (++calls === 3) throw new Error('there is no session');
      return 'ada';
    };
    const { app, clientWith } = appOf({ user, onStoreFailure: 'send' });
    const service = scriptedFetch(() => json({ message: 'Unauthorized' }, 401));
    const client = clientWith(
      ({ reason }) => (reason === 'rejected' ? 'renewed' : app.token),
      service.fetch,
    );
    const error = await rejection(client.wallets.credit.withdraw({ amount: '10' }));
    expect(error).toMatchObject({ code: 'journal_failed', outcome: 'rejected' });
    expect((error as Error).message).toContain('could not check whose the renewed token is');
    expect(service.requests).toHaveLength(1);
  });

  it.each([
    'refuse',
    'send',
  ] as const)('or nothing is sent if somebody was known only after the token was chosen (%s)', async (onStoreFailure) => {
    const { app, signInBob, clientWith, tokens } = appOf({ onStoreFailure });
    app.user = undefined;
    const client = clientWith(() => signInBob().token);
    const withdraw = () => client.wallets.credit.withdraw({ amount: '10' });
    const error = await rejection(withdraw());
    expect(error).toMatchObject({ code: 'journal_failed', outcome: 'not_sent', next: 'retry' });
    expect(tokens()).toEqual([]);
    await withdraw();
    expect(tokens()).toEqual(['Bearer token-of-bob']);
  });

  it('also where only the logins show whose the tokens are', async () => {
    const { app, store, signInBob, clientWith } = appOf({ user: undefined });
    const clock = systemClock;
    await learnUser(store, clock, tokenHashOf('token-of-ada'), 'ada');
    await learnUser(store, clock, tokenHashOf('token-of-bob'), 'bob');
    const service = scriptedFetch(() => json({ message: 'Unauthorized' }, 401));
    const client = clientWith(
      ({ reason }) => (reason === 'rejected' ? signInBob().token : app.token),
      service.fetch,
    );
    const error = await rejection(client.wallets.credit.withdraw({ amount: '10' }));
    expect(error).toMatchObject(REFUSED);
    expect(service.requests).toHaveLength(1);
  });

  it('and the error of the token comes first where nobody is logged in', async () => {
    const user = () => {
      throw new TypeError('there is no session');
    };
    const { clientWith } = appOf({ user });
    const client = clientWith(() => {
      throw new SessionError('session_ended', { reason: 'signed_out' });
    });
    const error = await rejection(client.wallets.credit.withdraw({ amount: '10' }));
    expect(error).toMatchObject({ code: 'session_ended', next: 'log_in' });
  });

  it('and a request of one user is not looked up with the token of another', async () => {
    const { app, signInBob, clientWith } = appOf();
    const lost = clientWith(() => app.token, scriptedFetch(new Error('broken')).fetch);
    await rejection(lost.wallets.credit.withdraw({ amount: '10' }));
    const reads = scriptedFetch(() => json([]));
    const client = clientWith(() => signInBob().token, reads.fetch);
    const [entry] = await client.journal.pending();
    if (entry === undefined) throw new Error('there must be an entry');
    expect(await client.journal.reconcile(entry)).toMatchObject({
      verdict: 'undecided',
      reason: 'another user has logged in meanwhile',
    });
    Object.assign(app, { user: 'ada', token: 'token-of-ada' });
    const error = await rejection(client.journal.recover(() => {}));
    expect(error).toMatchObject({ option: 'journal.user' });
    expect(reads.requests).toEqual([]);
  });

  it.each([
    ['the journal names', {}, ['token-of-ada', 'token-of-bob']],
    ['the logins show', { user: undefined }, ['token-of-ada', 'token-of-bob']],
    ['a token shows, without its user', { user: undefined }, ['token-of-bob']],
  ])('nor with a renewed token, where it is of another user than %s', async (_, journal, known) => {
    const { app, store, signInBob, clientWith } = appOf(journal);
    for (const token of known) {
      await learnUser(store, systemClock, tokenHashOf(token), token.replace('token-of-', ''));
    }
    const lost = clientWith(() => app.token, scriptedFetch(new Error('broken')).fetch);
    await rejection(lost.wallets.credit.withdraw({ amount: '10' }));
    const reads = scriptedFetch(() => json({ message: 'Unauthorized' }, 401));
    const client = clientWith(
      ({ reason }) => (reason === 'rejected' ? signInBob().token : 'token-of-ada'),
      reads.fetch,
    );
    const error = await rejection(client.journal.recover(() => {}));
    expect(error).toMatchObject({ code: 'session_mismatch' });
    const sent = reads.requests.map(({ init }) => new Headers(init.headers).get('authorization'));
    expect(sent).toEqual(['Bearer token-of-ada']);
  });
});

import { describe, expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/client.js';
import { type KeyValueStore, outcomeOf, ResponseValidationError } from '../../src/index.js';
import { createJournal } from '../../src/journal/journal.js';
import type { StoredEntry } from '../../src/journal/stored-entry.js';
import { json, rejection } from '../support/clients.js';
import { MapStore } from '../support/map-store.js';
import { clientOf, clockOf, lookTwice, lose, OWN_WALLET, platformWithUser } from './support.js';

const MINUTE = 60_000;

function setUp(
  change: Parameters<ReturnType<typeof platformWithUser>['mock']['users']['add']>[0] = {},
) {
  const { mock } = platformWithUser();
  const ada = mock.users.add({
    card: 'ACTIVE',
    wallets: [{ network: 'linea', currency: 'usdc', balance: '50' }],
    externalWallets: [
      { address: OWN_WALLET, currency: 'usdc', balance: '0', allowance: '5', network: 'linea' },
    ],
    ...change,
  });
  const store = new MapStore();
  const client = clientOf(mock, ada, store);
  return { mock, ada, user: mock.users.get(ada.id), store, client };
}

const entriesIn = (store: Map<string, string>): string[] =>
  [...store]
    .filter(([key]) => /\.journal\.\d+$/.test(key))
    .flatMap(([, text]) => JSON.parse(text).entries)
    .filter(({ state }: StoredEntry) => state === undefined);

describe('a journal entry', () => {
  it('is in the store while the request is in flight, and is gone when it was executed', async () => {
    const { mock, ada, store } = setUp();
    let during: string[] = [];
    const client = clientOf(mock, ada, store, {
      fetch: (url, init) => {
        if (url.includes('withdraw')) during = entriesIn(store);
        return mock.fetch(url, init);
      },
    });
    await client.wallets.credit.withdraw({ amount: '10' });
    expect(during).toHaveLength(1);
    expect(entriesIn(store)).toEqual([]);
    expect(await client.journal.pending()).toEqual([]);
  });

  it('is gone after a refusal, and after a request that was never sent', async () => {
    const { mock, client } = setUp();
    await rejection(client.wallets.credit.withdraw({ amount: '1000' }));
    mock.drop('wallets.credit.withdraw', 'refused', { times: 9 });
    await rejection(client.wallets.credit.withdraw({ amount: '10' }, { retry: false }));
    expect(await client.journal.pending()).toEqual([]);
  });

  it('stays after an unknown outcome, with only the fields that are needed to look it up', async () => {
    const { mock, ada, client } = setUp();
    mock.drop('wallets.credit.withdraw', 'after-processing');
    const error = await lose(client.wallets.credit.withdraw({ amount: '10' }));
    expect(outcomeOf(error)).toBe('unknown');
    const [entry, ...others] = await client.journal.pending();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      operation: 'wallets.credit.withdraw',
      region: 'global',
      details: { amount: '10' },
    });
    expect(JSON.stringify(entry)).not.toContain(mock.accessTokenFor(ada));
  });

  it('is not written for reads and for requests that may be sent twice', async () => {
    const { client, store } = setUp();
    await client.card.status();
    await client.card.freeze();
    expect(store.size).toBe(0);
  });

  it('stays when the caller aborts a request that has left', async () => {
    const { mock, ada, store } = setUp();
    const controller = new AbortController();
    const client = clientOf(mock, ada, store, {
      fetch: () => {
        controller.abort(new Error('the user left'));
        return new Promise<Response>(() => {});
      },
    });
    await rejection(client.wallets.credit.withdraw({ amount: '1' }, { signal: controller.signal }));
    expect(await client.journal.pending()).toHaveLength(1);
  });

  it('is written for requests to endpoints without a method, which stay undecided', async () => {
    const { mock, client } = setUp();
    mock.fail('*', 503);
    await rejection(
      client.request('POST', '/v1/wallet/credit/withdraw', { body: { amount: '1' } }),
    );
    const [entry] = await client.journal.pending();
    expect(entry).toMatchObject({ operation: 'request', details: { method: 'POST' } });
    if (entry === undefined) throw new Error('there must be an entry');
    expect((await client.journal.reconcile(entry)).verdict).toBe('undecided');
  });
});

const HTML = { 'content-type': 'text/html' };

describe('a success that the caller cannot read', () => {
  it('leaves no entry when only a field is missing: the service said that it has acted', async () => {
    const { mock, ada, store } = setUp();
    const client = clientOf(mock, ada, store, { fetch: async () => json({ success: true }) });
    const error = await rejection(client.wallets.credit.withdraw({ amount: '10' }));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(outcomeOf(error)).toBe('executed');
    expect(entriesIn(store)).toEqual([]);
  });

  it.each([
    ['words of another form', json({ message: 'Insufficient balance' }), 'rejected'],
    ['the page of a portal', new Response('<html>', { headers: HTML }), 'executed'],
    ['no body', new Response(null, { status: 204 }), 'executed'],
    ['another shape', json({ success: 'perhaps' }), 'executed'],
    ['a 4xx page', new Response('<html>', { status: 403, headers: HTML }), 'rejected'],
  ])('leaves its entry after %s, whatever is probable', async (_, response, probableOutcome) => {
    const { mock, ada, store } = setUp();
    const client = clientOf(mock, ada, store, { fetch: async () => response.clone() });
    const error = await rejection(client.wallets.credit.withdraw({ amount: '10' }));
    expect(error).toMatchObject({ outcome: 'unknown', probableOutcome });
    expect(entriesIn(store)).toHaveLength(1);
  });

  it('leaves its entry when only a schema that waits could tell a success', async () => {
    const { mock, ada, store } = setUp();
    const client = clientOf(mock, ada, store, { fetch: async () => json({ id: 7 }) });
    const validate = async () => ({ issues: [{ message: 'not a success' }] });
    const schema = { '~standard': { version: 1, vendor: 'test', validate } } as const;
    const error = await rejection(client.request('POST', '/v1/things', { body: {}, schema }));
    expect(error).toMatchObject({ outcome: 'unknown', probableOutcome: 'executed' });
    expect(entriesIn(store)).toHaveLength(1);
  });

  it("leaves no entry when the caller's own schema rejects it", async () => {
    const { mock, ada, store } = setUp();
    const client = clientOf(mock, ada, store, { fetch: async () => json({ success: true }) });
    const validate = async () => {
      expect(entriesIn(store)).toHaveLength(1);
      throw new Error('a bug of the schema');
    };
    const schema = { '~standard': { version: 1, vendor: 'test', validate } } as const;
    const error = await rejection(client.request('POST', '/v1/things', { body: {}, schema }));
    expect(error).toMatchObject({ outcome: 'executed' });
    expect(entriesIn(store)).toEqual([]);
  });
});

describe('a call that ends while its entry is being written', () => {
  /** A store whose writes wait until the test settles them. */
  function slowStore() {
    const store = new MapStore();
    const removed: string[] = [];
    let settle: { resolve: () => void; reject: (error: Error) => void } | undefined;
    const written = new Promise<void>((resolve, reject) => {
      settle = { resolve, reject };
    });
    let isAsked: (() => void) | undefined;
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const slow: KeyValueStore = {
      get: (key) => store.get(key),
      set: (key, value) => store.set(key, value),
      delete: (key) => store.delete(key),
      update: async (key, change) => {
        if (key.includes('.journal.')) {
          isAsked?.();
          await written;
        }
        const before = entriesIn(store).length;
        store.update(key, change);
        if (entriesIn(store).length < before) removed.push(key);
      },
    };
    return { store, slow, removed, asked, settle: () => settle };
  }

  async function abortWhileWriting() {
    const { mock, ada } = setUp();
    const { slow, ...rest } = slowStore();
    const controller = new AbortController();
    const client = clientOf(mock, ada, slow);
    const call = rejection(
      client.wallets.credit.withdraw({ amount: '10' }, { signal: controller.signal }),
    );
    await rest.asked;
    controller.abort();
    expect(outcomeOf(await call)).toBe('not_sent');
    return { mock, ...rest };
  }

  it('leaves no entry behind when the write succeeds later', async () => {
    const { mock, store, removed, settle } = await abortWhileWriting();
    settle()?.resolve();
    await expect.poll(() => removed).toHaveLength(1);
    expect(entriesIn(store)).toEqual([]);
    expect(mock.requests.length).toBe(0);
  });

  it('ends without an unhandled rejection when the write fails later', async () => {
    const { mock, store, settle } = await abortWhileWriting();
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    settle()?.reject(new Error('full'));
    // Node reports an unhandled rejection once the queue of microtasks is empty.
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
    expect(entriesIn(store)).toEqual([]);
    expect(mock.requests.length).toBe(0);
  });
});

describe('a store that fails', () => {
  const failing = (method: keyof KeyValueStore): KeyValueStore =>
    Object.assign(new MapStore(), { [method]: () => Promise.reject(new Error('full')) });

  for (const method of ['get', 'set', 'update', 'delete'] as const) {
    it(`at ${method} makes the call fail before anything is sent`, async () => {
      const { mock, ada } = setUp();
      const client = clientOf(mock, ada, failing(method));
      const error = await rejection(client.wallets.credit.withdraw({ amount: '10' }));
      expect(error).toMatchObject({
        code: 'journal_failed',
        outcome: 'not_sent',
        attempts: 0,
        isRetryable: true,
      });
      expect(mock.requests.length).toBe(0);
    });

    it(`at ${method} is ignored when the caller asks for that`, async () => {
      const { mock, ada } = setUp();
      const journal = { store: failing(method), onStoreFailure: 'send' } as const;
      const client = clientOf(mock, ada, new MapStore(), { journal: createJournal(journal) });
      expect(await client.wallets.credit.withdraw({ amount: '10' })).toHaveProperty('txHash');
    });
  }

  it('at the removal of an entry does not change a success', async () => {
    const { mock, ada } = setUp();
    const store = new MapStore();
    const client = clientOf(mock, ada, store);
    const { update } = store;
    let updates = 0;
    // Once when the store is tried, and once when the entry is written.
    store.update = (key, change) => {
      if (++updates === 3) throw new Error('full');
      update.call(store, key, change);
    };
    await client.user.get();
    expect(await client.wallets.credit.withdraw({ amount: '10' })).toHaveProperty('txHash');
    const [entry] = await client.journal.pending();
    if (entry === undefined) throw new Error('there must be an entry');
    expect((await lookTwice(mock, client, entry)).verdict).toBe('executed');
  });
});

describe('reconcile', () => {
  it('returns executed when the response of a withdrawal was lost, and shows the history entry', async () => {
    const { mock, client, user } = setUp();
    await client.user.get();
    mock.drop('wallets.credit.withdraw', 'after-processing');
    await lose(client.wallets.credit.withdraw({ amount: '10' }));
    const before = mock.requests.length;
    const [entry] = await client.journal.pending();
    if (entry === undefined) throw new Error('there must be an entry');
    const result = await lookTwice(mock, client, entry);
    expect(result).toMatchObject({ verdict: 'executed', otherCauses: [] });
    expect(result.evidence).toContainEqual({
      source: 'wallets.history.list',
      found: [expect.objectContaining({ amount: '10', sign: 'debit' })],
    });
    expect(mock.requests.slice(before).every(({ method }) => method === 'GET')).toBe(true);
    expect(user.creditWallet.balance).toBe('90');
    await client.journal.remove(entry, 'executed');
    expect(await client.journal.pending()).toEqual([]);
  });

  it('returns not_executed only after the settle time', async () => {
    const { mock, client } = setUp();
    mock.drop('wallets.internal.withdraw', 'before-processing');
    const [own] = await client.wallets.internal.list();
    await lose(
      client.wallets.internal.withdraw({
        amount: '5',
        currency: 'usdc',
        sourceAddress: own?.address ?? '',
        recipientAddress: OWN_WALLET,
      }),
    );
    const [entry] = await client.journal.pending();
    if (entry === undefined) throw new Error('there must be an entry');
    expect((await client.journal.reconcile(entry)).verdict).toBe('undecided');
    mock.advance(6 * MINUTE);
    expect((await client.journal.reconcile(entry)).verdict).toBe('not_executed');
  });

  it('does not mistake an earlier equal withdrawal for the lost one', async () => {
    const { mock, client } = setUp();
    await client.wallets.credit.withdraw({ amount: '10' });
    mock.drop('wallets.credit.withdraw', 'before-processing');
    await lose(client.wallets.credit.withdraw({ amount: '10.0' }));
    await client.wallets.credit.withdraw({ amount: '10' });
    mock.advance(6 * MINUTE);
    const [entry] = await client.journal.pending();
    if (entry === undefined) throw new Error('there must be an entry');
    expect((await lookTwice(mock, client, entry)).verdict).toBe('not_executed');
  });

  it('is undecided for two equal withdrawals of which one was executed', async () => {
    const { mock, client } = setUp();
    mock.drop('wallets.credit.withdraw', 'before-processing');
    await lose(client.wallets.credit.withdraw({ amount: '10' }));
    mock.drop('wallets.credit.withdraw', 'after-processing');
    await lose(client.wallets.credit.withdraw({ amount: '10' }));
    mock.advance(6 * MINUTE);
    for (const entry of await client.journal.pending()) {
      expect((await lookTwice(mock, client, entry)).verdict).toBe('undecided');
    }
  });

  it('reads nothing and decides nothing for an entry of another user', async () => {
    const { mock, client, store } = setUp();
    mock.drop('wallets.credit.withdraw', 'after-processing');
    await lose(client.wallets.credit.withdraw({ amount: '10' }));
    const [entry] = await client.journal.pending();
    if (entry === undefined) throw new Error('there must be an entry');
    const bob = clientOf(mock, mock.users.add({}), store);
    const before = mock.requests.length;
    expect((await bob.journal.reconcile(entry)).verdict).toBe('undecided');
    expect(mock.requests.length).toBe(before);
  });

  it('recognises the user after another login', async () => {
    const { mock, ada, store } = setUp();
    const appClient = new CardPlatformClient({
      baseUrl: mock.baseUrl,
      fetch: mock.fetch,
      ...mock.credentials,
      clock: clockOf(mock),
      journal: createJournal({ store, hasAllRequests: true }),
    });
    const login = async () => {
      const session = await appClient.auth.login({ email: ada.email, password: ada.password });
      if (session.phase) throw new Error('the user must be ready');
      return appClient.withAccessToken(session.accessToken);
    };
    const first = await login();
    mock.drop('wallets.credit.withdraw', 'after-processing');
    await lose(first.wallets.credit.withdraw({ amount: '10' }));
    const second = await login();
    const [entry] = await second.journal.pending();
    if (entry === undefined) throw new Error('there must be an entry');
    expect(entry.user).toBe(ada.id);
    expect((await lookTwice(mock, second, entry)).verdict).toBe('executed');
  });
});

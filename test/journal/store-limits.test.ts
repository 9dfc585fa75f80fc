import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KeyValueStore } from '../../src/index.js';
import { createJournal } from '../../src/journal/journal.js';
import { Pages } from '../../src/journal/pages.js';
import { findUser, learnUser, tokenHashOf } from '../../src/journal/users.js';
import { rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';
import { MapStore } from '../support/map-store.js';
import {
  debit,
  lookTwice,
  loseRequest,
  SETTLED,
  setUpScripted,
  WITHDRAWAL,
  withHistory,
} from './scripted-reads.js';

/** The values that any store takes are shorter: the keychain of a phone takes 2 kB. */
const MOST_BYTES = 2_047;
const clock = new FakeClock({ auto: false });
const ENTRY = {
  id: '1',
  operation: 'webhooks.create',
  at: 0,
  region: 'global',
  details: {},
} as const;
const responses = withHistory([debit()]);

const bytesOf = (text: string) => new TextEncoder().encode(text).length;
const longest = (store: Map<string, string>) => Math.max(0, ...[...store.values()].map(bytesOf));

describe('a value in the store', () => {
  it('is below 2 kB: an entry with longer details loses them', async () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3_000, size: 'max' }),
      fc.constantFrom('x'.repeat(5_000), '\u{1f4b8}'.repeat(255), '"\\'.repeat(900)),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (name) => {
        const store = new MapStore();
        const pages = new Pages(store, clock);
        await pages.add({ ...ENTRY, details: { name } });
        expect(longest(store)).toBeLessThanOrEqual(MOST_BYTES);
        const [entry] = (await pages.read()).entries;
        expect([{ name }, {}]).toContainEqual(entry?.details);
        if (name.length < 250) expect(entry?.details).toEqual({ name });
      }),
    );
  });

  // A page has 2,040 characters, of which 150 are kept free for it and for each of its entries.
  it.each([
    ['keeps', 1_639, 'x'.repeat(1_639)],
    ['loses', 1_640, undefined],
  ])('has room for an entry that %s a detail of %i characters', async (_, length, name) => {
    const store = new MapStore();
    const pages = new Pages(store, clock);
    await pages.add({ ...ENTRY, details: { name: 'x'.repeat(length) } });
    const [entry] = (await pages.read()).entries;
    expect(entry?.details['name']).toBe(name);
    if (name !== undefined) expect(longest(store)).toBe(1_740);
  });

  it.each([
    ['in it', 401, 1],
    ['in the next value', 402, 2],
  ])('has room for a second entry %s, if that has %i characters more', async (_, length, values) => {
    const store = new MapStore();
    const pages = new Pages(store, clock);
    await pages.add({ ...ENTRY, details: { name: 'x'.repeat(1_000) } });
    await pages.add({ ...ENTRY, id: '2', details: { name: 'x'.repeat(length) } });
    expect(store.size).toBe(values);
  });

  const time = 10_000_000_000_000;
  const GROWN = {
    since: time,
    until: time,
    emptySince: time,
    doneBy: time,
    verdict: 'not_executed',
    state: 'executed',
  } as const;

  it('stays below 2 kB while entries change', async () => {
    const store = new MapStore();
    const pages = new Pages(store, clock);
    for (let count = 0; count < 40; count++) {
      await pages.add({ ...ENTRY, id: `${count}`, details: { name: 'x'.repeat(count * 10) } });
    }
    for (let count = 0; count < 40; count++) {
      await pages.change(`${count}`, (entry) => ({ ...entry, ...GROWN }));
      expect(longest(store)).toBeLessThanOrEqual(MOST_BYTES);
    }
    const { entries } = await pages.read();
    expect(entries.every(({ state }) => state === 'executed')).toBe(true);
    expect(entries).toHaveLength(40);
  });

  it.each([
    [1_999, 'one entry more'],
    [2_000, 'none: it says what to do'],
  ])('if %i pages are full, has room for %s', async (count, room) => {
    const first = new MapStore();
    await new Pages(first, clock).add({ ...ENTRY, details: { name: 'x'.repeat(1_500) } });
    const [[key = '', text = ''] = []] = first;
    expect(key).toMatch(/\D0$/);
    const store = new MapStore();
    for (let page = 0; page < count; page++) store.set(key.replace(/0$/, `${page}`), text);
    const added = new Pages(store, clock).add({ ...ENTRY, id: 'added' });
    if (room === 'one entry more') await added;
    else await expect(added).rejects.toThrow('reconcile and remove its entries');
    const { entries } = await new Pages(store, clock).read();
    expect(entries).toHaveLength(2_000);
    expect(entries.at(-1)?.id).toBe(room === 'one entry more' ? 'added' : '1');
  });

  it('keeps the last twenty users, and each in as little as fits', async () => {
    const store = new MapStore();
    for (let user = 0; user < 50; user++)
      await learnUser(store, clock, `session-${user}`, `user-${user}`);
    expect(await findUser(store, clock, 'session-49')).toBe('user-49');
    expect(await findUser(store, clock, 'session-30')).toBe('user-30');
    expect(await findUser(store, clock, 'session-29')).toBeUndefined();
    for (let user = 0; user < 50; user++) {
      await learnUser(store, clock, `session-${user}`, `${user}`.padEnd(100, 'é'));
      expect(longest(store)).toBeLessThanOrEqual(MOST_BYTES);
      expect(await findUser(store, clock, `session-${user}`)).toBe(`${user}`.padEnd(100, 'é'));
    }
  });

  it.each([
    [15, 'u'.repeat(15), 1_900],
    [16, undefined, 1_861],
  ])('has 1,900 characters for users: the first one of %i letters is then %s', async (length, user, bytes) => {
    const store = new MapStore();
    await learnUser(store, clock, 'session-00000000', 'u'.repeat(length));
    for (let number = 1; number < 16; number++) {
      const token = `session-${String(number).padStart(8, '0')}`;
      await learnUser(store, clock, token, 'x'.repeat(100));
    }
    expect(await findUser(store, clock, 'session-00000000')).toBe(user);
    expect(longest(store)).toBe(bytes);
  });

  it('knows the users of hundreds of logins on a server', async () => {
    const store = new MapStore();
    const tokens = Array.from({ length: 600 }, (_, number) => tokenHashOf(`token ${number}`));
    for (const [number, token] of tokens.entries())
      await learnUser(store, clock, token, `${number}`);
    const found = await Promise.all(tokens.map((token) => findUser(store, clock, token)));
    expect(found).toEqual(tokens.map((_, number) => `${number}`));
    expect(longest(store)).toBeLessThanOrEqual(MOST_BYTES);
  });

  it.each([
    undefined,
    5,
    '',
    'x'.repeat(101),
  ])('holds no user of a login that is %s', async (user) => {
    const store = new MapStore();
    await learnUser(store, clock, 'session', user);
    expect(store.size).toBe(0);
  });

  it('of users that is damaged holds none', async () => {
    for (const text of ['{', '{}', '[5]', '[["session"],[1,"user"]]']) {
      const store = new MapStore([['card-platform.journal.users.se', text]]);
      expect(await findUser(store, clock, 'session')).toBeUndefined();
      await learnUser(store, clock, 'session', 'user');
      expect(await findUser(store, clock, 'session')).toBe('user');
    }
  });
});

describe('the hash of a token', () => {
  it('is the one of entries that an earlier version has stored', () => {
    // printf '%s' 'card-platform-sdk journal token-of-ada' | sha256sum | cut -c 1-16
    expect(tokenHashOf('token-of-ada')).toBe('f8942a4c15522231');
  });
});

describe('an entry that was removed without a verdict', () => {
  it('makes an effect undecided that it could have had', async () => {
    const scene = setUpScripted(responses);
    const removed = await loseRequest(scene, WITHDRAWAL);
    const entry = await loseRequest(scene, WITHDRAWAL);
    await scene.client.journal.remove(removed, 'undecided');
    await scene.clock.advance(SETTLED);
    expect(await scene.client.journal.reconcile(entry)).toMatchObject({
      verdict: 'undecided',
      reason: 'the effect that the service shows may be of another request',
      otherCauses: [{ kind: 'request', request: { id: removed.id } }],
    });
  });
});

describe('an effect that is known to exist and is not shown', () => {
  it('decides nothing about another request', async () => {
    const scene = setUpScripted(withHistory([]));
    const known = await loseRequest(scene, WITHDRAWAL);
    const entry = await loseRequest(scene, WITHDRAWAL);
    await scene.client.journal.remove(known, 'executed');
    expect(await lookTwice(scene, entry)).toMatchObject({
      verdict: 'undecided',
      reason: 'the service does not show an effect that is known to exist',
    });
  });
});

describe('a store that fails while the entry is written', () => {
  it('sends nothing, and leaves no entry', async () => {
    const values = new MapStore();
    const scene = setUpScripted({}, { journal: createJournal({ store: values }) });
    const withdraw = () => rejection(scene.client.wallets.credit.withdraw({ amount: '1' }));
    await withdraw();
    const before = [...values];
    values.update = () => {
      throw new Error('full');
    };
    expect(await withdraw()).toMatchObject({
      code: 'journal_failed',
      outcome: 'not_sent',
      cause: expect.objectContaining({ message: 'full' }),
    });
    expect([...values]).toEqual(before);
  });
});

describe('a store that cannot work', () => {
  const withStore = (change: Partial<KeyValueStore>) =>
    Object.assign(new MapStore(), change) as KeyValueStore;
  it.each<[string, KeyValueStore]>([
    ['get did not return the text that set had written', withStore({ get: () => undefined })],
    ['get did not return the text that set had written', withStore({ set: () => undefined })],
    ['get did not return the text that set had written', withStore({ get: async () => 'other' })],
    [
      'get returned something other than text',
      withStore({ get: () => new Uint8Array(5) as never }),
    ],
    [
      'update did not pass on the text that set had written',
      withStore({ update: () => undefined }),
    ],
    [
      'get did not return the text that update had written',
      withStore({
        update(key, change) {
          change(this.get?.(key) as string);
        },
      }),
    ],
    ['get returned a text that delete had removed', withStore({ delete: () => undefined })],
  ])('fails the call before anything is sent: %s', async (fault, store) => {
    const scene = setUpScripted({}, { journal: createJournal({ store }) });
    const error = await rejection(scene.client.wallets.credit.withdraw({ amount: '1' }));
    expect(error).toMatchObject({ code: 'journal_failed', outcome: 'not_sent' });
    expect(String(error)).toContain(fault);
  });

  it.each(['get', 'set', 'delete', 'update'] as const)('because %s hangs', async (name) => {
    const store = withStore({ [name]: () => new Promise(() => {}) });
    const scene = setUpScripted({}, { journal: createJournal({ store }) });
    const call = rejection(
      scene.client.wallets.credit.withdraw({ amount: '1' }, { totalTimeout: 60_000 }),
    );
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    await scene.clock.advance(30_000);
    const error = await call;
    expect(error).toMatchObject({ code: 'journal_failed', outcome: 'not_sent' });
    expect(String(error)).toContain(`${name} did not finish within 30 seconds`);
  });

  it('is tried again by the next call', async () => {
    const store = new MapStore();
    const scene = setUpScripted({}, { journal: createJournal({ store }) });
    const { get } = store;
    store.get = () => undefined;
    const withdraw = () => rejection(scene.client.wallets.credit.withdraw({ amount: '1' }));
    expect(await withdraw()).toMatchObject({ code: 'journal_failed' });
    store.get = get;
    expect(await withdraw()).toMatchObject({ outcome: 'unknown' });
  });

  it('is refused by name when it lacks a function', () => {
    const store = new Map<string, string>() as unknown as KeyValueStore;
    expect(() => setUpScripted({}, { journal: createJournal({ store }) })).toThrow(
      /it lacks update/,
    );
  });
});

describe('an entry of a request for several wallets', () => {
  it('holds network and currency of each', async () => {
    const scene = setUpScripted({ 'wallets.internal.list': [] });
    const wallets = [
      { network: 'linea', currency: 'usdc' },
      { network: 'solana', currency: 'usdt' },
    ] as const;
    await rejection(scene.client.wallets.internal.create({ wallets }));
    const [entry] = await scene.client.journal.pending();
    if (entry === undefined) throw new Error('there must be an entry');
    expect(entry.details).toEqual({ wallets: 'linea:usdc,solana:usdt' });
    expect((await lookTwice(scene, entry)).verdict).toBe('not_executed');
  });
});

describe('a client without an access token', () => {
  it('decides nothing', async () => {
    const scene = setUpScripted(responses);
    const entry = await loseRequest(scene, WITHDRAWAL);
    await scene.clock.advance(SETTLED);
    const { client } = setUpScripted(responses, {
      journal: createJournal({ store: scene.store }),
      accessToken: undefined,
    });
    expect(await client.journal.reconcile(entry)).toMatchObject({
      verdict: 'undecided',
      reason: 'the client has no access token',
      evidence: [],
    });
  });
});

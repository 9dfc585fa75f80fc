import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../src/index.js';
import { createJournal } from '../../src/journal/journal.js';
import { findUser, learnUser } from '../../src/journal/known-users.js';
import { KEYS } from '../../src/journal/slots.js';
import { readEntry, writeEntry } from '../../src/journal/stored-entry.js';
import { holds } from '../properties/runs.js';
import { rejection } from '../support/clients.js';
import {
  debit,
  loseRequest,
  MINUTE,
  SETTLED,
  setUpScripted,
  WITHDRAWAL,
  withHistory,
} from './scripted-reads.js';

/** The values that any store takes are shorter: the keychain of a phone takes 2 kB. */
const MOST_BYTES = 2_000;
const responses = withHistory([debit()]);

const bytesOf = (text: string) => new TextEncoder().encode(text).length;
const longest = (store: Map<string, string>) => Math.max(0, ...[...store.values()].map(bytesOf));

describe('a value in the store', () => {
  it('has at most 2,000 bytes: an entry with longer details loses them', () => {
    const entry = { id: '1', operation: 'webhooks.create', at: 0, region: 'global' } as const;
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3_000, size: 'max' }),
      fc.constantFrom('x'.repeat(5_000), '\u{1f4b8}'.repeat(255), '"\\'.repeat(900)),
    );
    holds([texts], (name) => {
      const text = writeEntry({ ...entry, details: { name } });
      expect(bytesOf(text)).toBeLessThanOrEqual(MOST_BYTES);
      expect([{ name }, {}]).toContainEqual(readEntry('1', text).details);
      if (name.length < 250) expect(readEntry('1', text).details).toEqual({ name });
    });
  });

  it('keeps the newest of many remembered requests, and knows until when others are missing', async () => {
    const scene = setUpScripted(withHistory([]));
    const { journal } = scene.client;
    for (let count = 0; count < 30; count++) {
      await scene.clock.advance(MINUTE);
      await journal.remove(await loseRequest(scene, WITHDRAWAL), 'executed');
      expect(longest(scene.store)).toBeLessThanOrEqual(MOST_BYTES);
    }
    const { records, missingUntil } = JSON.parse(scene.store.get(KEYS.done(0)) ?? '');
    const times = records.map((record: JournalEntry) => record.at);
    expect(times).toEqual([...times].sort((one, other) => other - one));
    expect(times[0]).toBe(scene.clock.now());
    expect(missingUntil).toBe(times.at(-1) - MINUTE);
    const entry = await loseRequest(scene, WITHDRAWAL);
    await scene.clock.advance(SETTLED);
    expect((await journal.reconcile(entry)).verdict).toBe('undecided');
  });

  it('keeps the last twenty users, and each in as little as fits', async () => {
    const store = new Map<string, string>();
    for (let user = 0; user < 50; user++) await learnUser(store, `session-${user}`, `user-${user}`);
    expect(await findUser(store, 'session-49')).toBe('user-49');
    expect(await findUser(store, 'session-30')).toBe('user-30');
    expect(await findUser(store, 'session-29')).toBeUndefined();
    for (let user = 0; user < 50; user++) {
      await learnUser(store, `session-${user}`, `${user}`.padEnd(100, 'é'));
      expect(longest(store)).toBeLessThanOrEqual(MOST_BYTES);
      expect(await findUser(store, `session-${user}`)).toBe(`${user}`.padEnd(100, 'é'));
    }
  });

  it.each([
    undefined,
    5,
    '',
    'x'.repeat(101),
  ])('holds no user of a login that is %s', async (user) => {
    const store = new Map<string, string>();
    await learnUser(store, 'session', user);
    expect(store.size).toBe(0);
  });

  it('of users that is damaged holds none', async () => {
    for (const text of ['{', '{}', '[5]', '[["session"],[1,"user"]]']) {
      const store = new Map([[KEYS.users, text]]);
      expect(await findUser(store, 'session')).toBeUndefined();
      await learnUser(store, 'session', 'user');
      expect(await findUser(store, 'session')).toBe('user');
    }
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
      reason: 'the effects that the service shows may be those of other requests',
    });
  });
});

describe('an effect that is known to exist and is not shown', () => {
  it('decides nothing about another request', async () => {
    const scene = setUpScripted(withHistory([]));
    const known = await loseRequest(scene, WITHDRAWAL);
    const entry = await loseRequest(scene, WITHDRAWAL);
    await scene.client.journal.remove(known, 'executed');
    await scene.clock.advance(SETTLED);
    expect(await scene.client.journal.reconcile(entry)).toMatchObject({
      verdict: 'undecided',
      reason: 'the service does not yet show an effect that is known to exist',
    });
  });
});

describe('a store that fails while a slot is taken', () => {
  it('sends nothing, leaves no entry, and frees the slot', async () => {
    const values = new Map<string, string>();
    let fails = true;
    const store = {
      get: (key: string) => values.get(key),
      set: (key: string, value: string) => {
        if (fails && key.includes('.slot.')) throw new Error('full');
        values.set(key, value);
      },
      delete: (key: string) => values.delete(key),
    };
    const scene = setUpScripted({}, { journal: createJournal({ store }) });
    const withdraw = () => rejection(scene.client.wallets.credit.withdraw({ amount: '1' }));
    expect(await withdraw()).toMatchObject({ code: 'journal_failed', outcome: 'not_sent' });
    expect([...values.keys()].filter((key) => key.includes('.entry.'))).toEqual([]);
    fails = false;
    await withdraw();
    expect(await scene.client.journal.pending()).toHaveLength(1);
    expect(values.has(KEYS.slot(0))).toBe(true);
  });

  it('rejects with the error of the slot when the entry cannot be removed either', async () => {
    const store = {
      get: () => undefined,
      set: (key: string) => {
        if (key.includes('.slot.')) throw new Error('full');
      },
      delete: () => Promise.reject(new Error('gone')),
    };
    const scene = setUpScripted({}, { journal: createJournal({ store }) });
    const error = await rejection(scene.client.wallets.credit.withdraw({ amount: '1' }));
    expect(error).toMatchObject({
      code: 'journal_failed',
      outcome: 'not_sent',
      cause: expect.objectContaining({ message: 'full' }),
    });
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
    await scene.clock.advance(SETTLED);
    expect((await scene.client.journal.reconcile(entry)).verdict).toBe('not_executed');
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

import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../src/index.js';
import { lookupsOf } from '../../src/journal/lookups.js';
import { Pages } from '../../src/journal/pages.js';
import { findSimilarRequests } from '../../src/journal/similar-requests.js';
import type { StoredEntry } from '../../src/journal/stored-entry.js';
import { FakeClock } from '../support/fake-clock.js';
import { MapStore } from '../support/map-store.js';

const HOUR = 60 * 60_000;
const AT = 1_000 * HOUR;

const ENTRY: JournalEntry = {
  id: 'the entry',
  operation: 'wallets.credit.withdraw',
  at: AT,
  region: 'global',
  user: 'ada',
  tokenHash: 'session-1',
  details: { amount: '10' },
};
const entry = (change: Partial<JournalEntry>): JournalEntry => ({ ...ENTRY, ...change });
const other = (change: Partial<JournalEntry>) => entry({ id: 'another', ...change });

const BOB = { user: 'bob', tokenHash: 'session-2' };
const LINK = { operation: 'wallets.internal.linkToCard', details: { addressId: 'a' } };
const UNLINK = { ...LINK, operation: 'wallets.internal.unlinkFromCard' };
const LINK_OTHER = { ...LINK, details: { addressId: 'b' } };
const WEBHOOK = { operation: 'webhooks.create', details: { name: 'a' } };
const FROM_WALLET = {
  operation: 'wallets.internal.withdraw',
  details: { amount: '10', sourceAddress: '0xab' },
};
const OTHER_WEBHOOK = { ...WEBHOOK, details: { name: 'b' } };

const lookOf = lookupsOf({ store: new MapStore() });
const openSimilar = async (of: JournalEntry, ...others: JournalEntry[]) =>
  findSimilarRequests({ entries: others, missingUntil: 0 }, of, lookOf).possible;
const areSimilar = async (one: JournalEntry, two: JournalEntry) =>
  (await openSimilar(one, two)).length > 0;

describe('two requests have the same effect', () => {
  it.each([
    ['for another amount', {}, { details: { amount: '99' } }],
    ['of any user, if one is not known', {}, { user: undefined, tokenHash: undefined }],
    ['of one token, whatever user each names', {}, { user: 'bob' }],
    ['made by one user with two tokens', {}, { tokenHash: 'session-2' }],
    ['that act on one thing, linking and unlinking it', LINK, UNLINK],
    ['of which one lacks the thing', LINK, { ...LINK, details: {} }],
    ['from two wallets of which one is not known', {}, FROM_WALLET],
    ['of which one is an order, which a wallet may pay', {}, { operation: 'orders.create' }],
    ['of which one may do anything', {}, { operation: 'request', details: {} }],
    ['of which one is to an endpoint that nobody has declared', {}, { operation: 'own.pay' }],
    ['of two users of a tenant', WEBHOOK, { ...WEBHOOK, ...BOB }],
    ['of a tenant in two regions', WEBHOOK, { ...WEBHOOK, region: 'us' } as const],
  ])('%s', async (_, one, two) => {
    expect(await areSimilar(entry(one), other(two))).toBe(true);
  });

  it.each([
    ['of which one takes from no wallet', {}, { operation: 'card.unfreeze' }],
    ['of which one only links a wallet', {}, LINK],
    ['from two wallets', FROM_WALLET, { ...FROM_WALLET, details: { sourceAddress: '0xcd' } }],
    [
      'that order a card and unfreeze it',
      { operation: 'card.order' },
      { operation: 'card.unfreeze' },
    ],
    ['in two regions', {}, { region: 'us' } as const],
    ['of two users', {}, BOB],
    ['of two users without tokens', { tokenHash: undefined }, { ...BOB, tokenHash: undefined }],
    ['that link two wallets', LINK, LINK_OTHER],
    ['that create webhooks of two names', WEBHOOK, OTHER_WEBHOOK],
  ])('but not %s', async (_, one, two) => {
    expect(await areSimilar(entry(one), other(two))).toBe(false);
    expect(await areSimilar(other(two), entry(one))).toBe(false);
  });

  it.each([
    ['wallets.internal.withdraw', ['currency', 'sourceAddress', 'sourceMemo']],
    ['delegation.submitEvmApproval', ['address', 'network', 'currency']],
    ['delegation.submitSolanaApproval', ['address', 'network', 'currency']],
    ['wallets.internal.linkToCard', ['addressId']],
    ['webhooks.create', ['name']],
  ])('%s: if each of %j is the same in any case, or one lacks it', async (operation, names) => {
    for (const name of names) {
      const withThing = (value: string) => ({
        operation,
        details: { amount: '10', [name]: value },
      });
      const one = entry(withThing('0xAb'));
      expect(await areSimilar(one, other(withThing('0xaB')))).toBe(true);
      expect(await areSimilar(one, other({ operation }))).toBe(true);
      expect(await areSimilar(one, other(withThing('')))).toBe(true);
      expect(await areSimilar(other({ operation }), one)).toBe(true);
      expect(await areSimilar(one, other(withThing('0xcd')))).toBe(false);
    }
  });

  it('but never a request with itself', async () => {
    expect(await openSimilar(ENTRY, ENTRY)).toEqual([]);
    expect(await openSimilar(entry({ operation: 'unreadable' }), ENTRY)).toEqual([]);
  });
});

describe('the remembered requests', () => {
  const clock = new FakeClock({ auto: false });
  const keep = async (...entries: StoredEntry[]) => {
    const pages = new Pages(new MapStore(), clock);
    for (const each of entries) await pages.add(each);
    return pages.read();
  };

  it('are similar, by what became of them', async () => {
    const kept = await keep(
      { ...other({ id: '1' }), state: 'executed' },
      { ...other({ id: '2' }), state: 'possible' },
      { ...other({ id: '3', region: 'us' }), state: 'executed' },
      other({ id: '4', verdict: 'executed' }),
      other({ id: '5', verdict: 'not_executed' }),
      other({ id: '6' }),
      { ...other({ id: '7', operation: 'orders.create' }), state: 'executed' },
    );
    const found = findSimilarRequests(kept, ENTRY, lookOf);
    expect(found.executed.map(({ id }) => id)).toEqual(['1', '4']);
    // An order does not always take from this wallet.
    expect(found.possible.map(({ id }) => id)).toEqual(['2', '6', '7']);
    expect(found).toMatchObject({ missingUntil: 0, isDamaged: false });
  });

  it('show that one is damaged: it may be of any request', async () => {
    const kept = await keep(ENTRY, other({ operation: 'unreadable', region: 'us', user: 'bob' }));
    expect(findSimilarRequests(kept, ENTRY, lookOf).isDamaged).toBe(true);
  });

  const times = (since: number) => ({ since, doneBy: since });

  it("are remembered for two days of the service's clock, and then known to be missing", async () => {
    const done = (id: string, since: number) =>
      ({ ...other({ id, at: 0 }), ...times(since), state: 'executed' }) as const;
    const first = [done('1', AT), done('2', AT + 47 * HOUR)];
    expect((await keep(...first)).missingUntil).toBe(0);
    const later = await keep(...first, done('3', AT + 49 * HOUR));
    expect(later.entries.map(({ id }) => id)).toEqual(['2', '3']);
    expect(later.missingUntil).toBeGreaterThanOrEqual(AT);
    expect(later.missingUntil).toBeLessThan(AT + HOUR);
    const open = await keep(other({ id: '1', since: AT }), done('2', AT + 90 * HOUR));
    expect(open.entries.map(({ id }) => id)).toEqual(['1', '2']);
  });

  it.each([
    // The effect may be a minute later than its response.
    ["the service's clock", { at: 0, ...times(AT) }, 'since', AT + 48 * HOUR + 60_000],
    ['the clock of the device', { at: AT }, 'at', AT + 48 * HOUR],
  ] as const)('are remembered for two days of %s, and not a millisecond more', async (_, done, name, until) => {
    const first = { ...other({ id: '1', ...done }), state: 'executed' } as const;
    const idsAt = async (time: number) =>
      (await keep(first, other({ id: '2', [name]: time }))).entries.map(({ id }) => id);
    expect(await idsAt(until)).toEqual(['1', '2']);
    expect(await idsAt(until + 1)).toEqual(['2']);
  });

  it('are never forgotten because the device is wrong about the time', async () => {
    const kept = await keep(
      { ...other({ id: '1', at: AT }), ...times(AT), state: 'executed' },
      other({ id: '2', at: AT + 900 * HOUR, since: AT + HOUR }),
    );
    expect(kept.entries.map(({ id }) => id)).toEqual(['1', '2']);
    expect(kept.missingUntil).toBe(0);
  });

  it('are forgotten by the time of the device where no other is known, and are then missing', async () => {
    const store = new MapStore();
    const pages = new Pages(store, clock);
    await pages.add({ ...other({ id: '1', at: AT }), state: 'executed' });
    await pages.add(other({ id: '2', at: AT + 49 * HOUR }));
    const kept = await pages.read();
    expect(kept.entries.map(({ id }) => id)).toEqual(['2']);
    expect(kept.missingUntil).toBeGreaterThan(AT * 1_000);
    // As soon as the time is known, they are missing up to it.
    await pages.noteTime(kept, AT + 50 * HOUR);
    expect((await pages.read()).missingUntil).toBe(AT + 50 * HOUR);
  });

  it('get the latest time of the service that their page shows', async () => {
    const kept = await keep(
      other({ id: '1' }),
      other({ id: '2', since: AT }),
      other({ id: '3' }),
      other({ id: '4', since: AT + HOUR }),
      other({ id: '5', since: AT }),
    );
    const [first, ...later] = kept.entries.map(({ since }) => since);
    expect(first).toBeUndefined();
    expect(later).toEqual([AT, AT, AT + HOUR, AT + HOUR]);
  });

  it('get a time that was seen after they were read, and only those', async () => {
    const pages = new Pages(new MapStore(), clock);
    await pages.add(other({ id: '1' }));
    await pages.add(other({ id: '2', until: 5 }));
    await pages.add({ ...other({ id: '3' }), state: 'executed', doneBy: 6 });
    const read = await pages.read();
    await pages.add(other({ id: '4' }));
    await pages.noteTime(read, AT);
    const { entries } = await pages.read();
    expect(entries.map(({ until }) => until)).toEqual([AT, 5, undefined, undefined]);
  });
});

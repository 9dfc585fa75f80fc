import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../src/index.js';
import { Pages } from '../../src/journal/pages.js';
import { findRivals, ofOperation } from '../../src/journal/rivals.js';
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
  session: 'session-1',
  details: { amount: '10' },
};
const entry = (change: Partial<JournalEntry>): JournalEntry => ({ ...ENTRY, ...change });
const other = (change: Partial<JournalEntry>) => entry({ id: 'another', ...change });

const BOB = { user: 'bob', session: 'session-2' };
const LINK = { operation: 'wallets.internal.linkToCard', details: { addressId: 'a' } };
const UNLINK = { ...LINK, operation: 'wallets.internal.unlinkFromCard' };
const LINK_OTHER = { ...LINK, details: { addressId: 'b' } };
const WEBHOOK = { operation: 'webhooks.create', details: { name: 'a' } };
const OTHER_WEBHOOK = { ...WEBHOOK, details: { name: 'b' } };

const NO_LOOKS = new Map<string, never>();
const openRivals = async (of: JournalEntry, ...others: JournalEntry[]) =>
  findRivals({ entries: others, missingUntil: 0 }, of, NO_LOOKS).open;
const areRivals = async (one: JournalEntry, two: JournalEntry) =>
  (await openRivals(one, two)).length > 0;

describe('two requests have the same effect', () => {
  it.each([
    ['for another amount', {}, { details: { amount: '99' } }],
    ['of any user, if one is not known', {}, { user: undefined, session: undefined }],
    ['of one token, whatever user each names', {}, { user: 'bob' }],
    ['made by one user with two tokens', {}, { session: 'session-2' }],
    ['that act on one thing, linking and unlinking it', LINK, UNLINK],
    ['of which one lacks the thing', LINK, { ...LINK, details: {} }],
    [
      'of which one is damaged',
      {},
      { operation: 'unreadable', region: 'us', user: 'bob' } as const,
    ],
    ['of two users of a tenant', WEBHOOK, { ...WEBHOOK, ...BOB }],
    ['of a tenant in two regions', WEBHOOK, { ...WEBHOOK, region: 'us' } as const],
  ])('%s', async (_, one, two) => {
    expect(await areRivals(entry(one), other(two))).toBe(true);
    if (!('operation' in two && two.operation === 'unreadable')) {
      expect(await areRivals(other(two), entry(one))).toBe(true);
    }
  });

  it.each([
    ['of two operations', {}, { operation: 'wallets.internal.withdraw' }],
    ['in two regions', {}, { region: 'us' } as const],
    ['of two users', {}, BOB],
    ['of two users without tokens', { session: undefined }, { ...BOB, session: undefined }],
    ['that link two wallets', LINK, LINK_OTHER],
    ['that create webhooks of two names', WEBHOOK, OTHER_WEBHOOK],
  ])('but not %s', async (_, one, two) => {
    expect(await areRivals(entry(one), other(two))).toBe(false);
    expect(await areRivals(other(two), entry(one))).toBe(false);
  });

  it.each([
    'address',
    'network',
    'currency',
    'sourceAddress',
    'sourceMemo',
    'addressId',
    'name',
    'id',
  ])('if their %s is the same in any case, or one lacks it', async (name) => {
    const withThing = (value: string) => ({ details: { amount: '10', [name]: value } });
    const one = entry(withThing('0xAb'));
    expect(await areRivals(one, other(withThing('0xaB')))).toBe(true);
    expect(await areRivals(one, other({}))).toBe(true);
    expect(await areRivals(other({}), one)).toBe(true);
    expect(await areRivals(one, other(withThing('0xcd')))).toBe(false);
  });

  it('but never a request with itself', async () => {
    expect(await openRivals(ENTRY, ENTRY)).toEqual([]);
    expect(await openRivals(entry({ operation: 'unreadable' }), ENTRY)).toEqual([]);
  });
});

describe('the remembered requests', () => {
  const clock = new FakeClock({ auto: false });
  const keep = async (...entries: StoredEntry[]) => {
    const pages = new Pages(new MapStore(), clock);
    for (const each of entries) await pages.add(each);
    return pages.read();
  };

  it('are rivals by what became of them', async () => {
    const kept = await keep(
      { ...other({ id: '1' }), state: 'executed' },
      { ...other({ id: '2' }), state: 'possible' },
      { ...other({ id: '3', region: 'us' }), state: 'executed' },
    );
    const found = findRivals(kept, ENTRY, NO_LOOKS);
    expect(found.executed.map(({ id }) => id)).toEqual(['1']);
    expect(found.possible.map(({ id }) => id)).toEqual(['2']);
    expect(found).toMatchObject({ open: [], isDone: false, missingUntil: 0 });
  });

  it.each([
    ['executed', true],
    ['possible', false],
  ] as const)('show whether the response of the entry itself was read: %s', async (state, isDone) => {
    const kept = await keep({ ...ENTRY, state });
    expect(findRivals(kept, ENTRY, NO_LOOKS).isDone).toBe(isDone);
  });

  it('are remembered for two days, and then known to be missing', async () => {
    const done = (id: string, at: number) => ({ ...other({ id, at }), state: 'executed' }) as const;
    const first = [done('1', AT), done('2', AT + 47 * HOUR)];
    expect((await keep(...first)).missingUntil).toBe(0);
    const later = await keep(...first, done('3', AT + 48 * HOUR + 1));
    expect(later.entries.map(({ id }) => id)).toEqual(['2', '3']);
    expect(later.missingUntil).toBe(AT);
    const open = await keep(other({ id: '1', at: AT }), done('2', AT + 90 * HOUR));
    expect(open.entries.map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('of one operation leave out what only acts on the same thing', async () => {
    const link = (id: string) => entry({ ...LINK, id });
    const unlink = (id: string) => entry({ ...UNLINK, id });
    const kept = await keep(
      { ...link('1'), state: 'executed' },
      { ...unlink('2'), state: 'executed' },
      { ...link('3'), state: 'possible' },
      { ...unlink('4'), state: 'possible' },
      link('5'),
      unlink('6'),
      entry({ id: '7', operation: 'unreadable' }),
    );
    const rivals = findRivals(kept, entry(LINK), NO_LOOKS);
    expect(rivals.open).toHaveLength(3);
    const own = ofOperation(rivals, LINK.operation);
    const idsOf = (requests: readonly { id: string }[]) => requests.map(({ id }) => id);
    expect(idsOf(own.executed)).toEqual(['1']);
    expect(idsOf(own.possible)).toEqual(['3']);
    expect(idsOf(own.open)).toEqual(['5', '7']);
  });
});

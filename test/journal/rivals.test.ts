import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../src/index.js';
import { rememberDone } from '../../src/journal/done-records.js';
import { findRivals, ofOperation } from '../../src/journal/rivals.js';
import { KEYS } from '../../src/journal/slots.js';

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

const openRivals = async (of: JournalEntry, ...others: JournalEntry[]) =>
  (await findRivals(new Map(), of, others, new Map())).open;
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
  const store = async (...done: [JournalEntry, 'executed' | 'possible'][]) => {
    const values = new Map<string, string>();
    for (const [slot, [request, state]] of done.entries()) {
      values.set(KEYS.slot(slot), request.id);
      await rememberDone(values, slot, request, state);
    }
    return values;
  };

  it('are rivals by what became of them', async () => {
    const values = await store(
      [other({ id: '1' }), 'executed'],
      [other({ id: '2' }), 'possible'],
      [other({ id: '3', region: 'us' }), 'executed'],
    );
    const found = await findRivals(values, ENTRY, [], new Map());
    expect(found.executed.map(({ id }) => id)).toEqual(['1']);
    expect(found.possible.map(({ id }) => id)).toEqual(['2']);
    expect(found).toMatchObject({ open: [], isDone: false, missingUntil: 0 });
  });

  it('show that the response of the entry itself was read', async () => {
    const isDone = async (state: 'executed' | 'possible') =>
      (await findRivals(await store([ENTRY, state]), ENTRY, [], new Map())).isDone;
    expect(await isDone('executed')).toBe(true);
    expect(await isDone('possible')).toBe(false);
  });

  it('are remembered for two days, and then known to be missing', async () => {
    const values = await store([other({ id: '1', at: AT }), 'executed']);
    await rememberDone(values, 0, other({ id: '2', at: AT + 47 * HOUR }), 'executed');
    let found = await findRivals(values, ENTRY, [], new Map());
    expect(found.executed.map(({ id }) => id)).toEqual(['2', '1']);
    expect(found.missingUntil).toBe(0);
    await rememberDone(values, 0, other({ id: '3', at: AT + 48 * HOUR }), 'executed');
    found = await findRivals(values, ENTRY, [], new Map());
    expect(found.executed.map(({ id }) => id)).toEqual(['3', '2']);
    expect(found.missingUntil).toBe(AT);
    // The latest time counts, in whichever order they leave.
    await rememberDone(values, 0, other({ id: '4', at: AT + 96 * HOUR }), 'executed');
    found = await findRivals(values, ENTRY, [], new Map());
    expect(found.missingUntil).toBe(AT + 48 * HOUR);
  });

  it('have one record each, the last one', async () => {
    const values = await store([other({ id: '1' }), 'possible']);
    await rememberDone(values, 0, other({ id: '1' }), 'executed');
    const found = await findRivals(values, ENTRY, [], new Map());
    expect(found.executed.map(({ id }) => id)).toEqual(['1']);
    expect(found.possible).toEqual([]);
  });

  it('of one operation leave out what only acts on the same thing', async () => {
    const link = (id: string) => ({ ...LINK, id });
    const unlink = (id: string) => ({ ...UNLINK, id });
    const values = await store(
      [entry(link('1')), 'executed'],
      [entry(unlink('2')), 'executed'],
      [entry(link('3')), 'possible'],
      [entry(unlink('4')), 'possible'],
    );
    const open = [link('5'), unlink('6'), { id: '7', operation: 'unreadable' }].map(entry);
    const rivals = await findRivals(values, entry(LINK), open, new Map());
    expect(rivals.open).toHaveLength(3);
    const own = ofOperation(rivals, LINK.operation);
    const idsOf = (requests: readonly { id: string }[]) => requests.map(({ id }) => id);
    expect(idsOf(own.executed)).toEqual(['1']);
    expect(idsOf(own.possible)).toEqual(['3']);
    expect(idsOf(own.open)).toEqual(['5', '7']);
  });
});

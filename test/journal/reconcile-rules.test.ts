import { describe, expect, it } from 'vitest';
import { createJournal } from '../../src/journal/journal.js';
import { json, rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';
import { MapStore } from '../support/map-store.js';
import {
  at,
  CREDIT_WALLET,
  DAY,
  debit,
  jsonAt,
  lookTwice,
  loseRequest,
  MINUTE,
  type ReadResponses,
  reconcileScripted,
  type Scene,
  SETTLED,
  setUpScripted,
  WITHDRAWAL,
  withHistory,
} from './scripted-reads.js';

const verdictOf = async (scene: Scene, entry: Awaited<ReturnType<typeof loseRequest>>) =>
  (await lookTwice(scene, entry, MINUTE)).verdict;

describe('a request that ends during the reads', () => {
  it('decides by itself if it is the one that is looked up, and its response arrives', async () => {
    const scene = setUpScripted(
      withHistory(() => scene.client.journal.remove(entry, 'executed').then(() => [])),
    );
    const entry = await loseRequest(scene, WITHDRAWAL);
    expect(await scene.client.journal.reconcile(entry)).toMatchObject({
      verdict: 'executed',
      reason: 'its response was read',
    });
  });
});

describe('a look that is aborted', () => {
  it('ends its reads, and says nothing of the request', async () => {
    const page = new AbortController();
    const reads: string[] = [];
    const scene = setUpScripted({
      'wallets.credit.get': () => {
        reads.push('credit');
        page.abort(new Error('the page has gone'));
        return CREDIT_WALLET;
      },
      'wallets.history.list': () => {
        reads.push('history');
        return [];
      },
    });
    const entry = await loseRequest(scene, WITHDRAWAL);
    const look = scene.client.journal.reconcile(entry, { signal: page.signal });
    expect(await rejection(look)).toMatchObject({ message: 'the page has gone' });
    expect(reads).toEqual(['credit']);
    expect(await scene.client.journal.pending()).toMatchObject([{ id: entry.id }]);
  });
});

describe('what the caller says of a removed request', () => {
  it.each([
    ['executed', 'not_executed'],
    ['not_executed', 'executed'],
    ['undecided', 'undecided'],
  ] as const)('%s makes an equal one with the only effect %s', async (said, verdict) => {
    const scene = setUpScripted(withHistory([debit()]));
    const other = await loseRequest(scene, WITHDRAWAL);
    const entry = await loseRequest(scene, WITHDRAWAL);
    await scene.client.journal.remove(other, said);
    // The first look shows until when the other one can have been executed.
    await scene.client.journal.reconcile(entry);
    await scene.clock.advance(SETTLED);
    expect(await verdictOf(scene, entry)).toBe(verdict);
  });

  it('answers for the entry itself, which another tab may still hold', async () => {
    const scene = setUpScripted(withHistory([]));
    const entry = await loseRequest(scene, WITHDRAWAL);
    await scene.client.journal.remove(entry, 'executed');
    expect(await scene.client.journal.reconcile(entry)).toEqual({
      verdict: 'executed',
      reason: 'its response was read',
      evidence: [],
      otherCauses: [],
    });
  });

  it('changes nothing when the entry is gone already', async () => {
    const scene = setUpScripted({});
    const [first, second] = [
      await loseRequest(scene, WITHDRAWAL),
      await loseRequest(scene, WITHDRAWAL),
    ];
    await scene.client.journal.remove(first, 'not_executed');
    const before = [...scene.store];
    await scene.client.journal.remove(first, 'executed');
    expect([...scene.store]).toEqual(before);
    expect(await scene.client.journal.pending()).toEqual([second]);
  });
});

describe('a request that the service refused', () => {
  it('explains no effect', async () => {
    const scene = setUpScripted(withHistory([debit()]));
    const refusing = setUpScripted(
      {},
      {
        clock: scene.clock,
        journal: createJournal({ store: scene.store }),
        fetch: async () => json({ message: 'Insufficient balance' }, 400),
      },
    );
    await rejection(refusing.client.wallets.credit.withdraw({ amount: '10' }));
    const entry = await loseRequest(scene, WITHDRAWAL);
    expect(await verdictOf(scene, entry)).toBe('executed');
  });
});

describe('the entries', () => {
  it('are listed by their time, whichever slot they have', async () => {
    const scene = setUpScripted({});
    const lost = [];
    for (let count = 0; count < 3; count++) {
      lost.push(await loseRequest(scene, WITHDRAWAL));
      await scene.clock.advance(MINUTE);
    }
    const [first, ...rest] = lost;
    if (first === undefined) throw new Error('there must be one');
    await scene.client.journal.remove(first, 'not_executed');
    // It takes the slot that is free again.
    const last = await loseRequest(scene, WITHDRAWAL);
    expect(await scene.client.journal.pending()).toEqual([...rest, last]);
  });

  it.each([
    [undefined, undefined],
    [60_000, undefined],
    [60_001, 60_001],
  ])('of a call with the total timeout %s hold that it lasts %s', async (totalTimeout, lasts) => {
    const scene = setUpScripted({}, { totalTimeout });
    const entry = await loseRequest(scene, WITHDRAWAL);
    expect(entry.lasts).toBe(lasts);
  });
});

describe("the service's clock", () => {
  /** A service whose clock differs from that of the client by this, and a client that uses it. */
  function withClock(differenceOf: () => number, history: () => readonly object[]) {
    const scene: Scene = setUpScripted(
      {},
      {
        fetch: async (url, { method }) => {
          const { pathname } = new URL(url);
          const time = scene.clock.now() + differenceOf();
          if (method !== 'GET') return jsonAt(time, { message: 'broken' }, 503);
          if (pathname.endsWith('/history')) return jsonAt(time, history());
          return jsonAt(time, pathname.endsWith('/transactions') ? [] : { ...CREDIT_WALLET });
        },
      },
    );
    return scene;
  }
  const HOUR = 60 * MINUTE;

  it.each([
    -12 * HOUR,
    -10 * MINUTE,
    0,
    10 * MINUTE,
    12 * HOUR,
  ])('decides alone, if the device differs by %i ms', async (difference) => {
    const none = withClock(
      () => difference,
      () => [],
    );
    const lost = await loseRequest(none, WITHDRAWAL);
    expect((await none.client.journal.reconcile(lost)).verdict).toBe('undecided');
    expect(await verdictOf(none, lost)).toBe('not_executed');
    const one = withClock(
      () => difference,
      () => [debit('10', difference + 1_000)],
    );
    expect(await verdictOf(one, await loseRequest(one, WITHDRAWAL))).toBe('executed');
  });

  it.each([
    10 * MINUTE,
    HOUR,
    12 * HOUR,
  ])('decides alone, if the device was slow when it sent, and is set %i ms forward', async (step) => {
    let difference = step;
    const history: object[] = [];
    const scene = withClock(
      () => difference,
      () => history,
    );
    const entry = await loseRequest(scene, WITHDRAWAL);
    // The device corrects its clock, and a few milliseconds pass.
    scene.clock.advance(step);
    difference = 0;
    scene.clock.advance(5);
    const found = await scene.client.journal.reconcile(entry);
    expect(found.verdict).toBe('undecided');
    // It is now that the service executes the request.
    history.push(debit('10', step + MINUTE));
    scene.clock.advance(2 * MINUTE);
    expect((await scene.client.journal.reconcile(entry)).verdict).toBe('undecided');
    expect(await verdictOf(scene, entry)).toBe('executed');
  });

  it.each([
    [180_000, 'the service may still show a card purchase that explains the debit'],
    [180_001, 'the service shows effects of a time that is later than its own clock'],
  ])('may be two minutes behind the time of an effect, and no more: %i ms after the request', async (ms, reason) => {
    // The look is a minute after the request.
    const responses = withHistory([debit('10', ms)]);
    const finding = await reconcileScripted(WITHDRAWAL, responses, { looks: 1 });
    expect(finding).toMatchObject({ verdict: 'undecided', reason });
  });

  it('decides nothing when it goes back', async () => {
    let difference = 0;
    const scene = withClock(
      () => difference,
      () => [],
    );
    const entry = await loseRequest(scene, WITHDRAWAL);
    difference = -HOUR;
    expect((await scene.client.journal.reconcile(entry)).reason).toBe(
      'the clock of the service has gone back',
    );
  });

  it.each([
    ['no Date', {}],
    ['a Date that cannot be read', { date: 'soon' }],
    ['two Dates', { date: `${new Date(0).toUTCString()}, ${new Date(0).toUTCString()}` }],
    ['a Date of another form', { date: new Date(0).toISOString() }],
    ['the Date of a cached response', { date: new Date(0).toUTCString(), age: '600' }],
  ])('is not known from a response with %s, so nothing is decided', async (_, headers) => {
    for (const history of [[], [debit()]]) {
      const scene = setUpScripted(
        {},
        {
          fetch: async (url, { method }) => {
            if (method !== 'GET') return json({ message: 'broken' }, 503, headers);
            const isList = url.includes('/history') || url.includes('/transactions');
            return json(isList ? history : CREDIT_WALLET, 200, headers);
          },
        },
      );
      const entry = await loseRequest(scene, WITHDRAWAL);
      await scene.clock.advance(SETTLED);
      expect(await lookTwice(scene, entry)).toMatchObject({
        verdict: 'undecided',
        reason: "the responses do not show the service's clock",
      });
    }
  });
});

describe('two looks', () => {
  it('of two programs decide, because the entry remembers the first one', async () => {
    const scene = setUpScripted(withHistory([]));
    const entry = await loseRequest(scene, WITHDRAWAL);
    const first = await scene.client.journal.reconcile(entry);
    expect(first).toMatchObject({
      verdict: 'undecided',
      lookAgainAt: new Date(scene.clock.now() + SETTLED).toISOString(),
    });
    await scene.clock.advance(SETTLED);
    const { client } = setUpScripted(
      withHistory([]),
      { clock: scene.clock },
      { store: scene.store },
    );
    const [stored] = await client.journal.pending();
    expect(stored && (await client.journal.reconcile(stored)).verdict).toBe('not_executed');
  });

  it.each([
    [undefined, undefined, SETTLED],
    [2 * MINUTE, undefined, 3 * MINUTE],
    [0, undefined, MINUTE],
    [undefined, 10 * MINUTE, 15 * MINUTE],
  ])('are far enough apart after a settle time of %s and a call of %s at %i ms', async (settleTime, totalTimeout, gap) => {
    const scene = setUpScripted(withHistory([]), { totalTimeout });
    const entry = await loseRequest(scene, WITHDRAWAL);
    const look = async () => (await scene.client.journal.reconcile(entry, { settleTime })).verdict;
    expect(await look()).toBe('undecided');
    await scene.clock.advance(gap - 1_000);
    expect(await look()).toBe('undecided');
    await scene.clock.advance(1_000);
    expect(await look()).toBe('not_executed');
  });

  it('decide nothing if the one between them found something', async () => {
    const history: object[] = [];
    const scene = setUpScripted(withHistory(() => history));
    const entry = await loseRequest(scene, WITHDRAWAL);
    const look = async () => (await scene.client.journal.reconcile(entry)).verdict;
    expect(await look()).toBe('undecided');
    history.push(debit('11'));
    await scene.clock.advance(MINUTE);
    expect(await look()).toBe('undecided');
    history.pop();
    await scene.clock.advance(SETTLED);
    expect(await look()).toBe('undecided');
    await scene.clock.advance(SETTLED);
    expect(await look()).toBe('not_executed');
  });
});

describe('two looks at the same time, by two programs with one store', () => {
  /** A second program, during whose reads the first one looks the entry up. */
  function secondProgram(scene: Scene, lookOfFirst: () => Promise<unknown>, history: object[]) {
    let look: (() => Promise<unknown>) | undefined = lookOfFirst;
    const responses = withHistory(async () => {
      const first = look;
      look = undefined;
      await first?.();
      return history;
    });
    return setUpScripted(responses, { clock: scene.clock }, { store: scene.store }).client.journal;
  }

  it('do not take back the verdict of the one that saw the effect', async () => {
    const scene = setUpScripted(withHistory([debit()]));
    const entry = await loseRequest(scene, WITHDRAWAL);
    await scene.clock.advance(MINUTE);
    await scene.client.journal.reconcile(entry);
    await scene.clock.advance(SETTLED);
    // What the second program reads does not show which request it is of.
    const second = secondProgram(scene, async () => {
      expect((await scene.client.journal.reconcile(entry)).verdict).toBe('executed');
    }, [debit('11')]);
    expect((await second.reconcile(entry)).verdict).toBe('executed');
    expect((await second.reconcile(entry)).verdict).toBe('executed');
  });

  it('wait for a verdict from the earlier of the two times that they saw', async () => {
    const scene = setUpScripted(withHistory([debit('11')]));
    const entry = await loseRequest(scene, WITHDRAWAL);
    await scene.clock.advance(MINUTE);
    const second = secondProgram(scene, async () => {
      await scene.client.journal.reconcile(entry);
      await scene.clock.advance(10_000);
    }, [debit('11')]);
    await second.reconcile(entry);
    expect((await second.reconcile(entry)).lookAgainAt).toBe(at(MINUTE + SETTLED));
  });
});

describe('requests from elsewhere', () => {
  it('may explain an effect unless the caller excludes them', async () => {
    const finding = await reconcileScripted(WITHDRAWAL, withHistory([debit()]), {
      journal: { hasAllRequests: false },
    });
    expect(finding).toMatchObject({
      verdict: 'undecided',
      otherCauses: [{ kind: 'elsewhere' }],
    });
    expect(finding).not.toHaveProperty('lookAgainAt');
    expect(finding.evidence).toContainEqual({
      source: 'wallets.history.list',
      found: [debit()],
    });
  });

  it('explain no effect that is missing', async () => {
    const journal = { hasAllRequests: false };
    const finding = await reconcileScripted(WITHDRAWAL, withHistory([]), { journal });
    expect(finding.verdict).toBe('not_executed');
  });
});

describe('a card purchase', () => {
  const purchase = (change: object = {}) => ({
    id: 'purchase-1',
    dateTime: at(2 * MINUTE),
    sign: 'DEBIT',
    status: 'CONFIRMED',
    amountInTransactionCurrency: '9.20',
    transactionCurrency: 'EUR',
    fundingSources: [{ id: 'credit-1', amount: '10', fees: '0' }],
    ...change,
  });
  const DAYS_AGO = { dateTime: at(-3 * DAY) };
  const FOREIGN = { fundingSources: [{ amount: '77' }], amountInTransactionCurrency: '70' };

  it.each([
    ['undecided', 'of the same amount at that time', purchase()],
    ['undecided', 'of another amount at that time', purchase(FOREIGN)],
    ['undecided', 'of the same amount, days before', purchase(DAYS_AGO)],
    [
      'undecided',
      'of the same amount with its fees, days before',
      purchase({ ...DAYS_AGO, fundingSources: [{ amount: '9.5', fees: '0.3', swapFee: 0.2 }] }),
    ],
    [
      'undecided',
      'of an amount that cannot be read',
      purchase({ ...DAYS_AGO, fundingSources: [{ amount: '?' }] }),
    ],
    ['undecided', 'of a time that cannot be read', purchase({ ...FOREIGN, dateTime: null })],
    ['undecided', 'that was reverted', purchase({ status: 'REVERTED' })],
    ['executed', 'of another amount, days before', purchase({ ...DAYS_AGO, ...FOREIGN })],
    [
      'undecided',
      'of another amount, six minutes before the debit',
      purchase({ ...FOREIGN, dateTime: at(1_000 - 6 * MINUTE) }),
    ],
    [
      'executed',
      'of another amount, a millisecond earlier',
      purchase({ ...FOREIGN, dateTime: at(1_000 - 6 * MINUTE - 1) }),
    ],
    [
      'undecided',
      'of an amount that differs by less than a millionth, days before',
      purchase({ ...FOREIGN, ...DAYS_AGO, fundingSources: [{ amount: '10.0000009' }] }),
    ],
    [
      'executed',
      'of an amount that differs by more than a millionth, days before',
      purchase({ ...FOREIGN, ...DAYS_AGO, fundingSources: [{ amount: '10.0000011' }] }),
    ],
    ['executed', 'that was declined', purchase({ status: 'DECLINED', dateTime: at(1_000) })],
    ['executed', 'that is a refund', purchase({ sign: 'CREDIT', dateTime: at(1_000) })],
  ])('makes a withdrawal of 10 %s if it is one %s', async (verdict, _, row) => {
    const responses = { ...withHistory([debit()]), 'card.transactions': [row] };
    const finding = await reconcileScripted(WITHDRAWAL, responses);
    expect(finding.verdict).toBe(verdict);
    const causes = verdict === 'undecided' ? [{ kind: 'card_purchase', purchase: row }] : [];
    expect(finding.otherCauses).toEqual(causes);
    if (verdict === 'undecided') {
      expect(finding.evidence).toContainEqual(
        expect.objectContaining({ source: 'card.transactions' }),
      );
    }
  });

  it('may still be missing from the list', async () => {
    const scene = setUpScripted(withHistory([debit()]));
    const entry = await loseRequest(scene, WITHDRAWAL);
    const first = await scene.client.journal.reconcile(entry);
    expect(first).toMatchObject({ verdict: 'undecided', lookAgainAt: at(6 * MINUTE + 1_000) });
  });

  it('may have moved between two pages while another one is new', async () => {
    const row = purchase({ ...FOREIGN, status: 'DECLINED', dateTime: at(4 * MINUTE) });
    const scene = setUpScripted({ ...withHistory([debit()]), 'card.transactions': [row] });
    const entry = await loseRequest(scene, WITHDRAWAL);
    await scene.clock.advance(9 * MINUTE);
    expect(await scene.client.journal.reconcile(entry)).toMatchObject({
      verdict: 'undecided',
      lookAgainAt: at(10 * MINUTE),
    });
    await scene.clock.advance(MINUTE);
    expect((await scene.client.journal.reconcile(entry)).verdict).toBe('executed');
  });

  it.each([
    ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00Z', '2026-02-21 2026-03-02'],
    ['2026-03-01T00:01:00Z', '2026-03-01T23:59:59Z', '2026-02-21 2026-03-02'],
    ['2026-03-01T00:00:59Z', '2026-03-01T23:59:59Z', '2026-02-20 2026-03-02'],
    ['2026-03-01T00:01:00Z', '2026-03-02T00:00:00Z', '2026-02-21 2026-03-03'],
  ])('of a request of %s, looked up at %s, is looked for on the days %s', async (sent, lookedUp, days) => {
    const asked = new Set<string>();
    const responses = {
      ...withHistory([{ ...debit(), date: sent }]),
      'card.transactions': (query: URLSearchParams) => {
        asked.add(`${query.get('dateFrom')} ${query.get('dateTo')}`);
        return [];
      },
    };
    const clock = new FakeClock({ startsAt: Date.parse(sent), auto: false });
    const scene = setUpScripted(responses, { clock });
    const entry = await loseRequest(scene, WITHDRAWAL);
    clock.advance(Date.parse(lookedUp) - Date.parse(sent));
    await scene.client.journal.reconcile(entry);
    // A minute before the request, as clocks differ, a week for a purchase, and a day for its zone.
    expect([...asked]).toEqual([days]);
  });

  it('may be on any page', async () => {
    const others = Array.from({ length: 20 }, (_, index) =>
      purchase({ id: `${index}`, ...FOREIGN, ...DAYS_AGO }),
    );
    const pages = [others, [purchase()]];
    const responses = {
      ...withHistory([debit()]),
      // A page past the end repeats the first one.
      'card.transactions': (query: URLSearchParams) =>
        pages[Number(query.get('page') ?? 0)] ?? others,
    };
    expect((await reconcileScripted(WITHDRAWAL, responses)).verdict).toBe('undecided');
    pages.pop();
    expect((await reconcileScripted(WITHDRAWAL, responses)).verdict).toBe('executed');
  });

  it.each([
    ['behind', -12, -7 * DAY - 30_000],
    ['ahead', 14, 1_000],
  ])('counts although the days of the service are %s', async (_, hours, ms) => {
    const row = purchase({ dateTime: at(ms) });
    const dayOfService = at(ms + hours * 60 * MINUTE).slice(0, 10);
    const responses = {
      ...withHistory([debit()]),
      'card.transactions': (query: URLSearchParams) =>
        dayOfService >= String(query.get('dateFrom')) && dayOfService <= String(query.get('dateTo'))
          ? [row]
          : [],
    };
    const finding = await reconcileScripted(WITHDRAWAL, responses);
    expect(finding).toMatchObject({
      verdict: 'undecided',
      otherCauses: [{ kind: 'card_purchase', purchase: row }],
    });
  });

  it.each([
    ['the service refuses to show them', json({ message: 'Forbidden' }, 403)],
    ['the service sends something else', { transactions: [] }],
    ['there is no such page', new Response('<html>', { status: 404 })],
  ])('cannot be excluded if %s', async (_, response) => {
    const responses = { ...withHistory([debit()]), 'card.transactions': response };
    const finding = await reconcileScripted(WITHDRAWAL, responses).catch(() => undefined);
    expect(finding?.verdict).not.toBe('executed');
  });

  it('is impossible without a card', async () => {
    const responses = {
      ...withHistory([debit()]),
      'card.transactions': json({ message: 'Card not found' }, 404),
    };
    expect((await reconcileScripted(WITHDRAWAL, responses)).verdict).toBe('executed');
  });

  it('makes nothing certain for a withdrawal of which there is no debit', async () => {
    const responses = {
      ...withHistory([debit('9.99')]),
      'card.transactions': [purchase({ fundingSources: [{ amount: '9.99' }] })],
    };
    expect((await reconcileScripted(WITHDRAWAL, responses)).verdict).toBe('undecided');
  });
});

describe('requests that the journal has forgotten', () => {
  it.each([
    ['undecided', 59_000, 'the journal does not remember all requests of that time'],
    ['executed', 59_001, 'the service shows the effect of this request'],
  ])('make a debit of a second after the request %s if they are %i ms older', async (verdict, ms, reason) => {
    const scene = setUpScripted(withHistory([debit()]));
    const entry = await loseRequest(scene, WITHDRAWAL);
    const [[key = '', page = ''] = []] = scene.store;
    const missingUntil = Date.parse(at(-ms));
    scene.store.set(key, JSON.stringify({ ...JSON.parse(page), missingUntil }));
    expect(await lookTwice(scene, entry, MINUTE)).toMatchObject({ verdict, reason });
  });
});

describe('the user of an entry', () => {
  const read = { 'user.get': { id: 'ada', email: 'ada@example.com' } };
  const withUser = (user: string | undefined) =>
    user === undefined ? {} : { user: async () => user };

  /** Loses a request as one user, and looks it up as another, or with another token. */
  async function lookUp(
    by: { user?: string; token?: string },
    as: { user?: string; token?: string; reads?: ReadResponses },
  ) {
    const scene = setUpScripted(withHistory([]), { accessToken: by.token ?? 'token-1' });
    const writer = setUpScripted(
      {},
      {
        clock: scene.clock,
        accessToken: by.token ?? 'token-1',
        journal: createJournal({ store: scene.store, ...withUser(by.user) }),
      },
    );
    await rejection(writer.client.wallets.credit.withdraw({ amount: '10' }));
    const [entry] = await writer.client.journal.pending();
    if (entry === undefined) throw new Error('there must be an entry');
    const reader = setUpScripted(
      { ...withHistory([]), ...as.reads },
      {
        clock: scene.clock,
        accessToken: as.token ?? 'token-2',
        journal: createJournal({ store: scene.store, ...withUser(as.user) }),
      },
    );
    return lookTwice({ ...scene, client: reader.client }, entry);
  }

  it.each([
    ['the same token', {}, { token: 'token-1' }],
    ['the same user with another token', { user: 'ada' }, { user: 'ada' }],
    ['a token that the service knows as the user', { user: 'ada' }, { reads: read }],
  ])('may look it up with %s', async (_, by, as) => {
    expect((await lookUp(by, as)).verdict).toBe('not_executed');
  });

  it.each([
    ['the entry is of another user', { user: 'ada' }, { user: 'bob', token: 'token-1' }],
    ['the entry is of another user', { user: 'bob' }, { reads: read }],
    [
      'the service does not say who is logged in',
      { user: 'ada' },
      { reads: { 'user.get': { email: 'a@b.c' } } },
    ],
    [
      'the service does not say who is logged in',
      { user: 'ada' },
      { reads: { 'user.get': json({}, 404) } },
    ],
    [
      'the entry is of another access token, and its user is not known: set journal.user',
      {},
      { user: 'ada' },
    ],
    [
      'the entry is of another access token, and its user is not known: set journal.user',
      { user: '' },
      { reads: read },
    ],
  ])('%s: undecided', async (reason, by, as) => {
    expect(await lookUp(by, as)).toEqual({
      verdict: 'undecided',
      reason,
      evidence: [],
      otherCauses: [],
    });
  });

  it('is refused before anything is sent if the text is too long', async () => {
    const scene = setUpScripted(
      {},
      { journal: createJournal({ store: new MapStore(), user: () => 'x'.repeat(101) }) },
    );
    const call = scene.client.wallets.credit.withdraw({ amount: '10' });
    expect(await rejection(call)).toMatchObject({
      name: 'ConfigurationError',
      option: 'journal.user',
      outcome: 'not_sent',
    });
    const longest = setUpScripted(
      {},
      { journal: createJournal({ store: new MapStore(), user: 'x'.repeat(100) }) },
    );
    await rejection(longest.client.wallets.credit.withdraw({ amount: '10' }));
    const [entry] = await longest.client.journal.pending();
    expect(entry?.user).toBe('x'.repeat(100));
  });
});

import { describe, expect, it } from 'vitest';
import { createJournal } from '../../src/journal/journal.js';
import { json, rejection } from '../support/clients.js';
import { MapStore } from '../support/map-store.js';
import {
  debit,
  loseRequest,
  MINUTE,
  type ReadResponses,
  type Scene,
  SETTLED,
  setUpScripted,
  WITHDRAWAL,
  withHistory,
} from './scripted-reads.js';

const verdictOf = async (
  { client, clock }: Scene,
  entry: Awaited<ReturnType<typeof loseRequest>>,
) => {
  await clock.advance(SETTLED);
  return (await client.journal.reconcile(entry)).verdict;
};

describe('a request that ends during the reads', () => {
  it('makes the verdict undecided, because it may explain what they show', async () => {
    let whileReading = async () => {};
    const scene = setUpScripted(
      withHistory(async () => {
        await whileReading();
        return [debit(), debit()];
      }),
    );
    const other = await loseRequest(scene, WITHDRAWAL);
    const entry = await loseRequest(scene, WITHDRAWAL);
    expect(await verdictOf(scene, entry)).toBe('executed');
    whileReading = () => scene.client.journal.remove(other, 'not_executed');
    expect(await scene.client.journal.reconcile(entry)).toMatchObject({
      verdict: 'undecided',
      reason: 'another request ended at the same time: look again',
    });
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
  const HOUR = 60 * MINUTE;
  /** The service is an hour ahead, and says so with each response, or the proxy removes that. */
  const ahead = (scene: () => Scene, history: () => unknown, date = true) => {
    const withDate = (body: unknown) => () => {
      const now = new Date(scene().clock.now() + HOUR).toUTCString();
      return json(typeof body === 'function' ? body() : body, 200, date ? { date: now } : {});
    };
    const responses = withHistory(withDate(history));
    return { ...responses, 'wallets.credit.get': withDate(responses['wallets.credit.get']) };
  };

  it('decides whether an effect is of the time of the request', async () => {
    const late = [debit('10', HOUR + 1_000)];
    for (const [date, verdict] of [
      [true, 'executed'],
      [false, 'undecided'],
    ] as const) {
      const scene: Scene = setUpScripted(
        ahead(
          () => scene,
          () => late,
          date,
        ),
      );
      const entry = await loseRequest(scene, WITHDRAWAL);
      expect(await verdictOf(scene, entry)).toBe(verdict);
    }
  });

  it('does not make a young entry old', async () => {
    const scene: Scene = setUpScripted(
      ahead(
        () => scene,
        () => [],
      ),
    );
    const entry = await loseRequest(scene, WITHDRAWAL);
    expect((await scene.client.journal.reconcile(entry)).verdict).toBe('undecided');
    expect(await verdictOf(scene, entry)).toBe('not_executed');
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
    await scene.clock.advance(SETTLED);
    const reader = setUpScripted(
      { ...withHistory([]), ...as.reads },
      {
        clock: scene.clock,
        accessToken: as.token ?? 'token-2',
        journal: createJournal({ store: scene.store, ...withUser(as.user) }),
      },
    );
    return reader.client.journal.reconcile(entry);
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
      'the entry is of another user',
      { user: 'ada' },
      { reads: { 'user.get': { email: 'a@b.c' } } },
    ],
    ['the entry is of another user', { user: 'ada' }, { reads: { 'user.get': json({}, 404) } }],
    [
      'the entry is of another session, and its user is not known: set journal.user',
      {},
      { user: 'ada' },
    ],
    [
      'the entry is of another session, and its user is not known: set journal.user',
      { user: '' },
      { reads: read },
    ],
  ])('%s: undecided', async (reason, by, as) => {
    expect(await lookUp(by, as)).toEqual({ verdict: 'undecided', reason, evidence: [] });
  });

  it('is refused before anything is sent if the text is too long', async () => {
    const scene = setUpScripted(
      {},
      { journal: createJournal({ store: new MapStore(), user: 'x'.repeat(101) }) },
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

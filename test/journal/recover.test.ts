import { describe, expect, it } from 'vitest';
import { CardPlatformClient, type RecoveredEntry } from '../../src/index.js';
import { createJournal } from '../../src/journal/journal.js';
import { memoryStore } from '../../src/stores/index.js';
import { clientFor, rejection } from '../support/clients.js';
import {
  debit,
  loseRequest,
  MINUTE,
  type Scene,
  SETTLED,
  setUpScripted,
  WITHDRAWAL,
  withHistory,
} from './scripted-reads.js';

/** Recovers, and returns what the handler was called with. */
async function recover({ client }: Pick<Scene, 'client'>): Promise<RecoveredEntry[]> {
  const found: RecoveredEntry[] = [];
  await client.journal.recover(async (each) => {
    found.push(each);
  });
  return found;
}

/** When a debit one second after the request is decided: a card purchase that explains it would be shown. */
const DECIDED = SETTLED + MINUTE;

describe('recover', () => {
  it('passes on an executed request, and removes it', async () => {
    const scene = setUpScripted(withHistory([debit()]));
    const entry = await loseRequest(scene, WITHDRAWAL);
    await scene.clock.advance(DECIDED);
    const [found, ...others] = await recover(scene);
    expect(found).toMatchObject({ entry: { id: entry.id }, verdict: 'executed' });
    expect(found?.evidence.length).toBeGreaterThan(0);
    expect(others).toEqual([]);
    expect(await scene.client.journal.pending()).toEqual([]);
    expect(await recover(scene)).toEqual([]);
  });

  it('keeps an undecided one, and says not_executed and removes it after the second look', async () => {
    const scene = setUpScripted(withHistory([]));
    const entry = await loseRequest(scene, WITHDRAWAL);
    await scene.clock.advance(MINUTE);
    const [first] = await recover(scene);
    expect(first?.verdict).toBe('undecided');
    expect(Date.parse(first?.lookAgainAt ?? '')).toBeGreaterThan(scene.clock.now());
    expect((await scene.client.journal.pending()).map(({ id }) => id)).toEqual([entry.id]);
    await scene.clock.advance(SETTLED);
    expect(await recover(scene)).toMatchObject([
      { entry: { id: entry.id }, verdict: 'not_executed' },
    ]);
    expect(await scene.client.journal.pending()).toEqual([]);
  });

  it('never removes an entry that stays undecided, however often it is called', async () => {
    const scene = setUpScripted(withHistory([debit('19.40')]));
    const entry = await loseRequest(scene, WITHDRAWAL);
    for (let call = 0; call < 5; call++) {
      await scene.clock.advance(SETTLED);
      expect(await recover(scene)).toMatchObject([{ verdict: 'undecided' }]);
    }
    expect((await scene.client.journal.pending()).map(({ id }) => id)).toEqual([entry.id]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('the database is down');
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('the database is down');
      },
    ],
  ])('keeps the entry when the handler %s, and calls it again', async (_, handler) => {
    const scene = setUpScripted(withHistory([debit()]));
    const entry = await loseRequest(scene, WITHDRAWAL);
    await scene.clock.advance(DECIDED);
    const error = await rejection(scene.client.journal.recover(handler));
    expect(error).toMatchObject({ message: 'the database is down' });
    expect((await scene.client.journal.pending()).map(({ id }) => id)).toEqual([entry.id]);
    expect(await recover(scene)).toMatchObject([{ verdict: 'executed' }]);
    expect(await scene.client.journal.pending()).toEqual([]);
  });

  it('waits for the handler before it removes the entry', async () => {
    const scene = setUpScripted(withHistory([debit()]));
    await loseRequest(scene, WITHDRAWAL);
    await scene.clock.advance(DECIDED);
    let listed = -1;
    await scene.client.journal.recover(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      listed = (await scene.client.journal.pending()).length;
    });
    expect(listed).toBe(1);
  });

  it('skips entries of other users', async () => {
    const scene = setUpScripted(withHistory([debit()]), {}, { user: 'ada' });
    const entry = await loseRequest(scene, WITHDRAWAL);
    await scene.clock.advance(DECIDED);
    const { store, clock } = scene;
    const journal = createJournal({ store, hasAllRequests: true, user: 'grace' });
    const ofGrace = setUpScripted(withHistory([debit()]), { clock, journal });
    expect(await recover(ofGrace)).toEqual([]);
    expect((await scene.client.journal.pending()).map(({ id }) => id)).toEqual([entry.id]);
  });

  it('never calls an open request nothing when it may be of this user: it refuses', async () => {
    const scene = setUpScripted(withHistory([debit()]));
    const { store, clock } = scene;
    const withToken = (accessToken: string, user?: string) =>
      setUpScripted(withHistory([debit()]), {
        clock,
        accessToken,
        journal: createJournal({ store, ...(user && { user }) }),
      });
    await loseRequest({ ...withToken('first'), store }, WITHDRAWAL);
    expect(await recover(withToken('first'))).toMatchObject([{ verdict: 'undecided' }]);
    // The user has logged in again elsewhere, or this is somebody else. Nobody sees the amount.
    for (const other of [withToken('second'), withToken('third', 'grace')]) {
      const found: RecoveredEntry[] = [];
      const error = await rejection(other.client.journal.recover((each) => found.push(each)));
      expect(error).toMatchObject({ name: 'ConfigurationError', option: 'journal.user' });
      expect(String(error)).toContain('send nothing again');
      expect(found).toEqual([]);
    }
    const [entry] = await scene.client.journal.pending();
    await scene.client.journal.remove(Object(entry), 'undecided');
    expect(await recover(withToken('second'))).toEqual([]);
  });

  it('is refused on a client without a user, which would find nothing open', async () => {
    const scene = setUpScripted(withHistory([debit()]));
    await loseRequest(scene, WITHDRAWAL);
    const client = new CardPlatformClient({
      baseUrl: 'https://api.example.com',
      clientKey: 'key',
      journal: createJournal({ store: scene.store }),
    });
    const error = await rejection(client.journal.recover(() => {}));
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'accessToken' });
    expect(await recover(scene)).toHaveLength(1);
  });

  it('passes nobody the request of another user that no look decides', async () => {
    const scene = setUpScripted({});
    const { store, clock } = scene;
    const ofUser = (user: string) =>
      setUpScripted({}, { clock, journal: createJournal({ store, user }) });
    await loseRequest({ ...ofUser('ada'), store }, { operation: 'orders.create', details: {} });
    expect(await recover(ofUser('grace'))).toEqual([]);
    expect(await recover(ofUser('ada'))).toMatchObject([
      { verdict: 'undecided', entry: { operation: 'orders.create' } },
    ]);
  });

  it('refuses a handler that is not a function', async () => {
    const { store } = setUpScripted({});
    const { journal } = clientFor('https://api.example.com', { journal: createJournal({ store }) });
    expect(await rejection(journal.recover(undefined as never))).toMatchObject({
      name: 'ConfigurationError',
      option: 'handler',
    });
  });
});

describe('two calls of recover at the same time', () => {
  it('pass on a verdict once: whoever sends again on not_executed must be the only one', async () => {
    const scene = setUpScripted(withHistory([]));
    const entry = await loseRequest(scene, WITHDRAWAL);
    await recover(scene);
    await scene.clock.advance(SETTLED);
    const found = await Promise.all([recover(scene), recover(scene), recover(scene)]);
    const decided = found.flat().filter(({ verdict }) => verdict !== 'undecided');
    expect(decided).toMatchObject([{ entry: { id: entry.id }, verdict: 'not_executed' }]);
    // Whoever gets nothing at all may believe that nothing is open.
    expect(found.every((each) => each.length === 1)).toBe(true);
    expect(await scene.client.journal.pending()).toEqual([]);
  });

  it('tell the one that an entry was decided which the other has removed since it was listed', async () => {
    const scene = setUpScripted(withHistory([]));
    const entries = [await loseRequest(scene, WITHDRAWAL), await loseRequest(scene, WITHDRAWAL)];
    await recover(scene);
    await scene.clock.advance(SETTLED);
    const seen: unknown[] = [];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = scene.client.journal.recover(async ({ entry, verdict, reason, lookAgainAt }) => {
      seen.push([entry.id, verdict, reason, lookAgainAt]);
      await held;
    });
    while (seen.length === 0) await new Promise(setImmediate);
    const found = await recover(scene);
    release();
    await slow;
    const ids = entries.map(({ id }) => id);
    expect(found.map(({ verdict }) => verdict)).toEqual(['undecided', 'not_executed']);
    expect(found.map(({ entry }) => entry.id)).toEqual(ids);
    expect(seen).toEqual([
      [ids[0], 'not_executed', 'the service shows no effect of this request', undefined],
      [
        ids[1],
        'undecided',
        'its caller, or another call of recover, has decided it meanwhile',
        // Nobody must be asked: the next call finds nothing open.
        new Date(scene.clock.now()).toISOString(),
      ],
    ]);
  });

  it('send nobody to a person for a request whose caller has got its response meanwhile', async () => {
    const scene = setUpScripted(withHistory([]));
    await loseRequest(scene, WITHDRAWAL);
    const order = await loseRequest(scene, { operation: 'orders.create', details: {} });
    const found: RecoveredEntry[] = [];
    await scene.client.journal.recover(async (each) => {
      if (found.push(each) === 1) await scene.client.journal.remove(order, 'executed');
    });
    expect(found[1]).toMatchObject({
      entry: { id: order.id },
      verdict: 'undecided',
      reason: 'its caller, or another call of recover, has decided it meanwhile',
      lookAgainAt: expect.any(String),
    });
    await recover(scene);
    const [open] = await scene.client.journal.pending();
    expect(open?.operation).toBe('wallets.credit.withdraw');
  });

  it('may be nested: the verdict that is being handled is not passed on again', async () => {
    const scene = setUpScripted(withHistory([]));
    await loseRequest(scene, WITHDRAWAL);
    await recover(scene);
    await scene.clock.advance(SETTLED);
    const seen: string[] = [];
    await scene.client.journal.recover(async ({ verdict }) => {
      seen.push(verdict);
      await scene.client.journal.recover(({ verdict: inner }) => seen.push(`inner ${inner}`));
    });
    expect(seen).toEqual(['not_executed', 'inner undecided']);
  });

  it('hide no request of one user while another user looks', async () => {
    const scene = setUpScripted(withHistory([]));
    const { store, clock } = scene;
    const of = (user: string) =>
      setUpScripted(withHistory([]), { clock, journal: createJournal({ store, user }) });
    await loseRequest({ ...of('grace'), store }, WITHDRAWAL);
    const [ofAda, ofGrace] = await Promise.all([recover(of('ada')), recover(of('grace'))]);
    expect(ofAda).toEqual([]);
    expect(ofGrace).toMatchObject([{ verdict: 'undecided', entry: { details: { amount: '10' } } }]);
  });

  it('pass it on again when the handler has failed', async () => {
    const scene = setUpScripted(withHistory([]));
    await loseRequest(scene, WITHDRAWAL);
    const failing = scene.client.journal.recover(() => {
      throw new Error('the screen is gone');
    });
    await expect(failing).rejects.toThrow('the screen is gone');
    expect(await recover(scene)).toHaveLength(1);
  });
});

describe('two programs with one store', () => {
  /** Another program: a journal and a client of its own, over another object for the same store. */
  function otherProgram({ store, clock }: Scene, entries: readonly object[] = []) {
    return setUpScripted(withHistory([...entries]), {
      clock,
      journal: createJournal({ store: memoryStore(store), hasAllRequests: true }),
    });
  }

  /** A withdrawal that did nothing, at the time of the second look. */
  async function setUpNotExecuted() {
    const scene = setUpScripted(withHistory([]));
    const entry = await loseRequest(scene, WITHDRAWAL);
    await recover(scene);
    await scene.clock.advance(SETTLED);
    return { scene, entry, other: otherProgram(scene) };
  }

  /** Recovers with a handler that ends when the test ends it. */
  async function recoverSlowly({ client }: Pick<Scene, 'client'>) {
    const found: RecoveredEntry[] = [];
    let end: (error?: Error) => void = () => {};
    const handled = new Promise<void>((resolve, reject) => {
      end = (error) => (error === undefined ? resolve() : reject(error));
    });
    const recovering = client.journal.recover((each) => {
      found.push(each);
      return handled;
    });
    while (found.length === 0) await new Promise(setImmediate);
    return { found, recovering, end };
  }

  it.each([
    ['not_executed', [], SETTLED],
    ['executed', [debit()], DECIDED],
  ] as const)('pass on %s once', async (verdict, entries, time) => {
    const scene = setUpScripted(withHistory([...entries]));
    const entry = await loseRequest(scene, WITHDRAWAL);
    if (verdict === 'not_executed') await recover(scene);
    await scene.clock.advance(time);
    const others = [otherProgram(scene, entries), otherProgram(scene, entries)];
    const found = (await Promise.all([scene, ...others].map(recover))).flat();
    const decided = found.filter((each) => each.verdict !== 'undecided');
    expect(decided).toMatchObject([{ entry: { id: entry.id }, verdict }]);
    expect(await scene.client.journal.pending()).toEqual([]);
    expect(await recover(others[0] as Scene)).toEqual([]);
  });

  it('tell the second one until when the first one may be handling it', async () => {
    const { scene, entry, other } = await setUpNotExecuted();
    const slow = await recoverSlowly(scene);
    const [{ handledAt = 0 } = entry] = await other.client.journal.pending();
    expect(await recover(other)).toMatchObject([
      {
        entry: { id: entry.id },
        verdict: 'undecided',
        reason: 'another call of recover is handling its verdict, not_executed',
        lookAgainAt: new Date(handledAt + 10 * MINUTE).toISOString(),
      },
    ]);
    slow.end();
    await slow.recovering;
    expect(slow.found).toMatchObject([{ verdict: 'not_executed' }]);
    expect(await recover(other)).toEqual([]);
  });

  it('do so although the last response of the look did not show the time', async () => {
    const purchases = Response.json([], { headers: { date: 'soon' } });
    const responses = { ...withHistory([debit()]), 'card.transactions': purchases };
    const scene = setUpScripted(responses);
    await loseRequest(scene, WITHDRAWAL);
    await scene.clock.advance(DECIDED);
    const slow = await recoverSlowly(scene);
    expect(slow.found).toMatchObject([{ verdict: 'executed' }]);
    expect(await recover(otherProgram(scene, [debit()]))).toMatchObject([
      { verdict: 'undecided', reason: 'another call of recover is handling its verdict, executed' },
    ]);
    slow.end();
    await slow.recovering;
  });

  it('pass it on again ten minutes after a program that was killed in its handler', async () => {
    const { scene, entry, other } = await setUpNotExecuted();
    await recoverSlowly(scene);
    const [{ handledAt = 0 } = entry] = await other.client.journal.pending();
    await scene.clock.advance(handledAt + 10 * MINUTE - 1_000 - scene.clock.now());
    expect(await recover(other)).toMatchObject([{ verdict: 'undecided' }]);
    await scene.clock.advance(1_000);
    expect(await recover(other)).toMatchObject([{ verdict: 'not_executed' }]);
    expect(await other.client.journal.pending()).toEqual([]);
  });

  it('pass it on again at once when a handler has failed', async () => {
    const { scene, other } = await setUpNotExecuted();
    const slow = await recoverSlowly(scene);
    slow.end(new Error('the bank is down'));
    await expect(slow.recovering).rejects.toThrow('the bank is down');
    expect(await recover(other)).toMatchObject([{ verdict: 'not_executed' }]);
  });

  it('keep the claim of the other one when a handler fails too late', async () => {
    const { scene, entry, other } = await setUpNotExecuted();
    const late = await recoverSlowly(scene);
    await scene.clock.advance(11 * MINUTE);
    const second = await recoverSlowly(other);
    const claimed = await other.client.journal.pending();
    late.end(new Error('too late'));
    await expect(late.recovering).rejects.toThrow('too late');
    expect(await other.client.journal.pending()).toEqual(claimed);
    expect(second.found).toMatchObject([{ entry: { id: entry.id }, verdict: 'not_executed' }]);
    second.end();
    await second.recovering;
  });

  it('throw the error of the handler also when the store no longer works', async () => {
    const scene = setUpScripted(withHistory([debit()]));
    await loseRequest(scene, WITHDRAWAL);
    await scene.clock.advance(DECIDED);
    const { store } = scene;
    const { update } = store;
    const recovering = scene.client.journal.recover(() => {
      store.update = async () => {
        throw new Error('the disk is full');
      };
      throw new Error('the bank is down');
    });
    await expect(recovering).rejects.toThrow('the bank is down');
    store.update = update;
  });
});

describe('behind a proxy', () => {
  it('recover asks for journal.user, because nothing else shows whose requests these are', async () => {
    const { store } = setUpScripted({});
    const { journal } = new CardPlatformClient({
      baseUrl: 'https://app.example.com/platform',
      throughProxy: true,
      journal: createJournal({ store }),
    });
    expect(await rejection(journal.recover(() => {}))).toMatchObject({
      name: 'ConfigurationError',
      option: 'journal.user',
      message: expect.stringContaining('your login route'),
    });
  });
});

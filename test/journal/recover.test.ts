import { describe, expect, it } from 'vitest';
import type { RecoveredEntry } from '../../src/index.js';
import { createJournal } from '../../src/journal/journal.js';
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

  it('in two processes at once gives one verdict, and leaves no entry', async () => {
    const scene = setUpScripted(withHistory([debit()]));
    const entry = await loseRequest(scene, WITHDRAWAL);
    await scene.clock.advance(DECIDED);
    const other = setUpScripted(withHistory([debit()]), {
      clock: scene.clock,
      journal: createJournal({ store: scene.store, hasAllRequests: true }),
    });
    const found = (await Promise.all([recover(scene), recover(other)])).flat();
    expect(found.length).toBeGreaterThan(0);
    for (const each of found) {
      expect(each).toMatchObject({ entry: { id: entry.id }, verdict: 'executed' });
    }
    expect(await scene.client.journal.pending()).toEqual([]);
    expect(await recover(other)).toEqual([]);
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

  it('refuses a handler that is not a function', async () => {
    const { store } = setUpScripted({});
    const { journal } = clientFor('https://api.example.com', { journal: createJournal({ store }) });
    expect(await rejection(journal.recover(undefined as never))).toMatchObject({
      name: 'ConfigurationError',
      option: 'handler',
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../src/index.js';
import { rejection } from '../support/clients.js';
import {
  DAY,
  debit,
  lookTwice,
  loseRequest,
  MINUTE,
  setUpScripted,
  WITHDRAWAL,
  withHistory,
} from './scripted-reads.js';

const responses = withHistory([debit()]);
const none = withHistory([]);
const executed = { id: '1', at: 0, state: 'executed', region: 'global', ...WITHDRAWAL };

/** The key of a page of the journal. */
const pageKey = (number: number) => `card-platform.journal.${number}`;

describe('a page of the journal', () => {
  const damaged = [
    '',
    '{"entries":[',
    'null',
    '[]',
    '{}',
    '{"entries":"none"}',
    '{"entries":[{}]}',
    '{"entries":[null]}',
    '{"entries":[],"missingUntil":"soon"}',
    '{"entries":[],"missingUntil":null}',
    '{"entries":[],"missingUntil":-1}',
    ...[
      { at: 'soon' },
      { at: null },
      { state: 'done' },
      { details: null },
      { details: { amount: 10 } },
      { region: 'mars' },
      { operation: 1 },
      { id: undefined },
      { user: 5 },
      { lasts: '60000' },
      { lasts: -60_000 },
      { lasts: null },
      { since: '2026' },
      { until: -1 },
      { emptySince: null },
      { doneBy: 'now' },
      { verdict: 'undecided' },
    ].map((change) => JSON.stringify({ entries: [{ ...executed, ...change }] })),
  ];

  it.each(damaged)('is listed and decides nothing if it is %j', async (text) => {
    for (const shown of [responses, none]) {
      const scene = setUpScripted(shown);
      const entry = await loseRequest(scene, WITHDRAWAL);
      scene.store.set(pageKey(1), text);
      expect((await lookTwice(scene, entry, MINUTE)).verdict).toBe('undecided');
      const listed = await scene.client.journal.pending();
      expect(listed.map(({ operation }) => operation)).toEqual(['unreadable', entry.operation]);
      const [unreadable] = listed;
      const result = await scene.client.journal.reconcile(Object(unreadable));
      expect(result).toMatchObject({ verdict: 'undecided', evidence: [] });
      expect(result.reason).toContain('the store damaged or lost the entry');
    }
  });

  it('is never written by a later request, and goes when its entry is removed', async () => {
    const scene = setUpScripted(none);
    scene.store.set(pageKey(0), '{');
    const entry = await loseRequest({ ...scene, lost: new Set(['page.0']) }, WITHDRAWAL);
    expect(scene.store.get(pageKey(0))).toBe('{');
    const [listed] = await scene.client.journal.pending();
    if (listed === undefined) throw new Error('it must be listed');
    await scene.client.journal.remove(listed, 'not_executed');
    expect(await scene.client.journal.pending()).toEqual([entry]);
  });

  it('is continued in the next one when there is no room', async () => {
    const scene = setUpScripted(none);
    const entries: JournalEntry[] = [];
    for (let count = 0; count < 30; count++) entries.push(await loseRequest(scene, WITHDRAWAL));
    expect(await scene.client.journal.pending()).toEqual(entries);
    expect(scene.store.size).toBeGreaterThan(2);
  });
});

describe('a damaged entry that is removed without a verdict', () => {
  type Scene = ReturnType<typeof setUpScripted>;

  /** An entry that the store has damaged, as the journal lists it. */
  async function loseDamaged(scene: Scene) {
    const { id } = await loseRequest(scene, WITHDRAWAL);
    const { entries } = JSON.parse(scene.store.get(pageKey(0)) ?? '');
    const changed = entries.map((entry: JournalEntry) =>
      entry.id === id ? { ...entry, region: 'mars' } : entry,
    );
    scene.store.set(pageKey(0), JSON.stringify({ entries: changed }));
    const listed = (await scene.client.journal.pending()).find((entry) => entry.id === id);
    if (listed === undefined) throw new Error('it must be listed');
    expect(listed.operation).toBe('unreadable');
    return listed;
  }

  async function verdictOn(scene: Scene, entry: JournalEntry) {
    return (await lookTwice(scene, entry, MINUTE)).verdict;
  }

  it('still counts: it may have been a request like the one that is looked up', async () => {
    const scene = setUpScripted(responses);
    const damaged = await loseDamaged(scene);
    const entry = await loseRequest(scene, WITHDRAWAL);
    expect(await verdictOn(scene, entry)).toBe('undecided');
    await scene.client.journal.remove(damaged, 'undecided');
    expect(await verdictOn(scene, entry)).toBe('undecided');
  });

  it('does not count if the caller knows that it was not executed', async () => {
    const scene = setUpScripted(responses);
    const damaged = await loseDamaged(scene);
    const entry = await loseRequest(scene, WITHDRAWAL);
    await scene.client.journal.remove(damaged, 'not_executed');
    expect(await verdictOn(scene, entry)).toBe('executed');
  });

  it('counts for no request of the days after', async () => {
    const scene = setUpScripted(none);
    await scene.client.journal.remove(await loseDamaged(scene), 'undecided');
    await scene.clock.advance(2 * DAY);
    const entry = await loseRequest(scene, WITHDRAWAL);
    expect(await verdictOn(scene, entry)).toBe('not_executed');
  });
});

describe('what is not an entry', () => {
  const broken = [
    undefined,
    null,
    'an id',
    [],
    {},
    { id: undefined },
    { operation: 1 },
    { at: '1772366400000' },
    { at: Number.NaN },
    { region: 'mars' },
    { lasts: '60000' },
    { user: 5 },
    { tokenHash: null },
    { details: undefined },
    { details: null },
    { details: { amount: 10 } },
  ];

  it.each(broken)('is refused by reconcile and remove: %j', async (change) => {
    const scene = setUpScripted(none);
    const entry = await loseRequest(scene, WITHDRAWAL);
    const isChange = typeof change === 'object' && Object.keys(change ?? {}).length > 0;
    const given = (isChange ? { ...entry, ...change } : change) as typeof entry;
    for (const call of [
      scene.client.journal.reconcile(given),
      scene.client.journal.remove(given, 'executed'),
    ]) {
      expect(await rejection(call)).toMatchObject({
        name: 'ConfigurationError',
        option: 'entry',
        outcome: 'not_sent',
      });
    }
    expect(await scene.client.journal.pending()).toEqual([entry]);
  });
});

it.each([
  undefined,
  null,
  'EXECUTED',
  'unknown',
])('an entry stays when it is removed with the verdict %s', async (verdict) => {
  const scene = setUpScripted(none);
  const entry = await loseRequest(scene, WITHDRAWAL);
  const error = await rejection(scene.client.journal.remove(entry, verdict as never));
  expect(error).toMatchObject({ name: 'ConfigurationError', option: 'verdict' });
  expect(await scene.client.journal.pending()).toEqual([entry]);
});

it.each([
  [null, 'options'],
  [5, 'options'],
  [{ settleTme: 5 }, 'settleTme'],
])('reconcile refuses the options %j', async (options, option) => {
  const scene = setUpScripted(none);
  const entry = await loseRequest(scene, WITHDRAWAL);
  const error = await rejection(scene.client.journal.reconcile(entry, options as never));
  expect(error).toMatchObject({ name: 'ConfigurationError', option });
});

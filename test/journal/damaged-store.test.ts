import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../src/index.js';
import { KEYS } from '../../src/journal/slots.js';
import { rejection } from '../support/clients.js';
import {
  at,
  DAY,
  debit,
  loseRequest,
  reconcileScripted,
  SETTLED,
  setUpScripted,
  WITHDRAWAL,
  withHistory,
} from './scripted-reads.js';

const responses = withHistory([debit()]);
const none = withHistory([]);
const executed = { id: '1', at: 0, state: 'executed', region: 'global', ...WITHDRAWAL };

describe('the list of remembered requests', () => {
  const damaged = [
    '{"records":[',
    'null',
    '[]',
    '{}',
    '{"records":"none"}',
    '{"records":[{}]}',
    '{"records":[null]}',
    '{"records":[],"missingUntil":"soon"}',
    '{"records":[],"missingUntil":null}',
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
    ].map((change) => JSON.stringify({ records: [{ ...executed, ...change }] })),
  ];

  it.each(damaged)('decides nothing if it is %s', async (text) => {
    for (const shown of [responses, none]) {
      const scene = setUpScripted(shown);
      const entry = await loseRequest(scene, WITHDRAWAL);
      scene.store.set(KEYS.done(0), text);
      await scene.clock.advance(SETTLED);
      expect(await scene.client.journal.reconcile(entry)).toMatchObject({
        verdict: 'undecided',
        reason: 'the journal does not remember all similar requests of that time',
      });
    }
  });

  it('decides nothing about a state either, nor do requests that are known', async () => {
    const unfreeze = { operation: 'card.unfreeze', details: {} };
    const card = { id: 'card-1', status: 'ACTIVE', type: 'VIRTUAL', orderedAt: at(-10 * DAY) };
    const verdictAfter = async (...removed: readonly ('executed' | 'undecided')[]) => {
      const scene = setUpScripted({ 'card.status': card });
      for (const verdict of removed) {
        await scene.client.journal.remove(await loseRequest(scene, unfreeze), verdict);
      }
      const entry = await loseRequest(scene, unfreeze);
      if (removed.length === 0) scene.store.set(KEYS.done(0), '{');
      await scene.clock.advance(SETTLED);
      return (await scene.client.journal.reconcile(entry)).verdict;
    };
    expect((await reconcileScripted(unfreeze, { 'card.status': card })).verdict).toBe('executed');
    expect(await verdictAfter()).toBe('undecided');
    expect(await verdictAfter('executed', 'undecided')).toBe('undecided');
  });

  it('is written again by the next request, and then only older ones are missing', async () => {
    const scene = setUpScripted(none);
    const { journal } = scene.client;
    const first = await loseRequest(scene, WITHDRAWAL);
    scene.store.set(KEYS.done(0), '{');
    await journal.remove(first, 'executed');
    await scene.clock.advance(DAY / 2);
    const second = await loseRequest(scene, { ...WITHDRAWAL, details: { amount: '99' } });
    await scene.clock.advance(SETTLED);
    expect((await journal.reconcile(second)).verdict).toBe('undecided');
    await journal.remove(second, 'not_executed');
    await scene.clock.advance(DAY);
    const third = await loseRequest(scene, { ...WITHDRAWAL, details: { amount: '99' } });
    await scene.clock.advance(SETTLED);
    expect((await journal.reconcile(third)).verdict).toBe('not_executed');
  });
});

describe('a damaged entry that is removed without a verdict', () => {
  type Scene = ReturnType<typeof setUpScripted>;

  /** An entry that the store has damaged, as the journal lists it. */
  async function loseDamaged(scene: Scene) {
    const { id } = await loseRequest(scene, WITHDRAWAL);
    scene.store.set(KEYS.entry(id), '{');
    const listed = (await scene.client.journal.pending()).find((entry) => entry.id === id);
    if (listed === undefined) throw new Error('it must be listed');
    expect(listed.operation).toBe('unreadable');
    return listed;
  }

  async function verdictOn(scene: Scene, entry: JournalEntry) {
    await scene.clock.advance(SETTLED);
    return (await scene.client.journal.reconcile(entry)).verdict;
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
    { session: null },
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

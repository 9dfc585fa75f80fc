import { afterEach, expect, it } from 'vitest';
import { json } from '../support/clients.js';
import * as reads from './scripted-reads.js';

const { at, debit, loseRequest, lookTwice, MINUTE, setUpScripted, WITHDRAWAL, withHistory } = reads;
const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

it.each([
  ['without an offset, on a device in Tokyo', at(1_000).replace('Z', '')],
  ['without a time', at(1_000).slice(0, 10)],
])('a debit whose date is %s is not taken for an old one', async (_, date) => {
  process.env['TZ'] = 'Asia/Tokyo';
  const scene = setUpScripted(withHistory([{ ...debit(), date }]));
  const { verdict } = await lookTwice(scene, await loseRequest(scene, WITHDRAWAL), MINUTE);
  // `not_executed` would be wrong: the money has left.
  expect(verdict).toBe('undecided');
});

it.each([
  at(1_000),
  at(1_000).replace('T', ' ').replace('Z', '+00'),
  at(1_000).replace('Z', '+0000'),
  at(1_000).replace('Z', '+00:00'),
])('a debit at %s is found, whatever the zone of the device', async (date) => {
  process.env['TZ'] = 'Asia/Tokyo';
  const scene = setUpScripted(withHistory([{ ...debit(), date }]));
  const { verdict } = await lookTwice(scene, await loseRequest(scene, WITHDRAWAL), MINUTE);
  expect(verdict).toBe('executed');
});

it('a card ordered on a day without a time is not taken for an old one', async () => {
  const card = { id: 'c', status: 'ACTIVE', type: 'VIRTUAL', orderedAt: at(1_000).slice(0, 10) };
  const scene = setUpScripted({ 'card.status': card });
  const request = { operation: 'card.order', details: { type: 'VIRTUAL' } };
  const { verdict } = await lookTwice(scene, await loseRequest(scene, request), MINUTE);
  expect(verdict).toBe('undecided');
});

it('a 404 that a cache repeats does not prove that there is no card', async () => {
  const scene = setUpScripted({
    'card.status': () => json({ message: 'Card not found' }, 404, { age: '3600' }),
  });
  const { id } = await loseRequest(scene, {
    operation: 'card.order',
    details: { type: 'VIRTUAL' },
  });
  // The user has logged in again, so `user.get` is read too, and its response has a time.
  for (const [key, text] of scene.store) {
    const page = JSON.parse(text);
    const entries = page.entries?.map((one: { id: string }) =>
      one.id === id ? { ...one, user: 'ada', tokenHash: '0'.repeat(16) } : one,
    );
    if (entries !== undefined) scene.store.set(key, JSON.stringify({ ...page, entries }));
  }
  const [entry] = await scene.client.journal.pending();
  if (entry === undefined) throw new Error('no entry');
  expect((await lookTwice(scene, entry, MINUTE)).verdict).toBe('undecided');
});

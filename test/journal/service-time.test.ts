import { expect, it } from 'vitest';
import { rejection } from '../support/clients.js';
import { MapStore } from '../support/map-store.js';
import { clientOf, platformWithUser } from './support.js';

/** The entry of a lost withdrawal that follows a first call. */
async function entryAfter(first: 'refusal' | 'portal') {
  const { mock, user } = platformWithUser();
  const client = clientOf(mock, user, new MapStore(), { retry: false });
  if (first === 'portal') {
    mock.fail('card.order', { status: 403, isUndocumented: true } as never, { body: '<html>' });
  }
  await rejection(client.card.order());
  const refusedAt = mock.now;
  mock.drop('wallets.credit.withdraw', 'before-processing');
  await rejection(client.wallets.credit.withdraw({ amount: '5' }));
  const entries = await client.journal.pending();
  return { entry: entries.at(-1), refusedAt };
}

it('a refusal shows the time of the service, as a success does', async () => {
  const { entry, refusedAt } = await entryAfter('refusal');
  expect(entry?.operation).toBe('wallets.credit.withdraw');
  // A header has whole seconds.
  expect(entry?.since).toBe(Math.floor(refusedAt / 1_000) * 1_000);
});

it('a page that something else has sent shows none', async () => {
  const { entry } = await entryAfter('portal');
  expect(entry?.operation).toBe('wallets.credit.withdraw');
  expect(entry?.since).toBeUndefined();
});

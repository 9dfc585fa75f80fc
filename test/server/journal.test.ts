import { describe, expect, it } from 'vitest';
import { createJournal } from '../../src/journal/journal.js';
import type { CardProxyOptions } from '../../src/server/index.js';
import { clockOf, lookTwice, lose } from '../journal/support.js';
import { rejection } from '../support/clients.js';
import { MapStore } from '../support/map-store.js';
import { mockProxy, pageClient } from './support.js';

/** A page whose order of a card was lost before it reached the service: the user has no card. */
async function pageWithLostOrder(options: Partial<CardProxyOptions> = {}) {
  const { mock, user, proxy } = mockProxy(options);
  mock.users.get(user.id).card = null;
  const journal = createJournal({ store: new MapStore(), user: user.id, hasAllRequests: true });
  const page = pageClient(proxy, { clock: clockOf(mock), journal });
  await page.wallets.credit.get();
  mock.advance('1 hour');
  mock.drop('card.order', 'before-processing');
  await lose(page.card.order({ type: 'VIRTUAL' }));
  const [entry] = await page.journal.pending();
  if (entry === undefined) throw new Error('there must be an entry');
  return { mock, page, entry };
}

describe('the journal of a page behind the proxy', () => {
  it('finds that a lost order never arrived, because a 404 shows the clock of the service too', async () => {
    const { mock, page, entry } = await pageWithLostOrder();
    expect(await page.card.status().safe()).toMatchObject({ error: { code: 'card_not_found' } });
    expect((await lookTwice(mock, page, entry)).verdict).toBe('not_executed');
  });

  it('rejects with the name of a read that the proxy does not allow', async () => {
    const { page } = await pageWithLostOrder({
      allow: ['card.order', 'card.status', 'wallets.credit.get'],
    });
    const error = await rejection(page.journal.recover(() => {}));
    expect(error).toMatchObject({ code: 'not_authorized', operation: 'user.get', next: 'contact' });
    expect(String(error)).toContain('the proxy responded with 403');
    expect(await page.journal.pending()).toHaveLength(1);
  });
});

import { expect, it } from 'vitest';
import { createJournal } from '../../src/journal/journal.js';
import { createMockPlatform } from '../../src/testing/platform.js';
import { MapStore } from '../support/map-store.js';
import { clientOf, lookTwice, lose } from './support.js';

/** Two users of a tenant, whose calls go over one server with one journal. */
function setUp() {
  const mock = createMockPlatform();
  const store = new MapStore();
  const [ada, bob] = [mock.users.add(), mock.users.add()];
  const journalOf = (user: { id: string }) => ({
    journal: createJournal({ store, user: user.id, hasAllRequests: true }),
  });
  return {
    mock,
    ada: clientOf(mock, ada, store, journalOf(ada)),
    bob: clientOf(mock, bob, store, journalOf(bob)),
  };
}

const WEBHOOK = { name: 'orders', url: 'https://example.com/hook', eventTypes: ['*'] };

it('reconcile does not mistake a webhook that another user of the tenant created for the one of an entry', async () => {
  const { mock, ada, bob } = setUp();
  mock.drop('webhooks.create', 'before-processing');
  await lose(ada.webhooks.create(WEBHOOK));
  await bob.webhooks.create(WEBHOOK);
  mock.advance('10 minutes');
  const [entry] = await ada.journal.pending();
  expect(entry && (await lookTwice(mock, ada, entry)).verdict).toBe('not_executed');
});

it('reconcile does not mistake a webhook of a user in another region for the one of an entry', async () => {
  const { mock, ada, bob } = setUp();
  mock.drop('webhooks.create', 'before-processing');
  await lose(ada.webhooks.create(WEBHOOK));
  await bob.webhooks.create(WEBHOOK, { region: 'us' });
  mock.advance('10 minutes');
  const [entry] = await ada.journal.pending();
  expect(entry && (await lookTwice(mock, ada, entry)).verdict).toBe('not_executed');
});

it('reconcile does not mistake the webhook of another user for the one of an entry while the request of that user is open', async () => {
  const { mock, ada, bob } = setUp();
  mock.drop('webhooks.create', 'before-processing');
  await lose(ada.webhooks.create(WEBHOOK));
  mock.drop('webhooks.create', 'after-processing');
  await lose(bob.webhooks.create(WEBHOOK));
  mock.advance('10 minutes');
  const [entry] = await ada.journal.pending();
  expect(entry && (await lookTwice(mock, ada, entry)).verdict).toBe('undecided');
});

import { CardPlatformClient } from '../../src/client.js';
import type {
  ClientOptions,
  JournalEntry,
  KeyValueStore,
  Reconciliation,
} from '../../src/index.js';
import { createJournal } from '../../src/journal/journal.js';
import { createMockPlatform, type MockPlatform } from '../../src/testing/platform.js';
import type { MockUser } from '../../src/testing/state.js';
import type { Clock } from '../../src/transport/attempts/clock.js';
import { rejection } from '../support/clients.js';

/** A wallet on linea: the recipient of withdrawals, and the wallet of delegations. */
export const OWN_WALLET = `0x${'ab'.repeat(20)}`;

/** The clock of a mock platform, for a client that uses the platform's time. */
export function clockOf(mock: MockPlatform): Clock {
  return {
    now: () => mock.now,
    elapsed: () => mock.now,
    schedule: (callback, ms) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  };
}

/** A platform with a user who can do everything that the journal records. */
export function platformWithUser() {
  const mock = createMockPlatform();
  const ada = mock.users.add({ card: 'ACTIVE' });
  const user = mock.users.get(ada.id);
  return { mock, user };
}

/** A client of a user with a journal. */
export function clientOf(
  mock: MockPlatform,
  user: { id: string },
  store: KeyValueStore,
  options: Partial<ClientOptions> = {},
): CardPlatformClient {
  return new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    ...mock.credentials,
    accessToken: mock.accessTokenFor(user as MockUser),
    clock: clockOf(mock),
    random: () => 0,
    journal: createJournal({ store, hasAllRequests: true }),
    ...options,
  });
}

/** Looks up an entry twice, as far apart as a verdict needs. */
export async function lookTwice(
  mock: MockPlatform,
  { journal }: CardPlatformClient,
  entry: JournalEntry,
): Promise<Reconciliation> {
  await journal.reconcile(entry);
  mock.advance('6 minutes');
  return journal.reconcile(entry);
}

/** Calls, and returns the error, whose outcome must be `unknown`. */
export async function lose(call: PromiseLike<unknown>): Promise<unknown> {
  return rejection(call);
}

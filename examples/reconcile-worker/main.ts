import { deepEqual, equal } from 'node:assert/strict';
import { CardPlatformClient } from 'card-platform-sdk';
import { createJournal } from 'card-platform-sdk/journal';
import { memoryStore } from 'card-platform-sdk/stores';
import { createMockPlatform } from 'card-platform-sdk/testing';
import { type JobState, payOut, reconcileAll } from './worker.js';

// A queue worker that pays out, loses two responses, is restarted, and finds out what happened:
// `npx tsx examples/reconcile-worker/main.ts`.
const mock = createMockPlatform();
const ada = mock.users.add({
  externalWallets: [
    {
      address: `0x${'ab'.repeat(20)}`,
      currency: 'usdc',
      balance: '0',
      allowance: '0',
      network: 'linea',
    },
  ],
});
// In production: folderStore, or a table of the database that also holds the queue.
const store = memoryStore();

/** Starts the worker. Only the store is left of an earlier run. */
function start(): CardPlatformClient {
  return new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    ...mock.credentials,
    accessToken: mock.accessTokenFor(ada),
    // Nobody but this worker withdraws for Ada.
    journal: createJournal({ store, user: ada.id, hasAllRequests: true }),
    clock: {
      now: () => mock.now,
      elapsed: () => mock.now,
      schedule: (callback, ms) => {
        const timer = setTimeout(callback, ms);
        return () => clearTimeout(timer);
      },
    },
  });
}

/** What has become of each amount, in the order of the reports. */
const states: [amount: string, state: JobState][] = [];

/** Starts the worker again after a crash, and looks until nothing is open. */
async function restart(): Promise<CardPlatformClient> {
  const restarted = start();
  for (;;) {
    const lookAgainAt = await reconcileAll(restarted, (entry, state, reason) => {
      const { amount = '' } = entry.details;
      states.push([amount, state]);
      console.log(`${amount} USDC: ${state}, because ${reason}`);
    });
    if (lookAgainAt === undefined) return restarted;
    mock.advance(Date.parse(lookAgainAt) - mock.now + 1_000);
  }
}

let worker = start();
equal(await payOut(worker, { id: 'job 1', amount: '10' }), 'paid');
mock.advance('1 hour');
await worker.wallets.credit.get();
mock.drop('wallets.credit.withdraw', 'after-processing');
equal(await payOut(worker, { id: 'job 2', amount: '25' }), 'in-doubt');
worker = await restart();
mock.drop('wallets.credit.withdraw', 'before-processing');
equal(await payOut(worker, { id: 'job 3', amount: '60' }), 'in-doubt');
worker = await restart();

deepEqual(states, [
  ['25', 'in-doubt'],
  ['25', 'paid'],
  ['60', 'in-doubt'],
  ['60', 'try-again'],
]);
equal(mock.users.get(ada.id).creditWallet.balance, '65');
console.log(`Open requests: ${(await worker.journal.pending()).length}`);

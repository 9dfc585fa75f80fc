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
    journal: createJournal({ store, user: ada.id }),
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

const worker = start();
equal(await payOut(worker, { id: 'job 1', amount: '10' }), 'paid');
mock.drop('wallets.credit.withdraw', 'after-processing');
equal(await payOut(worker, { id: 'job 2', amount: '25' }), 'in-doubt');
mock.drop('wallets.credit.withdraw', 'before-processing');
equal(await payOut(worker, { id: 'job 3', amount: '60' }), 'in-doubt');

const restarted = start();
mock.advance('10 minutes');
const states: Record<string, JobState> = {};
await reconcileAll(restarted, (entry, state, reason) => {
  const { amount = '' } = entry.details;
  states[amount] = state;
  console.log(`${amount} USDC: ${state}, because ${reason}`);
});
deepEqual(states, { '25': 'paid', '60': 'try-again' });
equal(mock.users.get(ada.id).creditWallet.balance, '65');
console.log(`Open requests: ${(await restarted.journal.pending()).length}`);

import { expect, it } from 'vitest';
import { createJournal } from '../../src/journal/journal.js';
import { clientFor } from '../support/clients.js';
import { jsonAt, MINUTE, SETTLED, setUpScripted, withHistory } from './scripted-reads.js';

it('a program that slept after writing the entry sends nothing when it wakes', async () => {
  const { client, clock, store } = setUpScripted(withHistory([]));
  await client.user.get();
  let wake = () => {};
  const awake = new Promise<void>((resolve) => {
    wake = resolve;
  });
  let sent = 0;
  const sleeper = clientFor('https://api.example.com', {
    // The wall clock goes on; the monotonic clock and the timers stand still.
    clock: { now: () => clock.now(), elapsed: () => 0, schedule: () => () => {} },
    journal: createJournal({
      store: {
        get: (key) => store.get(key),
        set: (key, value) => store.set(key, value),
        delete: (key) => store.delete(key),
        update: async (key, change) => {
          store.update(key, change);
          if (key === 'card-platform.journal.0') await awake;
        },
      },
    }),
    fetch: async () => {
      sent++;
      return jsonAt(clock.now(), { txHash: `0x${'a'.repeat(64)}` });
    },
  });
  const call = sleeper.wallets.credit.withdraw({ amount: '10' }).safe();
  await new Promise((resolve) => setTimeout(resolve, 30));
  const verdicts: string[] = [];
  for (const time of [MINUTE, SETTLED]) {
    clock.advance(time);
    await client.journal.recover(({ verdict }) => verdicts.push(verdict));
  }
  expect(verdicts).toEqual(['undecided', 'not_executed']);
  wake();
  await call;
  expect(sent).toBe(0); // "it did not, and no longer will"
});

it('a program that slept in a middleware, after the entry was written, sends nothing when it wakes', async () => {
  const { client, clock, store } = setUpScripted(withHistory([]));
  await client.user.get();
  let wake = () => {};
  const awake = new Promise<void>((resolve) => {
    wake = resolve;
  });
  let sent = 0;
  const sleeper = clientFor('https://api.example.com', {
    // The wall clock goes on; the monotonic clock and the timers stand still.
    clock: { now: () => clock.now(), elapsed: () => 0, schedule: () => () => {} },
    journal: createJournal({ store }),
    middleware: [
      async (_, next) => {
        await awake;
        return next();
      },
    ],
    fetch: async () => {
      sent++;
      return jsonAt(clock.now(), { txHash: `0x${'a'.repeat(64)}` });
    },
  });
  const call = sleeper.wallets.credit.withdraw({ amount: '10' }).safe();
  await new Promise((resolve) => setTimeout(resolve, 30));
  const verdicts: string[] = [];
  for (const time of [MINUTE, SETTLED]) {
    clock.advance(time);
    await client.journal.recover(({ verdict }) => verdicts.push(verdict));
  }
  expect(verdicts).toEqual(['undecided', 'not_executed']);
  wake();
  await call;
  expect(sent).toBe(0);
});

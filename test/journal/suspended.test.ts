import { expect, it } from 'vitest';
import { createJournal } from '../../src/journal/journal.js';
import { clientFor } from '../support/clients.js';
import { jsonAt, MINUTE, SETTLED, setUpScripted, withHistory } from './scripted-reads.js';

it.each([
  'writes the entry of its request',
  'runs a middleware',
] as const)('a program that is suspended while it %s sends nothing when it wakes up', async (where) => {
  const { client, clock, store } = setUpScripted(withHistory([]));
  await client.user.get();
  let wake!: () => void;
  const awake = new Promise<void>((resolve) => {
    wake = resolve;
  });
  let sleep!: () => void;
  const isAsleep = new Promise<void>((resolve) => {
    sleep = resolve;
  });
  const suspend = () => {
    sleep();
    return awake;
  };
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
          if (where !== 'runs a middleware' && key === 'card-platform.journal.0') await suspend();
        },
      },
    }),
    middleware: [
      async (_, next) => {
        if (where === 'runs a middleware') await suspend();
        return next();
      },
    ],
    fetch: async () => {
      sent++;
      return jsonAt(clock.now(), { txHash: `0x${'a'.repeat(64)}` });
    },
  });
  const call = sleeper.wallets.credit.withdraw({ amount: '10' }).safe();
  await isAsleep;
  const verdicts: string[] = [];
  for (const time of [MINUTE, SETTLED]) {
    clock.advance(time);
    await client.journal.recover(({ verdict }) => verdicts.push(verdict));
  }
  expect(verdicts).toEqual(['undecided', 'not_executed']);
  wake();
  expect((await call).error).toMatchObject({
    code: 'timeout',
    outcome: 'not_sent',
    attempts: 0,
  });
  expect(sent).toBe(0);
});

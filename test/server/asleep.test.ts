import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createJournal } from '../../src/journal/index.js';
import { memoryStore } from '../../src/stores/index.js';
import { json, rejection } from '../support/clients.js';
import { pageClient, SESSION_TOKEN, scriptedProxy } from './support.js';

const DONE = { txHash: `0x${'a'.repeat(64)}` };

// While a machine sleeps, its wall clock goes on. Here it moves only then; the other clock is real.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** A page with a journal, behind a server that sleeps at this moment, for that long. */
function setUp(moment: 'session' | 'token', asleep: number) {
  const sleep = (now: typeof moment) => {
    if (now === moment) vi.setSystemTime(Date.now() + asleep);
  };
  const scene = scriptedProxy([json(DONE)], {
    session: () => {
      sleep('session');
      return {
        accessToken: async () => {
          sleep('token');
          return SESSION_TOKEN;
        },
      };
    },
  });
  const journal = createJournal({ store: memoryStore(), user: 'ada' });
  return { ...scene, page: pageClient(scene.proxy, { journal }) };
}

it.each([
  ['session', 'timeout'],
  ['token', 'call_failed'],
] as const)('a server that sleeps past the time of a withdrawal while it waits for the %s sends nothing', async (moment, reason) => {
  const { page, requests, failures } = setUp(moment, 12_001);
  const error = await rejection(page.wallets.credit.withdraw({ amount: '10' }));
  expect(error).toMatchObject({ outcome: 'not_sent', isRetryable: true });
  expect(requests).toHaveLength(0);
  expect(failures).toMatchObject([{ outcome: 'not_sent', reason }]);
  expect(await page.journal.pending()).toEqual([]);
});

it.each([
  'session',
  'token',
] as const)('a server that sleeps shortly while it waits for the %s sends it', async (moment) => {
  const { page, requests } = setUp(moment, 1_000);
  expect(await page.wallets.credit.withdraw({ amount: '10' })).toEqual(DONE);
  expect(requests).toHaveLength(1);
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CardPlatformClient, type ClientOptions } from '../../src/index.js';
import { createJournal } from '../../src/journal/index.js';
import { memoryStore } from '../../src/stores/index.js';
import { json, rejection, scriptedFetch } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';
import { OWN_PAGE, pageClient, SESSION_TOKEN, scriptedProxy, sendTo } from './support.js';

const DONE = { txHash: `0x${'a'.repeat(64)}` };

// While a machine sleeps, its wall clock goes on. Here it moves only then; the other clock is real.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** A page with a journal, behind a server that sleeps at this moment, for that long. */
function setUp(moment: 'session' | 'token', asleep: number, client: Partial<ClientOptions> = {}) {
  const sleep = (now: typeof moment) => {
    if (now === moment) vi.setSystemTime(Date.now() + asleep);
  };
  const session = () => {
    sleep('session');
    return {
      accessToken: async () => {
        sleep('token');
        return SESSION_TOKEN;
      },
    };
  };
  const scene = scriptedProxy([json(DONE)], { session }, client);
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

it('a server that has a journal too sends nothing then', async () => {
  const store = memoryStore();
  const { page, requests } = setUp('token', 12_001, { journal: createJournal({ store }) });
  const error = await rejection(page.wallets.credit.withdraw({ amount: '10' }));
  expect(error).toMatchObject({ outcome: 'not_sent' });
  expect(requests).toHaveLength(0);
});

it('a freeze that a page sends again is not sent once the time that it has left is over', async () => {
  const { proxy, requests } = setUp('token', 3_000);
  const headers = { 'x-card-platform-time-left': '2999' };
  expect((await sendTo(proxy, 'POST', '/v1/card/freeze', { headers })).status).toBe(503);
  expect(requests).toHaveLength(0);
});

it('a response to a freeze may come after that time', async () => {
  const clock = new FakeClock({ auto: false });
  const { fetch } = scriptedFetch(json({ success: true }));
  const slow: typeof fetch = async (...request) => {
    clock.advance(11_000);
    return fetch(...request);
  };
  const { page } = scriptedProxy([], {}, { fetch: slow, clock });
  expect(await page.card.freeze()).toMatchObject({ success: true });
});

it('a page says for how long the proxy may send a freeze, by the moment when it leaves', async () => {
  const { proxy, requests } = scriptedProxy([json({ success: true })]);
  const left: (string | null)[] = [];
  const page = pageClient(proxy, {
    middleware: [
      (_, next) => {
        if (left.length === 1) vi.setSystemTime(Date.now() + 3_000);
        return next();
      },
    ],
    fetch: async (url, init) => {
      const headers = new Headers({ ...Object(init.headers), ...OWN_PAGE });
      left.push(headers.get('x-card-platform-time-left'));
      const response = await proxy(new Request(url, { ...init, headers }));
      if (left.length > 1) return response;
      vi.setSystemTime(Date.now() + 4_001);
      throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } });
    },
  });
  expect(await page.card.freeze()).toMatchObject({ success: true });
  expect(left).toEqual(['10000', '2999']);
  expect(requests).toHaveLength(2);
});

it('a freeze whose time is over is not tried again, whatever a server says', async () => {
  const report = { name: 'TimeoutError', code: 'timeout', phase: 'headers' };
  const says = { ...report, outcome: 'unknown', isRetryable: true, next: 'retry' };
  let sent = 0;
  const page = new CardPlatformClient({
    baseUrl: 'https://shop.example/api',
    throughProxy: true,
    fetch: async () => {
      sent++;
      vi.setSystemTime(Date.now() + 10_001);
      const headers = { 'x-card-platform-outcome': 'unknown' };
      return json({ message: 'Late', cardPlatformError: says }, 503, headers);
    },
  });
  const error = await rejection(page.card.freeze());
  expect(error).toMatchObject({ outcome: 'unknown', isRetryable: false, next: 'look_up' });
  expect(sent).toBe(1);
});

it.each([
  'session',
  'token',
] as const)('a server that sleeps shortly while it waits for the %s sends it', async (moment) => {
  const { page, requests } = setUp(moment, 1_000);
  expect(await page.wallets.credit.withdraw({ amount: '10' })).toEqual(DONE);
  expect(requests).toHaveLength(1);
});

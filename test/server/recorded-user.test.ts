import { describe, expect, it } from 'vitest';
import type { CardPlatformClient } from '../../src/client.js';
import { unrecorded } from '../../src/delegation/client.js';
import { call, defineEndpoint } from '../../src/endpoints/index.js';
import { createJournal } from '../../src/journal/journal.js';
import type { JournalOptions } from '../../src/journal/options.js';
import type { ProxySession } from '../../src/server/index.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { MapStore } from '../support/map-store.js';
import { pageClient, SESSION_TOKEN, scriptedProxy } from './support.js';

const DONE = () => json({ success: true, txHash: '0xab' });

/** A page that shows one user, and a proxy whose cookie belongs to another one, perhaps. */
function tabOf(
  user: JournalOptions['user'],
  session: Partial<ProxySession>,
  options: Partial<JournalOptions> = {},
) {
  const { proxy, requests, failures } = scriptedProxy([DONE], {
    session: () => ({ accessToken: SESSION_TOKEN, ...session }),
  });
  const sent: Headers[] = [];
  const shown: string[] = [];
  const page = pageClient(
    (request) => {
      sent.push(request.headers);
      return proxy(request);
    },
    {
      journal: createJournal({ store: new MapStore(), user, ...options }),
      middleware: [
        (request, next) => {
          shown.push(...Object.keys(request.headers));
          return next();
        },
      ],
    },
  );
  return { page, requests, failures, sent, shown };
}

describe('a request of a page whose journal names the user', () => {
  it('is not sent for another user, who has logged in in another tab', async () => {
    const { page, requests, failures } = tabOf('ada', { userId: 'bob' });
    const error = await rejection(page.wallets.credit.withdraw({ amount: '100' }));
    expect(error).toMatchObject({
      name: 'AuthenticationError',
      status: 401,
      serverCode: 'session_mismatch',
      outcome: 'not_sent',
      next: 'log_in',
      isRetryable: false,
    });
    expect(requests).toEqual([]);
    expect(failures).toMatchObject([
      {
        operation: 'wallets.credit.withdraw',
        status: 401,
        outcome: 'not_sent',
        reason: 'session_mismatch',
      },
    ]);
    expect(await page.journal.pending()).toEqual([]);
  });

  it.each([
    'ada',
    'a: b, c',
    'Ada Łovelace',
    '👩‍💻',
    'half of a pair: \ud800',
    '\u007f\r\n',
  ])('is sent for the user of the session: %j', async (user) => {
    const { page, requests } = tabOf(user, { userId: user });
    await page.wallets.credit.withdraw({ amount: '100' });
    expect(requests).toHaveLength(1);
  });

  it.each([
    undefined,
    null,
    '',
  ])('is sent if the session does not say whose it is: %j', async (userId) => {
    const { page, requests } = tabOf('ada', { userId });
    await page.wallets.credit.withdraw({ amount: '100' });
    expect(requests).toHaveLength(1);
  });

  it('shows its user to the proxy only: neither to the service nor to middleware', async () => {
    const { page, requests, sent, shown } = tabOf('ada', { userId: 'ada' });
    await page.wallets.credit.withdraw({ amount: '100' });
    expect(sent.map((headers) => headers.get('x-card-platform-user'))).toEqual(['ada']);
    const [request] = requests;
    expect(new Headers(request?.init.headers).has('x-card-platform-user')).toBe(false);
    expect(shown).toContain('accept');
    expect(shown).not.toContain('x-card-platform-user');
  });
});

const FAUCET = { faucet: true, network: 'linea', address: `0x${'a'.repeat(40)}` } as const;
/** A call of the page that is never recorded. */
const ADD = (page: CardPlatformClient) =>
  call(
    page,
    defineEndpoint({
      id: 'own.add',
      method: 'POST',
      path: '/v1/card/freeze',
      retry: 'never',
      isRecorded: false,
      credentials: ['accessToken'],
    }),
    {},
  );
const REFUSED = { status: 401, serverCode: 'session_mismatch', outcome: 'not_sent' };

it.each([
  ['freezes a card', (page: CardPlatformClient) => page.card.freeze()],
  ['the journal never records', ADD],
  [
    'is of a delegation, which the journal does not record',
    (page: CardPlatformClient) => page.delegation.getToken(FAUCET, unrecorded(undefined)),
  ],
])('a request that %s is not sent for another user either', async (_, send) => {
  const { page, requests } = tabOf('ada', { userId: 'bob' });
  const error = await Promise.resolve(send(page)).catch((reason: unknown) => reason);
  expect(error).toMatchObject(REFUSED);
  expect(requests).toEqual([]);
});

it('a request whose entry cannot be written says whose it is, if it is sent', async () => {
  const fail = () => Promise.reject(new Error('the disk is full'));
  const store = { get: fail, set: fail, update: fail, delete: fail };
  const { page, requests } = tabOf('ada', { userId: 'bob' }, { store, onStoreFailure: 'send' });
  const error = await rejection(page.wallets.credit.withdraw({ amount: '100' }));
  expect(error).toMatchObject(REFUSED);
  expect(requests).toEqual([]);
});

it.each([
  ['names nobody', () => undefined],
  [
    'throws',
    () => {
      throw new Error('there is no session');
    },
  ],
])('what is not recorded is sent if the journal %s', async (_, user) => {
  const { page, requests, sent } = tabOf(user, { userId: 'bob' });
  await page.card.freeze();
  await ADD(page);
  expect(requests).toHaveLength(2);
  expect(sent.map((headers) => headers.has('x-card-platform-user'))).toEqual([false, false]);
});

it('a read does not say whom the page shows, because the function user of the journal may make it', async () => {
  const user = async (): Promise<string> => String((await page.user.get()).id);
  const { proxy, requests } = scriptedProxy([json({ id: 'ada', status: 'ACTIVE' })], {
    session: () => ({ accessToken: SESSION_TOKEN, userId: 'ada' }),
  });
  const page = pageClient(proxy, { journal: createJournal({ store: new MapStore(), user }) });
  await page.card.status();
  expect(requests).toHaveLength(1);
  await page.card.freeze().safe();
  expect(requests).toHaveLength(3);
});

it('a look behind a proxy reads only the data of the user of its entry', async () => {
  const store = new MapStore();
  const journal = createJournal({ store, user: 'ada' });
  const { fetch } = scriptedFetch(new Error('broken'));
  const session = { userId: 'ada' };
  const { proxy, requests } = scriptedProxy(
    [
      () => {
        // The other tab logs in while the first response is on its way.
        session.userId = 'bob';
        return json({ id: 'ada' });
      },
    ],
    { session: () => ({ accessToken: SESSION_TOKEN, ...session }) },
  );
  const lost = pageClient(proxy, { journal, fetch, retry: false });
  await rejection(lost.wallets.credit.withdraw({ amount: '100' }));
  const page = pageClient(proxy, { journal, retry: false });
  const error = await rejection(page.journal.recover(() => {}));
  expect(error).toMatchObject(REFUSED);
  expect(requests).toHaveLength(1);
});

it('a page without a journal does not say whom it shows', async () => {
  const session = () => ({ accessToken: SESSION_TOKEN, userId: 'bob' });
  const { page, requests } = scriptedProxy([DONE], { session });
  await page.wallets.credit.withdraw({ amount: '100' });
  expect(requests).toHaveLength(1);
});

it('a client without a proxy does not send the service the user of its journal', async () => {
  const { fetch, requests } = scriptedFetch(DONE);
  const journal = createJournal({ store: new MapStore(), user: 'ada' });
  await clientFor('https://api.example.com', { fetch, journal }).wallets.credit.withdraw({
    amount: '100',
  });
  const [request] = requests;
  expect(new Headers(request?.init.headers).has('x-card-platform-user')).toBe(false);
});

it('no caller can set the user of a request', async () => {
  const { page, requests } = tabOf('ada', { userId: 'bob' });
  const headers = { 'X-Card-Platform-User': 'bob' };
  const error = await rejection(page.wallets.credit.withdraw({ amount: '100' }, { headers }));
  expect(error).toMatchObject({ name: 'ConfigurationError', option: 'headers' });
  expect(requests).toEqual([]);
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPageServer, SERVER_PATH } from '../../examples/card-page/server.js';
import type { KeyValueStore } from '../../src/index.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { createSessions } from '../../src/sessions/index.js';
import { rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';
import { MapStore } from '../support/map-store.js';
import { mockProxy } from './support.js';

describe('a proxy whose sessions are those of createSessions', () => {
  function setUp() {
    const store = new MapStore();
    const clock = new FakeClock();
    /** The state of a server process: after a restart only the store is left. */
    const sessions = () => createSessions({ store, key: 'session.of-a-cookie', clock });
    const session = async () => (await sessions().load()).session;
    return { ...mockProxy({ session }), store, clock, sessions };
  }

  it('acts for the user who has logged in, and sends no token to the page', async () => {
    const { mock, user, page, sessions } = setUp();
    await sessions().signIn({ accessToken: mock.accessTokenFor(user) }, { region: 'global' });
    expect(await page.card.status()).toMatchObject({ status: 'ACTIVE' });
  });

  it('sends nothing without a session, after a logout and after the token has expired', async () => {
    const { mock, user, page, clock, sessions } = setUp();
    const refused = { status: 401, outcome: 'not_sent' };
    const withdraw = () => rejection(page.wallets.credit.withdraw({ amount: '1' }));
    expect(await withdraw()).toMatchObject(refused);
    const tokens = { accessToken: mock.accessTokenFor(user), expiresIn: 60_000 };
    await sessions().signIn(tokens, { region: 'global' });
    await sessions().signOut();
    expect(await withdraw()).toMatchObject(refused);
    await sessions().signIn(tokens, { region: 'global' });
    clock.advance(60_001);
    expect(await withdraw()).toMatchObject(refused);
    expect(mock.requests).toEqual([]);
  });

  it('sends nothing when the store of the sessions fails', async () => {
    const get = () => Promise.reject(new Error('the database is down'));
    const store = { get, set: () => {}, delete: () => {}, update: get };
    const session = async () => (await createSessions({ store }).load()).session;
    const { mock, page, failures } = mockProxy({ session });
    const error = await rejection(page.wallets.credit.withdraw({ amount: '1' }));
    expect(error).toMatchObject({ status: 503, outcome: 'not_sent' });
    expect(failures).toMatchObject([{ reason: 'session_failed' }]);
    expect(mock.requests).toEqual([]);
  });
});

describe('the server of the card page', () => {
  let sandbox: Awaited<ReturnType<typeof startSandbox>>;
  const servers: Server[] = [];
  beforeAll(async () => {
    sandbox = await startSandbox(0, 'demo', Date.now);
  });
  afterAll(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await sandbox.stop();
  });

  async function start(store: KeyValueStore): Promise<string> {
    const { clientKey } = sandbox.platform.credentials;
    const server = createServer(createPageServer({ baseUrl: sandbox.url, clientKey }, store));
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}${SERVER_PATH}`;
  }

  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const statusOf = async (url: string, cookie: string) =>
    (await fetch(`${url}/v1/card/status`, { headers: { ...headers, cookie } })).status;

  it('keeps the user logged in over a restart, because the session is in its store', async () => {
    const store = new MapStore();
    const ada = sandbox.platform.users.get('ada@example.com');
    ada.otpEnabled = false;
    const first = await start(store);
    const body = JSON.stringify({ email: ada.email, password: ada.password });
    const login = await fetch(`${first}/session`, { method: 'POST', headers, body });
    expect(login.status).toBe(200);
    const [token] = [...store.values()].map((text) => JSON.parse(text).accessToken);
    expect(await login.text()).not.toContain(token ?? 'the token must be in the store');
    const [cookie = ''] = (login.headers.get('set-cookie') ?? '').split(';');
    expect(await statusOf(first, cookie)).toBe(200);
    const second = await start(store);
    expect(await statusOf(second, cookie)).toBe(200);
    expect(await statusOf(second, `${cookie}0`)).toBe(401);
    expect(await statusOf(await start(new MapStore()), cookie)).toBe(401);
  });
});

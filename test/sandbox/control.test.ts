import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CardPlatformClient } from '../../src/index.js';
import { ACTIONS } from '../../src/sandbox/control/actions.js';
import { DEMO_LOGINS } from '../../src/sandbox/demo-users.js';
import { USAGE } from '../../src/sandbox/options.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { runAction } from './run-action.js';

let sandbox: Sandbox;
let time: number;
beforeEach(async () => {
  time = Date.UTC(2026, 0, 1);
  sandbox = await startSandbox(0, 'demo', () => time, { observed: true });
});
afterEach(() => sandbox.stop());

function clientOf(email: string): CardPlatformClient {
  const { url, platform } = sandbox;
  const accessToken = platform.accessTokenFor(platform.users.get(email));
  return new CardPlatformClient({ baseUrl: url, ...platform.credentials, accessToken });
}

const act = (name: string, input: unknown, type?: string) => runAction(sandbox, name, input, type);

const emails = () => sandbox.platform.users.find('new@example.com')?.email;

describe('the control of the sandbox', () => {
  it('adds a user who can log in, and returns an access token', async () => {
    const { status, body } = await act('addUser', {
      email: 'new@example.com',
      password: 'a long password',
      card: 'ACTIVE',
      wallets: [{ balance: '50', isLinked: true }],
    });
    expect(status).toBe(200);
    const { url: baseUrl, platform } = sandbox;
    const client = new CardPlatformClient({ baseUrl, ...platform.credentials });
    const login = await client.auth.login({
      email: String(body['email']),
      password: String(body['password']),
    });
    expect(login).toMatchObject({ userId: body['id'] });
    const userClient = client.withAccessToken(String(body['accessToken']));
    expect((await userClient.card.status()).status).toBe('ACTIVE');
    expect(await userClient.wallets.internal.list()).toMatchObject([{ balance: '50' }]);
  });

  it('returns an access token for a user', async () => {
    const { body } = await act('createAccessToken', { user: 'alan@example.com' });
    const { url: baseUrl, platform } = sandbox;
    const client = new CardPlatformClient({ baseUrl, ...platform.credentials });
    const alan = client.withAccessToken(String(body['accessToken']));
    expect((await alan.card.status()).status).toBe('ACTIVE');
  });

  it('resets to the seed of the start, or to another', async () => {
    await act('addUser', { email: 'new@example.com' });
    await act('fail', { endpoint: '*', failure: 500 });
    const { body } = await act('reset', {});
    expect(emails()).toBeUndefined();
    expect((body['users'] as { email: string }[])[0]?.email).toBe('ada@example.com');
    expect((await clientOf('ada@example.com').card.status()).status).toBe('ACTIVE');
    expect((await act('reset', { seed: 'empty' })).body['users']).toEqual([]);
  });

  it('keeps real time after a reset', async () => {
    time += 3_600_000;
    const { body } = await act('reset', {});
    expect(body['now']).toBe(new Date(time).toISOString());
  });

  it('restores a snapshot by its name, and one that a program has kept', async () => {
    await act('saveSnapshot', { name: 'start' });
    const kept: unknown = await (await fetch(`${sandbox.url}/sandbox/snapshot`)).json();
    for (const input of [{ name: 'start' }, { snapshot: kept }]) {
      await act('addUser', { email: 'new@example.com' });
      expect((await act('restoreSnapshot', input)).status).toBe(200);
      expect(emails()).toBeUndefined();
    }
  });

  it('keeps 100 snapshots, of which each can be saved again', async () => {
    for (let number = 1; number <= 100; number++) {
      await act('saveSnapshot', { name: `step ${number}` });
    }
    const { status, body } = await act('saveSnapshot', { name: 'one more' });
    expect(status).toBe(400);
    expect(body['error']).toContain('at most 100');
    await act('addUser', { email: 'new@example.com' });
    expect((await act('saveSnapshot', { name: 'step 7' })).status).toBe(200);
    await act('reset', {});
    await act('restoreSnapshot', { name: 'step 7' });
    expect(emails()).toBe('new@example.com');
  });

  it('keeps real time after an old snapshot, and the time of one from the future', async () => {
    await act('saveSnapshot', {});
    time += 60_000;
    const { body } = await act('restoreSnapshot', {});
    expect(body['now']).toBe(new Date(time).toISOString());
    await act('advance', { duration: '2 days' });
    await act('saveSnapshot', { name: 'later' });
    await act('reset', {});
    const later = await act('restoreSnapshot', { name: 'later' });
    expect(later.body['now']).toBe(new Date(time + 2 * 86_400_000).toISOString());
  });

  it('moves the time by minutes, by a duration and to a time', async () => {
    await act('advance', { minutes: 1.5 });
    await act('advance', { duration: '2 hours' });
    await act('advance', { duration: 500 });
    expect(sandbox.platform.now - time).toBe(90_000 + 7_200_000 + 500);
    const { body } = await act('advance', { to: '2027-01-01T00:00:00Z' });
    expect(body['now']).toBe('2027-01-01T00:00:00.000Z');
  });

  it('plans a fault in the shape that `mock.fail` takes', async () => {
    await act('fail', {
      endpoint: 'card.freeze',
      failure: { status: 418, isUndocumented: true },
      options: { times: 2, body: { message: 'teapot' }, headers: { 'x-planned': 'yes' } },
    });
    const headers = {
      'x-client-key': sandbox.platform.credentials.clientKey,
      authorization: `Bearer ${sandbox.platform.accessTokenFor(sandbox.platform.users.get('ada@example.com'))}`,
    };
    for (const status of [418, 418, 200]) {
      const response = await fetch(`${sandbox.url}/v1/card/freeze`, { method: 'POST', headers });
      expect(response.status).toBe(status);
      if (status !== 418) continue;
      expect(response.headers.get('x-planned')).toBe('yes');
      expect(await response.json()).toEqual({ message: 'teapot' });
    }
  });

  it('breaks a connection before or after processing', async () => {
    await act('drop', { endpoint: 'card.freeze', moment: 'before-processing' });
    const ada = clientOf('ada@example.com');
    await expect(ada.card.freeze({ retry: false })).rejects.toMatchObject({ outcome: 'unknown' });
    expect((await ada.card.status()).status).toBe('ACTIVE');
    await act('drop', { endpoint: 'card.freeze', options: { times: 1 } });
    await expect(ada.card.freeze({ retry: false })).rejects.toMatchObject({ outcome: 'unknown' });
    expect((await ada.card.status()).status).toBe('FROZEN');
  });

  it('delivers an event to a local server, and returns what was sent', async () => {
    const received: string[] = [];
    const receiver = createServer((request, response) => {
      request.on('data', (chunk) => received.push(String(chunk)));
      request.on('end', () => response.writeHead(204).end());
    }).listen(0, '127.0.0.1');
    try {
      await clientOf('ada@example.com').webhooks.create({
        name: 'n',
        url: 'https://hooks.example.com',
        eventTypes: ['*'],
        isActive: true,
      });
      const { port } = receiver.address() as AddressInfo;
      const { body } = await act('deliver', {
        type: 'card.activated',
        data: { userId: 'user-1' },
        to: `http://127.0.0.1:${port}/hooks`,
      });
      expect(body).toMatchObject([
        {
          eventType: 'card.activated',
          status: 204,
          deliveryStatus: 'success',
          body: received[0],
        },
      ]);
      expect(received[0]).toContain('user-1');
    } finally {
      receiver.close();
    }
  });

  it('adds transactions, a tenant and the status of an order', async () => {
    const ada = clientOf('ada@example.com');
    await act('addTransactions', {
      user: 'ada@example.com',
      transactions: [
        { name: 'Tea', amount: '2', currency: 'usdc', sign: 'debit', date: '2026-01-01' },
      ],
    });
    const { id: walletId } = sandbox.platform.users.get('ada@example.com').creditWallet;
    const [first] = await ada.wallets.history.list({ walletId, walletType: 'CREDIT' });
    expect(first).toMatchObject({ name: 'Tea' });
    expect((await act('tenant', { name: 'acme' })).body['clientKey']).toBe('acme-client-key');
    const order = { orderId: 'order-1', requestId: 'r', status: 'PENDING', productId: 'p' };
    sandbox.platform.users.get('ada@example.com').orders.push(order);
    await act('setOrderStatus', { orderId: 'order-1', status: 'COMPLETED' });
    expect(order.status).toBe('COMPLETED');
  });

  it('takes the fields of a form too', async () => {
    const form = 'application/x-www-form-urlencoded';
    await act('deposit', 'user=ada%40example.com&amount=1.25', form);
    expect(sandbox.platform.users.get('ada@example.com').creditWallet.balance).toBe('252');
    await act('advance', 'minutes=10', form);
    expect(sandbox.platform.now - time).toBe(600_000);
    await act('addUser', 'email=new%40example.com&otpEnabled=true&failedLogins=2', form);
    expect(sandbox.platform.users.get('new@example.com')).toMatchObject({
      otpEnabled: true,
      failedLogins: 2,
    });
  });

  // The id of a hold is different each time; control-openapi.test.ts runs these two.
  const withFixedExample = Object.keys(ACTIONS).filter(
    (name) => name !== 'waitForHeld' && name !== 'release',
  );
  it.each(withFixedExample)('runs the example of %s', async (name) => {
    if (name === 'restoreSnapshot') await act('saveSnapshot', { name: 'logged-in' });
    if (name === 'stopServing') await act('serve', ACTIONS['serve']?.example);
    const { example } = ACTIONS[name] ?? {};
    if (name === 'setOrderStatus') {
      const orderId = String(example?.['orderId']);
      const order = { orderId, requestId: 'r', status: 'PENDING', productId: 'p' };
      sandbox.platform.users.get('ada@example.com').orders.push(order);
    }
    expect(await act(name, example)).toMatchObject({ status: 200 });
  });

  it.each([
    ['addUser', { emial: 'a@example.com' }, 'emial'],
    ['addUser', { email: 5 }, 'email must be of type string'],
    ['addUser', { card: 'MELTED' }, 'card must be one of PENDING'],
    ['addUser', { email: 'ada@example.com' }, 'already'],
    ['addUser', { tenant: 'nobody' }, 'there is no tenant'],
    ['addUser', { wallets: [{ balance: '-1' }] }, 'wallets[0].balance is not a decimal string'],
    ['addUser', { wallets: [{ amount: '1' }] }, 'amount'],
    ['addUser', { failedLogins: 1.5 }, 'failedLogins must be of type integer'],
    ['addUser', [], 'the input must be of type object'],
    ['addUser', 'null', 'the input must be of type object'],
    ['addUser', '{', 'not JSON'],
    ['createAccessToken', {}, 'user is missing'],
    ['createAccessToken', { user: 'nobody' }, 'there is no user'],
    ['verify', { user: 'ada@example.com', state: 'X' }, 'state is not known here'],
    ['reset', { seed: 'full' }, 'seed must be one of demo, empty'],
    ['restoreSnapshot', { name: 'nothing' }, 'there is no snapshot "nothing"'],
    ['restoreSnapshot', { snapshot: {} }, 'snapshot must come from'],
    ['restoreSnapshot', { snapshot: { state: null, now: 0, ids: 0 } }, 'snapshot must come from'],
    ['restoreSnapshot', { snapshot: { state: { users: [] }, now: 0, ids: 0 } }, 'snapshot must'],
    ['advance', {}, 'pass one of minutes, duration and to'],
    ['advance', { minutes: 1, duration: 1 }, 'pass one of'],
    ['advance', { minutes: 0 }, 'minutes must be at least'],
    ['advance', { duration: '10 fortnights' }, 'is not a duration'],
    ['advance', { to: '2020-01-01' }, 'to must be a time, and not before'],
    ['advance', { to: 'soon' }, 'to must be a time, and not before'],
    ['fail', { endpoint: 'card.melt', failure: 500 }, 'card.melt'],
    ['fail', { endpoint: 'card.freeze' }, 'status must be'],
    ['fail', { endpoint: 'card.freeze', failure: 200 }, 'failure must be at least 400'],
    ['fail', { endpoint: 'card.freeze', failure: 500, options: { tims: 2 } }, 'tims'],
    ['fail', { endpoint: 'card.freeze', failure: 500, options: { times: 0 } }, 'times'],
    ['drop', { endpoint: 'card.freeze', options: { headers: {} } }, 'headers'],
    ['setLatency', { ms: -1 }, 'ms must be at least 0'],
    ['deliver', { type: 'Card Activated' }, 'type is not an event such as card.activated'],
    ['deliver', { type: 'card.activated', to: 'https://hooks.example.com' }, 'on this machine'],
    ['choose', { name: 'constructor', value: '1' }, 'name must be one of otpRequiredStatus'],
    ['choose', { name: 'otpRequiredStatus', value: 403 }, 'otpRequiredStatus must be one of'],
    ['tenant', { name: 'mock-tenant' }, 'another tenant'],
    ['setOrderStatus', { orderId: 'o', status: 'PAID' }, 'there is no order'],
  ])('refuses %s with the input %j, and names the mistake', async (name, input, message) => {
    const before = JSON.stringify(sandbox.platform.snapshot().state);
    const { status, body } = await act(name, input);
    expect(status).toBe(400);
    expect(body['error']).toContain(message);
    expect(JSON.stringify(sandbox.platform.snapshot().state)).toBe(before);
  });

  it('refuses an unknown action, an unknown path and another type of body', async () => {
    expect((await act('explode', {})).status).toBe(404);
    expect((await act('constructor', {})).status).toBe(404);
    const elsewhere = await fetch(`${sandbox.url}/sandbox/elsewhere`);
    expect(elsewhere.status).toBe(404);
    expect(await elsewhere.text()).toContain('POST /sandbox/actions/<name>');
    expect((await act('reset', '{}', 'text/plain')).status).toBe(415);
    expect(sandbox.platform.requests).toHaveLength(0);
  });
});

describe('the guide of the sandbox', () => {
  const guide = readFileSync(new URL('../../docs/test/sandbox.md', import.meta.url), 'utf8');

  it('names every action, every demo user and every option', () => {
    for (const name of Object.keys(ACTIONS)) expect(guide).toContain(`\`${name}\``);
    for (const [email] of DEMO_LOGINS) expect(guide).toContain(`| \`${email}\` |`);
    const options = [...USAGE.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name]) => name);
    expect(options.length).toBeGreaterThan(10);
    for (const name of options.filter((one) => one !== '--help')) expect(guide).toContain(name);
  });
});

describe('a response that breaks off', () => {
  it('breaks off for a client of the sandbox too', async () => {
    vi.spyOn(sandbox.platform, 'fetch').mockImplementation(
      async () =>
        new Response(
          new ReadableStream({
            start(controller) {
              controller.enqueue(new TextEncoder().encode('{"half'));
            },
            pull: (controller) => controller.error(new TypeError('terminated')),
          }),
        ),
    );
    const response = await fetch(`${sandbox.url}/v1/card/status`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow(TypeError);
  });

  it('ends at the platform when the client has gone', async () => {
    const seen = new AbortController();
    const signal = await new Promise<AbortSignal>((resolve) => {
      vi.spyOn(sandbox.platform, 'fetch').mockImplementation((input) => {
        resolve((input as Request).signal);
        return new Promise<Response>(() => undefined);
      });
      fetch(`${sandbox.url}/v1/card/status`, { signal: seen.signal }).catch(() => undefined);
    });
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
    seen.abort();
    await aborted;
    expect(signal.aborted).toBe(true);
  });
});

import { afterEach, describe, expect, it, vi } from 'vitest';
import { CardPlatformClient } from '../../src/index.js';
import type { DropMoment, MockUser } from '../../src/testing/index.js';
import { ACCESS_WAYS, type PlatformAccess } from '../conformance/platform-access.js';
import { CONTRACT_ROWS } from '../support/contract-rows.js';
import { codeOf, setUp } from './set-up.js';

describe('a planned fault of a mock platform', () => {
  it('applies to the nth call, and lets the calls before and after it pass', async () => {
    const { mock, client } = setUp({ card: 'ACTIVE' });
    mock.fail('card.status', 503, { nth: 2, times: 2 });
    const codes = [];
    for (let call = 0; call < 4; call++) codes.push(await codeOf(client.card.status()));
    expect(codes).toEqual(['ok', 'server_error', 'server_error', 'ok']);
  });

  it('for the nth call takes precedence over one for the next call', async () => {
    const { mock, client } = setUp({ card: 'ACTIVE' });
    mock.fail('card.status', 500, { times: 2 });
    mock.fail('*', 403, { nth: 2 });
    const codes = [];
    for (let call = 0; call < 4; call++) codes.push(await codeOf(client.card.status()));
    expect(codes).toEqual(['server_error', 'not_authorized', 'server_error', 'ok']);
  });

  it('counts the nth call of every endpoint together for *', async () => {
    const { mock, client } = setUp({ card: 'ACTIVE' });
    mock.fail('*', 403, { nth: 2 });
    expect(await codeOf(client.card.status())).toBe('ok');
    expect(await codeOf(client.user.get())).toBe('not_authorized');
  });

  it.each([
    ['POST', '/v2/consent/onboarding', 498, { error: 'Invalid client key' }],
    ['POST', '/v1/order', 498, { message: 'Invalid client id' }],
    ['POST', '/v1/card/freeze', 400, { message: 'Card is already frozen' }],
    ['GET', '/v1/delegation/token', 422, { errors: [{ field: 'region' }] }],
    ['GET', '/v1/limits', 404, { message: 'Not found' }],
  ] as const)('for * has the documented body of the endpoint: %s %s, %i', async (method, path, status, body) => {
    const { mock } = setUp();
    mock.serve('GET', '/v1/limits', () => ({}));
    mock.fail('*', status);
    const response = await mock.fetch(`${mock.baseUrl}${path}`, { method });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject(body);
  });

  it('for * keeps a body of your own', async () => {
    const { mock } = setUp();
    mock.fail('*', 503, { body: { message: 'Down for an hour' } });
    mock.fail('*', { success: false });
    mock.fail('*', 500, { body: null });
    const bodyOf = async () => (await mock.fetch(`${mock.baseUrl}/v1/user`)).json();
    expect(await bodyOf()).toEqual({ message: 'Down for an hour' });
    expect(await bodyOf()).toEqual({ success: false });
    expect(await bodyOf()).toBeNull();
  });

  it('for * concerns no request to an unknown endpoint, nor to a page', async () => {
    const { mock, client } = setUp({ card: 'ACTIVE' }, { onUnhandled: 404 });
    mock.fail('*', 503);
    expect((await mock.fetch(`${mock.baseUrl}/v1/unknown`)).status).toBe(404);
    expect((await mock.fetch(`${mock.baseUrl}/set-pin`)).status).toBe(410);
    expect(await codeOf(client.card.status())).toBe('server_error');
  });

  it('counts only the calls of its own endpoint', async () => {
    const { mock, client } = setUp({ card: 'ACTIVE' });
    mock.fail('card.status', 503, { nth: 2 });
    expect(await codeOf(client.user.get())).toBe('ok');
    expect(await codeOf(client.card.status())).toBe('ok');
    expect(await codeOf(client.user.get())).toBe('ok');
    expect(await codeOf(client.card.status())).toBe('server_error');
  });

  it('is not used for a later call when another fault takes its nth call', async () => {
    const { mock, client } = setUp({ card: 'ACTIVE' });
    mock.fail('card.status', 503, { nth: 2 });
    mock.fail('card.status', 403, { nth: 2 });
    const codes = [];
    for (let call = 0; call < 4; call++) codes.push(await codeOf(client.card.status()));
    expect(codes).toEqual(['ok', 'server_error', 'ok', 'ok']);
    expect(() => mock.assertFaultsUsed()).toThrow(
      'fail card.status 403 (used 0 of 1 times, nth 2)',
    );
  });

  it.each(['object', 'id', 'email'] as const)('applies to one user by %s', async (key) => {
    const { mock, ada, platform: appClient, client } = setUp({ card: 'ACTIVE' });
    const bob = mock.users.add({ card: 'ACTIVE' });
    const bobs = appClient.withAccessToken(mock.accessTokenFor(bob));
    mock.fail('card.status', 403, { user: key === 'object' ? ada : ada[key], nth: 2 });
    expect(await codeOf(bobs.card.status())).toBe('ok');
    expect(await codeOf(client.card.status())).toBe('ok');
    expect(await codeOf(bobs.card.status())).toBe('ok');
    expect(await codeOf(client.card.status())).toBe('not_authorized');
  });

  it('applies to the user whose e-mail address logs in', async () => {
    const { mock, ada, platform: appClient } = setUp();
    const bob = mock.users.add();
    mock.fail('auth.login', 500, { user: ada });
    const logIn = ({ email, password }: MockUser) =>
      codeOf(appClient.auth.login({ email, password }));
    expect(await logIn(bob)).toBe('ok');
    expect(await logIn(ada)).toBe('server_error');
    expect(mock.requests.map(({ userId }) => userId)).toEqual([bob.id, ada.id]);
  });

  it('applies to the requests that a predicate selects, which is called once for each request', async () => {
    const { mock, client } = setUp({ card: 'ACTIVE' });
    const seen: unknown[] = [];
    mock.fail('wallets.credit.withdraw', 503, {
      when: ({ body }) => {
        seen.push(body);
        return (body as { amount: string }).amount === '2';
      },
    });
    for (const amount of ['1', '2', '3']) await client.wallets.credit.withdraw({ amount }).safe();
    expect(mock.requests.map(({ status }) => status)).toEqual([400, 503, 400]);
    expect(seen).toEqual([{ amount: '1' }, { amount: '2' }]);
  });

  it('reports the error of a predicate to the caller', async () => {
    const { mock, client } = setUp({ card: 'ACTIVE' });
    const when = () => {
      throw new Error('the predicate is wrong');
    };
    mock.fail('card.status', 500, { when });
    const { error } = await client.card.status().safe();
    expect(String(error)).toContain('the predicate is wrong');
  });

  it('refuses a user that does not exist, and counts below 1', () => {
    const { mock } = setUp();
    expect(() => mock.fail('card.status', 500, { user: 'nobody' })).toThrow(/no user "nobody"/);
    for (const wrong of [0, -1, 1.5, Number.NaN, '2' as never]) {
      expect(() => mock.fail('card.status', 500, { nth: wrong })).toThrow(/nth must be/);
      expect(() => mock.drop('card.status', 'refused', { times: wrong })).toThrow(/times must be/);
      expect(() => mock.hold('card.status', { nth: wrong })).toThrow(/nth must be/);
    }
    expect(() => mock.fail('card.status', 500, { when: 1 as never })).toThrow(/when must be/);
  });
});

describe('the check that every fault was used', () => {
  it('lists the faults and holds that no request used', async () => {
    const { mock, client } = setUp({ card: 'ACTIVE' });
    mock.fail('card.freeze', 503, { times: 2 });
    mock.drop('*', 'mid-body', { nth: 3 });
    mock.hold('card.order');
    mock.fail('card.status', 500);
    await client.card.freeze().safe();
    await client.card.status().safe();
    expect(() => mock.assertFaultsUsed()).toThrow(
      'planned faults were not used: fail card.freeze 503 (used 1 of 2 times); ' +
        'drop * mid-body (used 0 of 1 times, nth 3); hold card.order (used 0 of 1 times)',
    );
  });

  it('passes when there was no fault, when all were used, and after reset', async () => {
    const { mock, client } = setUp({ card: 'ACTIVE' });
    mock.assertFaultsUsed();
    mock.fail('card.freeze', 503);
    await client.card.freeze().safe();
    mock.assertFaultsUsed();
    mock.fail('card.freeze', 503);
    mock.reset();
    mock.assertFaultsUsed();
  });
});

describe('the latency of one endpoint', () => {
  it('replaces the latency of all, and ends when the caller aborts', async () => {
    const { mock, client } = setUp({ card: 'ACTIVE' });
    mock.setLatency(60_000);
    mock.setLatency('card.status', 0);
    expect(await codeOf(client.card.status())).toBe('ok');
    const controller = new AbortController();
    const call = client.user.get({ signal: controller.signal });
    const reason = new Error('enough');
    await expect.poll(() => mock.requests.last?.operation).toBe('user.get');
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  it('leaves no timer behind when the caller aborts', async () => {
    const { mock } = setUp();
    mock.setLatency(60_000);
    const controller = new AbortController();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const call = mock.fetch(`${mock.baseUrl}/v1/user`, { signal: controller.signal });
      await vi.waitUntil(() => mock.requests.length === 1 && vi.getTimerCount() === 1);
      controller.abort();
      await expect(call).rejects.toThrow();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not process a request whose caller gave up, but lists it', async () => {
    const { mock, ada, client } = setUp({ card: 'ACTIVE' });
    mock.setLatency('card.freeze', 60_000);
    const { error } = await client.card.freeze({ timeout: 5 }).safe();
    expect(error).toMatchObject({ name: 'TimeoutError', outcome: 'unknown' });
    expect(ada.card?.status).toBe('ACTIVE');
    expect(mock.requests.only({ operation: 'card.freeze' }).status).toBeUndefined();
  });

  it('is refused for an unknown endpoint, and for a delay that a timer does not accept', () => {
    const { mock } = setUp();
    expect(() => mock.setLatency('card.freez' as never, 1)).toThrow(/nearest is "card.freeze"/);
    expect(() => mock.setLatency('card.freeze', -1)).toThrow(/latency must be/);
    expect(() => mock.setLatency('card.freeze', undefined as never)).toThrow(/latency must be/);
  });
});

describe.each(ACCESS_WAYS)('a fault through %s', (way, open) => {
  let access: PlatformAccess | undefined;
  afterEach(async () => {
    vi.restoreAllMocks();
    await access?.close();
  });

  async function start() {
    const opened = await open();
    access = opened;
    const { platform: mock } = opened;
    const ada = mock.users.add({ card: 'ACTIVE', creditBalance: '100' });
    const client = new CardPlatformClient({
      baseUrl: mock.baseUrl,
      fetch: (url, init) => opened.send(new Request(url, init)),
      ...mock.credentials,
      accessToken: mock.accessTokenFor(ada),
      retry: false,
    });
    return { mock, ada, client };
  }

  it.each([
    200, 204, 304, 400, 418, 504, 599,
  ])('responds with status %d after the request was processed', async (status) => {
    const { mock, ada, client } = await start();
    const failure = { status, isUndocumented: true } as const;
    mock.fail('card.freeze', failure, { moment: 'after-processing' });
    await client.card.freeze().safe();
    expect(ada.card?.status).toBe('FROZEN');
    expect(mock.requests.only({ operation: 'card.freeze' }).status).toBe(status);
  });

  it('breaks a body off in the middle, after the state has changed', async () => {
    const { mock, ada, client } = await start();
    mock.drop('card.freeze', 'mid-body');
    const { error } = await client.card.freeze().safe();
    // The status arrived, and the words of the service did not.
    const outcomes = { outcome: 'unknown', probableOutcome: 'executed' };
    expect(error).toMatchObject({ name: 'BodyReadError', ...outcomes });
    expect(ada.card?.status).toBe('FROZEN');
    expect(mock.requests.only({ operation: 'card.freeze' }).status).toBeUndefined();
  });

  it.each([
    [
      'the page of a portal',
      { body: '<html>Wi-Fi</html>', headers: { 'content-type': 'text/html' } },
      { name: 'ProtocolError', outcome: 'unknown', probableOutcome: 'executed' },
    ],
    [
      'words inside a 200',
      { body: { message: 'Insufficient balance' } },
      { name: 'ResponseValidationError', outcome: 'unknown', probableOutcome: 'rejected' },
    ],
    ['an empty 200', { body: '' }, { outcome: 'unknown', probableOutcome: 'executed' }],
    ['a refusal', { body: { success: false } }, { outcome: 'rejected' }],
    [
      'a refusal whose body is lost',
      { body: { success: false }, isCutOff: true },
      { name: 'BodyReadError', outcome: 'unknown', probableOutcome: 'executed' },
    ],
    [
      'an error status whose body is lost',
      { status: 422, isCutOff: true },
      { name: 'BodyReadError', outcome: 'unknown', probableOutcome: 'rejected' },
    ],
  ] as const)('tells a withdrawal the lies of the live service: %s', async (_what, lie, expected) => {
    const { mock, client } = await start();
    const { status = 200, ...options } = { status: undefined, ...lie };
    mock.fail('wallets.credit.withdraw', { status, isUndocumented: true }, options);
    const { error } = await client.wallets.credit.withdraw({ amount: '1' }).safe();
    expect(error).toMatchObject(expected);
    const isCutOff = 'isCutOff' in lie;
    expect(mock.requests.last?.status).toBe(isCutOff ? undefined : status);
    mock.assertFaultsUsed();
  });

  it('sends the headers and half of the body before it breaks off', async () => {
    const { mock, ada } = await start();
    mock.drop('card.status', 'mid-body');
    const request = new Request(`${mock.baseUrl}/v1/card/status`, {
      headers: {
        'x-client-key': mock.credentials.clientKey,
        authorization: `Bearer ${mock.accessTokenFor(ada)}`,
      },
    });
    const response = await access?.send(request);
    expect(response?.status).toBe(200);
    const reader = response?.body?.getReader();
    let text = '';
    const reading = async () => {
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
        text += new TextDecoder().decode(part.value);
      }
    };
    await expect(reading()).rejects.toThrow();
    // MSW reads a copy of the body ahead, so there the error can overtake the first half.
    if (text !== '' || way !== 'MSW handlers') expect(text).toMatch(/^\{"/);
    expect(text).not.toMatch(/\}$/);
  });

  it.each(CONTRACT_ROWS)('mid-body breaks the response of $id, whatever it is', async ({
    id,
    method,
    path,
  }) => {
    const { mock } = await start();
    mock.drop(id, 'mid-body');
    const request = new Request(`${mock.baseUrl}${path.replace(/\{\w+\}/g, 'id-1')}`, { method });
    const reading = access?.send(request).then((response) => response.arrayBuffer());
    await expect(reading).rejects.toThrow();
    mock.assertFaultsUsed();
  });

  it('holds a request before it is processed, until it is released', async () => {
    const { mock, ada, client } = await start();
    const held = mock.hold('card.freeze');
    const freezing = client.card.freeze();
    const request = await held.arrived;
    expect(request).toMatchObject({ operation: 'card.freeze', userId: ada.id, status: undefined });
    expect(ada.card?.status).toBe('ACTIVE');
    expect((await client.card.status()).status).toBe('ACTIVE');
    held.release();
    await freezing;
    expect(ada.card?.status).toBe('FROZEN');
    expect(request.status).toBe(200);
  });

  it('holds a response after the request was processed', async () => {
    const { mock, ada, client } = await start();
    const held = mock.hold('card.freeze', { moment: 'after-processing' });
    const freezing = client.card.freeze();
    await held.arrived;
    expect(ada.card?.status).toBe('FROZEN');
    held.release();
    await freezing;
  });

  it.each([
    'before-processing',
    'after-processing',
  ] as const)('holds a request and then fails it (%s)', async (moment) => {
    const { mock, ada, client } = await start();
    const held = mock.hold('card.freeze', { moment });
    mock.drop('card.freeze', moment);
    const freezing = client.card.freeze().safe();
    await held.arrived;
    held.release();
    expect((await freezing).error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
    expect(ada.card?.status).toBe(moment === 'after-processing' ? 'FROZEN' : 'ACTIVE');
  });

  it('lets a handler of your own finish before it holds or replaces the response', async () => {
    const { mock, client } = await start();
    let finished = 0;
    const slow = mock.serve('GET', '/v1/slow', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      finished++;
      return { body: {} };
    });
    const read = () => client.request('GET', '/v1/slow').safe();
    const held = mock.hold(slow, { moment: 'after-processing' });
    const reading = read();
    await held.arrived;
    expect(finished).toBe(1);
    held.release();
    expect((await reading).error).toBeUndefined();
    mock.fail(slow, 503, { moment: 'after-processing' });
    expect((await read()).error).toMatchObject({ status: 503 });
    expect(finished).toBe(2);
  });

  it('holds several requests, and lets later ones pass', async () => {
    const { mock, client } = await start();
    const held = mock.hold('card.status', { times: 2, nth: 2 });
    await client.card.status();
    const waiting = [client.card.status(), client.card.status()];
    await expect.poll(() => held.requests.length).toBe(2);
    await client.card.status();
    held.release();
    await Promise.all(waiting);
  });

  it('breaks the connection of a held request when the platform is reset', async () => {
    const { mock, client } = await start();
    const held = mock.hold('card.freeze');
    const freezing = client.card.freeze().safe();
    await held.arrived;
    mock.reset();
    expect((await freezing).error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
  });
});

describe('a held request', () => {
  it('passes when it was released before it arrived', async () => {
    const { mock, client } = setUp({ card: 'ACTIVE' });
    const held = mock.hold('card.status');
    held.release();
    await client.card.status();
    expect((await held.arrived).operation).toBe('card.status');
  });

  it('ends when the platform was reset during its latency', async () => {
    const { mock } = setUp();
    mock.setLatency(1);
    const when = () => {
      queueMicrotask(() => mock.reset());
      return true;
    };
    const held = mock.hold('user.get', { when });
    await expect(mock.fetch(`${mock.baseUrl}/v1/user`)).rejects.toThrow('fetch failed');
    expect(held.requests).toEqual([]);
  });

  it('is not processed when its caller gives up', async () => {
    const { mock, ada, client } = setUp({ card: 'ACTIVE' });
    const held = mock.hold('card.freeze');
    const controller = new AbortController();
    const call = client.card.freeze({ signal: controller.signal });
    await held.arrived;
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    held.release();
    await client.card.status();
    expect(ada.card?.status).toBe('ACTIVE');
  });
});

it('drop without a moment lets the service act, and loses the response', async () => {
  const { mock, client } = setUp({ card: 'ACTIVE' });
  mock.drop('card.freeze');
  await expect(client.card.freeze({ retry: false })).rejects.toMatchObject({ outcome: 'unknown' });
  expect((await client.card.status()).status).toBe('FROZEN');
});

it.each(['midbody', '', null, 1])('drop refuses the moment %s', (moment) => {
  const { mock } = setUp();
  expect(() => mock.drop('card.freeze', moment as DropMoment)).toThrow(/moment must be one of/);
});

it.each([
  ['after', 'after-processing'],
  ['before', 'before-processing'],
  ['midbody', 'mid-body'],
  ['refuse', 'refused'],
])('drop takes the moment %s for %s, and says so', (moment, nearest) => {
  const { mock } = setUp();
  expect(() => mock.drop('card.status', moment as DropMoment)).toThrow(
    `The nearest is "${nearest}"`,
  );
});

import { describe, expect, it, vi } from 'vitest';
import { createMockPlatform } from '../../src/testing/index.js';
import { authorize, exchangeBody, sender } from '../observed/support.js';
import { CONSENT, setUp } from './set-up.js';

/** Resets a platform, and adds the same user again: another test that begins like the one before. */
function startNextTest(mock: ReturnType<typeof createMockPlatform>) {
  mock.reset();
  const ada = mock.users.add({ email: 'ada@example.com', password: 'pass', card: 'ACTIVE' });
  return { ada, client: mock.clientFor(ada, { retry: false }) };
}

const LOST = { name: 'ConnectionError', outcome: 'unknown' };

it('ends a request that its latency delays, which then changes nothing', async () => {
  const { mock, client } = setUp({ card: 'ACTIVE' });
  mock.setLatency('card.freeze', 60_000);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const freezing = client.card.freeze().safe();
    await vi.waitUntil(() => mock.requests.length === 1);
    const next = startNextTest(mock);
    const { error } = await freezing;
    expect(error).toMatchObject(LOST);
    vi.advanceTimersByTime(60_000);
    expect((await next.client.card.status()).status).toBe('ACTIVE');
    expect(mock.requests.map(({ operation }) => operation)).toEqual(['card.status']);
  } finally {
    vi.useRealTimers();
  }
});

it('ends a page that its latency delays', async () => {
  const { mock } = setUp({ card: 'ACTIVE' });
  mock.setLatency(60_000);
  const opening = mock.fetch(`${mock.baseUrl}/set-pin?token=token-1`);
  const ended = expect(opening).rejects.toThrow('fetch failed');
  await new Promise(setImmediate);
  mock.reset();
  await ended;
});

it('ends a request that a handler of your own still processes', async () => {
  const { mock, client } = setUp();
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  mock.serve('GET', '/v1/slow', () => {
    begin();
    return new Promise(() => {});
  });
  const reading = client.request('GET', '/v1/slow').safe();
  await begun;
  mock.reset();
  expect((await reading).error).toMatchObject({ name: 'ConnectionError' });
});

it('leaves no access token valid, so that the retry of an earlier request changes nothing', async () => {
  const mock = createMockPlatform();
  const client = mock.clientFor(mock.users.add({ card: 'ACTIVE' }));
  const held = mock.hold('card.freeze');
  const freezing = client.card.freeze().safe();
  await held.arrived;
  const next = startNextTest(mock);
  expect((await freezing).error).toMatchObject({ status: 401 });
  expect(next.ada.card?.status).toBe('ACTIVE');
});

it('never begins a request that is released in the turn of the reset', async () => {
  const { mock, client } = setUp();
  const held = mock.hold('consent.createOnboarding');
  const creating = client.consent.createOnboarding(CONSENT).safe();
  await held.arrived;
  held.release();
  mock.reset();
  expect((await creating).error).toMatchObject(LOST);
  expect(mock.state.consentSets).toEqual([]);
});

it.each([1, 2])('issues no token or authorization code again (after %i)', async (resets) => {
  const mock = createMockPlatform({ observed: true });
  const issue = async () => {
    const user = mock.users.add({ email: 'ada@example.com', password: 'pass', card: 'ACTIVE' });
    const { delegation, card, user: account } = mock.clientFor(user);
    const send = sender(mock);
    const code = await authorize(mock, user);
    const { body } = await send('POST /v1/auth/oauth/token', { body: exchangeBody(code) });
    const { email } = user;
    await send('POST /v1/auth/password/reset/request', { body: { email } });
    const sent = { email, code: mock.observed.codeFor(email) };
    const verified = await send('POST /v1/auth/password/reset/verify', { body: sent });
    return [
      ...[code, body['refresh_token'], body['access_token'], verified.body['token']],
      (await delegation.getToken()).token,
      (await card.createSetPinToken()).token,
      (await account.startVerification()).sessionUrl,
      mock.observed.state.authorizations[0]?.token,
    ];
  };
  const first = await issue();
  for (let count = 0; count < resets; count++) mock.reset();
  const second = await issue();
  const all = [...first, ...second];
  expect(all.map((one) => typeof one)).toEqual(all.map(() => 'string'));
  expect(new Set(all).size).toBe(all.length);
});

it('ends with the reason of the caller what the caller ended before', async () => {
  const { mock, client } = setUp({ card: 'ACTIVE' });
  const held = mock.hold('card.freeze');
  const controller = new AbortController();
  const freezing = client.card.freeze({ signal: controller.signal });
  await held.arrived;
  const reason = new Error('enough');
  controller.abort(reason);
  mock.reset();
  await expect(freezing).rejects.toBe(reason);
});

describe('the restoration of a snapshot', () => {
  it('ends a request that its latency delays, which then changes nothing', async () => {
    const { mock, ada, client } = setUp({ card: 'ACTIVE' });
    const snapshot = mock.snapshot();
    mock.setLatency('card.freeze', 60_000);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const freezing = client.card.freeze().safe();
      await vi.waitUntil(() => mock.requests.length === 1);
      mock.restore(snapshot);
      expect((await freezing).error).toMatchObject(LOST);
      vi.advanceTimersByTime(60_000);
      expect((await client.card.status()).status).toBe('ACTIVE');
      expect(mock.users.get(ada.id).card?.status).toBe('ACTIVE');
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends a request that is released in the same turn', async () => {
    const { mock, ada, client } = setUp({ card: 'ACTIVE' });
    const snapshot = mock.snapshot();
    const held = mock.hold('card.freeze');
    const freezing = client.card.freeze().safe();
    await held.arrived;
    held.release();
    mock.restore(snapshot);
    expect((await freezing).error).toMatchObject(LOST);
    expect(mock.users.get(ada.id).card?.status).toBe('ACTIVE');
  });

  it('leaves a request alone when it is refused', async () => {
    const { mock, client } = setUp({ card: 'ACTIVE' });
    const held = mock.hold('card.freeze');
    const freezing = client.card.freeze();
    await held.arrived;
    expect(() => mock.restore({ ...mock.snapshot(), now: -1 })).toThrow('now');
    held.release();
    expect(await freezing).toEqual({ success: true });
  });

  it('issues no access token twice, and keeps those of the snapshot', async () => {
    const { mock, ada, client } = setUp({ card: 'ACTIVE' });
    const snapshot = mock.snapshot();
    const tokens = [1, 2, 3].map(() => {
      const token = mock.accessTokenFor(ada);
      mock.restore(snapshot);
      return token;
    });
    expect(new Set(tokens).size).toBe(3);
    expect((await client.card.status()).status).toBe('ACTIVE');
  });
});

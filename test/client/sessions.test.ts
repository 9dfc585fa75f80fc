import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import type { AccessTokenProvider } from '../../src/transport/credentials/credentials.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';

const BASE_URL = 'https://api.example.com';
const LOGIN = { email: 'ada@example.com', password: 'secret' };

/** Creates a fetch that accepts only valid tokens, and records the tokens that it receives. */
function serviceAccepting(valid: (token: string) => boolean) {
  const seen: string[] = [];
  const fetch = async (_url: string, init: RequestInit) => {
    const token = new Headers(init.headers).get('authorization')?.slice(7) ?? '';
    seen.push(token);
    await new Promise((resolve) => setImmediate(resolve));
    return valid(token) ? json({ id: token, status: 'ACTIVE' }) : json({ message: 'expired' }, 401);
  };
  return { fetch, seen };
}

function renewing(first: string, ...next: string[]) {
  const reasons: string[] = [];
  const provider: AccessTokenProvider = async ({ reason }) => {
    reasons.push(reason);
    return reason === 'request' ? first : (next.shift() ?? first);
  };
  return { provider, reasons };
}

describe('withAccessToken', () => {
  it('returns an independent client and does not change the original', async () => {
    const { fetch, seen } = serviceAccepting(() => true);
    const appClient = clientFor(BASE_URL, { fetch, accessToken: undefined });
    const ada = appClient.withAccessToken('ada');
    const bob = appClient.withAccessToken('bob');
    expect((await ada.card.status()).id).toBe('ada');
    expect((await bob.card.status()).id).toBe('bob');
    await expect(appClient.card.status()).rejects.toMatchObject({ option: 'accessToken' });
    expect(seen).toEqual(['ada', 'bob']);
  });

  it.each([
    null,
    undefined,
    '',
    ' ',
    '\t',
    'null',
    'undefined',
    ' null ',
  ])('rejects %j', (token) => {
    expect(() => clientFor(BASE_URL).withAccessToken(token as never)).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', option: 'accessToken' }),
    );
  });

  it.each([
    'a b',
    'a\nb',
    'a\u00e9',
    'x'.repeat(4097),
  ])('rejects a token that a header cannot hold', (token) => {
    expect(() => clientFor(BASE_URL).withAccessToken(token)).toThrow(/visible ASCII/);
  });

  it.each([
    null,
    '',
    ' ',
    'null',
    'undefined',
    'a b',
    'a\nb',
    'é',
    5,
  ])('refuses %j as the token of a client or call', async (token) => {
    const { fetch, seen } = serviceAccepting(() => true);
    const accessToken = token as never;
    const refusal = { name: 'ConfigurationError', option: 'accessToken', outcome: 'not_sent' };
    expect(() => clientFor(BASE_URL, { accessToken })).toThrow(expect.objectContaining(refusal));
    expect(() => clientFor(BASE_URL).withAccessToken(accessToken)).toThrow(
      expect.objectContaining(refusal),
    );
    const client = clientFor(BASE_URL, { fetch });
    expect(await rejection(client.card.status({ accessToken }))).toMatchObject(refusal);
    const provided = { accessToken: () => accessToken };
    expect(await rejection(client.card.status(provided))).toMatchObject(refusal);
    expect(
      await rejection(clientFor(BASE_URL, { fetch, ...provided }).card.status()),
    ).toMatchObject(refusal);
    expect(seen).toEqual([]);
  });

  it('is needed after a login, which does not change the client', async () => {
    const appClient = clientFor(BASE_URL, {
      fetch: async () => json({ accessToken: 'new' }),
      accessToken: undefined,
    });
    await appClient.auth.login(LOGIN);
    await expect(appClient.card.status()).rejects.toMatchObject({ name: 'ConfigurationError' });
  });
});

describe('a token provider', () => {
  it('is called before each call, even for simultaneous calls', async () => {
    const { fetch } = serviceAccepting(() => true);
    const { provider, reasons } = renewing('token');
    const client = clientFor(BASE_URL, { fetch, accessToken: provider });
    await Promise.all([client.card.status(), client.card.status()]);
    expect(reasons).toEqual(['request', 'request']);
    await client.card.status();
    expect(reasons).toEqual(['request', 'request', 'request']);
  });

  it('runs in the async context of each call, so it can serve many users', async () => {
    const { fetch, seen } = serviceAccepting(() => true);
    const context = new AsyncLocalStorage<string>();
    const accessToken = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return context.getStore() ?? 'nobody';
    };
    const client = clientFor(BASE_URL, { fetch, accessToken });
    const users = Array.from({ length: 200 }, (_, index) => `user-${index}`);
    const cards = users.map((user) => context.run(user, () => client.card.status()));
    expect((await Promise.all(cards)).map(({ id }) => id)).toEqual(users);
    expect(new Set(seen).size).toBe(200);
  });

  it('rejects the call with its own error before anything is sent', async () => {
    const { fetch, seen } = serviceAccepting(() => true);
    const own = new Error('no session');
    const client = clientFor(BASE_URL, { fetch, accessToken: () => Promise.reject(own) });
    expect(await rejection(client.card.status())).toBe(own);
    expect(seen).toEqual([]);
  });

  it('must return a token that a header can hold', async () => {
    const { fetch, seen } = serviceAccepting(() => true);
    for (const bad of ['', 'a\nb', undefined as never, 5 as never]) {
      const client = clientFor(BASE_URL, { fetch, accessToken: () => bad });
      const error = await rejection(client.card.status());
      expect(error).toMatchObject({ name: 'ConfigurationError', option: 'accessToken' });
    }
    expect(seen).toEqual([]);
  });

  it('is cancelled after the total time', async () => {
    const clock = new FakeClock();
    const accessToken = () => new Promise<string>(() => {});
    const client = clientFor(BASE_URL, { accessToken, totalTimeout: 5_000, clock });
    expect(await rejection(client.card.status())).toMatchObject({
      name: 'TimeoutError',
      phase: 'credentials',
      outcome: 'not_sent',
      timeoutMs: 5_000,
    });
  });

  it('can be passed for a single call', async () => {
    const { fetch, seen } = serviceAccepting(() => true);
    const client = clientFor(BASE_URL, { fetch });
    await client.card.status({ accessToken: 'other' });
    await client.card.status({ accessToken: async () => 'third' });
    await client.card.status();
    expect(seen).toEqual(['other', 'third', 'canary-access-token']);
  });
});

describe('a response with 401', () => {
  it('leads to one renewal and one more request', async () => {
    const { fetch, seen } = serviceAccepting((token) => token === 'new');
    const { provider, reasons } = renewing('old', 'new');
    const client = clientFor(BASE_URL, { fetch, accessToken: provider });
    expect((await client.card.status()).id).toBe('new');
    expect(seen).toEqual(['old', 'new']);
    expect(reasons).toEqual(['request', 'rejected']);
  });

  it('is retried for a withdrawal too, because the service responds with 401 before it acts', async () => {
    const { fetch, seen } = serviceAccepting((token) => token === 'new');
    const { provider } = renewing('old', 'new');
    const client = clientFor(BASE_URL, { fetch, accessToken: provider });
    await rejection(client.wallets.credit.withdraw({ amount: '1' }));
    expect(seen).toEqual(['old', 'new']);
  });

  it.each([400, 403, 404, 429])('alone leads to a renewal: %i does not', async (status) => {
    const { fetch, requests } = scriptedFetch(json({ message: 'no' }, status));
    const { provider, reasons } = renewing('old', 'new');
    const client = clientFor(BASE_URL, { fetch, accessToken: provider, retry: false });
    expect(await rejection(client.card.status())).toMatchObject({ status });
    expect(requests).toHaveLength(1);
    expect(reasons).toEqual(['request']);
  });

  it('is thrown when the new token is rejected too', async () => {
    const { fetch, seen } = serviceAccepting(() => false);
    const { provider } = renewing('old', 'new');
    const client = clientFor(BASE_URL, { fetch, accessToken: provider });
    expect(await rejection(client.card.status())).toMatchObject({ name: 'AuthenticationError' });
    expect(seen).toEqual(['old', 'new']);
  });

  it('is thrown at once when the token is fixed', async () => {
    const { fetch, seen } = serviceAccepting(() => false);
    const client = clientFor(BASE_URL, { fetch, accessToken: 'old' });
    expect(await rejection(client.card.status())).toMatchObject({ name: 'AuthenticationError' });
    expect(seen).toEqual(['old']);
  });

  it('to a login renews no token', async () => {
    const { fetch, seen } = serviceAccepting(() => false);
    const { provider, reasons } = renewing('old', 'new');
    const client = clientFor(BASE_URL, { fetch, accessToken: provider });
    expect(await rejection(client.auth.login(LOGIN))).toMatchObject({
      name: 'AuthenticationError',
    });
    expect(seen).toEqual(['']);
    expect(reasons).toEqual([]);
  });

  it('to a thousand simultaneous calls leads to one renewal', async () => {
    const { fetch } = serviceAccepting((token) => token === 'new');
    const { provider, reasons } = renewing('old', 'new');
    const client = clientFor(BASE_URL, { fetch, accessToken: provider });
    const calls = Array.from({ length: 1000 }, () => client.card.status());
    const cards = await Promise.all(calls);
    expect(cards.every(({ id }) => id === 'new')).toBe(true);
    expect(reasons.filter((reason) => reason === 'rejected')).toHaveLength(1);
  });

  it('to many users of one provider renews the token of each user', async () => {
    const { fetch } = serviceAccepting((token) => token.startsWith('new-'));
    const context = new AsyncLocalStorage<string>();
    const renewed: string[] = [];
    const accessToken: AccessTokenProvider = async ({ reason }) => {
      const user = context.getStore() ?? 'nobody';
      if (reason === 'request') return `old-${user}`;
      renewed.push(user);
      return `new-${user}`;
    };
    const client = clientFor(BASE_URL, { fetch, accessToken });
    const users = Array.from({ length: 100 }, (_, index) => `user-${index % 20}`);
    const cards = users.map((user) => context.run(user, () => client.card.status()));
    expect((await Promise.all(cards)).map(({ id }) => id)).toEqual(
      users.map((user) => `new-${user}`),
    );
    expect(renewed.sort()).toEqual([...new Set(users)].sort());
  });

  it('leads to another renewal after one that hung', async () => {
    const clock = new FakeClock();
    const fetch = async (_url: string, init: RequestInit) =>
      new Headers(init.headers).get('authorization') === 'Bearer new'
        ? json({ id: 'new', status: 'ACTIVE' })
        : json({ message: 'expired' }, 401);
    let renewals = 0;
    const accessToken: AccessTokenProvider = async ({ reason }) => {
      if (reason === 'request') return 'old';
      renewals++;
      return renewals === 1 ? new Promise<string>(() => {}) : 'new';
    };
    const options = { fetch, accessToken, clock, totalTimeout: 5_000 };
    const client = clientFor(BASE_URL, options);
    expect(await rejection(client.card.status())).toMatchObject({
      name: 'TimeoutError',
      phase: 'credentials',
    });
    expect((await client.card.status()).id).toBe('new');
  });

  it('from a proxy leads to no second withdrawal request', async () => {
    const seen: string[] = [];
    const fetch = async (url: string) => {
      seen.push(url);
      return new Response('<html>', { status: 401, headers: { 'content-type': 'text/html' } });
    };
    const { provider, reasons } = renewing('old', 'new');
    const client = clientFor(BASE_URL, { fetch, accessToken: provider });
    expect(await rejection(client.wallets.credit.withdraw({ amount: '1' }))).toMatchObject({
      name: 'AuthenticationError',
      outcome: 'unknown',
      probableOutcome: 'rejected',
    });
    expect(seen).toHaveLength(1);
    expect(reasons).toEqual(['request']);
  });

  it('leads to no renewal within a minute of a failed one', async () => {
    const clock = new FakeClock({ auto: false });
    const { fetch } = serviceAccepting((token) => token === 'new');
    let renewals = 0;
    const accessToken: AccessTokenProvider = async ({ reason }) => {
      if (reason === 'request') return 'old';
      renewals++;
      if (renewals === 1) throw new Error('login is down');
      return 'new';
    };
    const client = clientFor(BASE_URL, { fetch, accessToken, clock });
    expect(await rejection(client.card.status())).toMatchObject({ message: 'login is down' });
    clock.advance(59_999);
    expect(await rejection(client.card.status())).toMatchObject({
      cause: { message: 'login is down' },
    });
    expect(renewals).toBe(1);
    clock.advance(1);
    expect((await client.card.status()).id).toBe('new');
    expect(renewals).toBe(2);
  });
});

it('a thousand calls over fifty sessions never use the token of another session', async () => {
  const { fetch } = serviceAccepting(() => true);
  const appClient = clientFor(BASE_URL, { fetch });
  const sessions = Array.from({ length: 50 }, (_, index) =>
    appClient.withAccessToken(`user-${index}`),
  );
  const calls = Array.from({ length: 1000 }, async (_, index) => {
    const session = sessions[index % 50];
    return (await session?.card.status())?.id === `user-${index % 50}`;
  });
  expect((await Promise.all(calls)).every(Boolean)).toBe(true);
});

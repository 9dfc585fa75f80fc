import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TokenRequest } from '../../src/transport/credentials/credentials.js';
import { ADAPTERS, clientOver } from '../support/adapters.js';
import { CREDENTIALS, clientFor, json, rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';
import { RecordingServer } from '../support/server.js';

const USERS = 40;
const CALLS_PER_USER = 50;

const server = new RecordingServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

/** The token names its user and counts how often it was renewed. */
const tokenOf = (user: string, generation: number) => `token.${user}.${generation}`;

describe.each(
  ADAPTERS,
)('one client whose token provider reads AsyncLocalStorage, over %s', (adapter) => {
  it('never sends the token of another user, even while tokens are renewed', async () => {
    const context = new AsyncLocalStorage<string>();
    const generations = new Map<string, number>();
    let renewals = 0;
    const accessToken = async ({ reason }: TokenRequest) => {
      const user = context.getStore() ?? 'nobody';
      await new Promise((resolve) => setImmediate(resolve));
      const generation = (generations.get(user) ?? 0) + (reason === 'rejected' ? 1 : 0);
      if (reason === 'rejected') renewals++;
      generations.set(user, generation);
      return tokenOf(user, generation);
    };
    let crossings = 0;
    let served = 0;
    const valid = new Map<string, number>();
    server.respond = ({ headers }) => {
      const [, user = '', generation = ''] = String(headers.authorization).split('.');
      if (user !== headers['x-user']) crossings++;
      served++;
      // The token of each user is rejected repeatedly, at different moments.
      const least = valid.get(user) ?? 0;
      if (served % 97 === 0) valid.set(user, Number(generation) + 1);
      return Number(generation) < least
        ? { status: 401, body: { message: 'Not authenticated' } }
        : { body: { id: user, status: 'ACTIVE' } };
    };
    const baseUrl = server.baseUrl;
    const client = clientOver(adapter, { baseUrl, ...CREDENTIALS, accessToken, random: () => 0 });
    const callAs = (user: string) =>
      context.run(user, async () => {
        const card = await client.card.status({ headers: { 'x-user': user } }).safe();
        return !card.ok || card.data.id === user;
      });
    const users = Array.from({ length: USERS }, (_, i) => `user${i}`);
    for (let round = 0; round < CALLS_PER_USER / 10; round++) {
      const calls = Array.from({ length: 10 }, () => users.map(callAs)).flat();
      expect((await Promise.all(calls)).every(Boolean)).toBe(true);
    }
    expect(crossings).toBe(0);
    expect(renewals).toBeGreaterThan(0);
    expect(served).toBeGreaterThanOrEqual(USERS * CALLS_PER_USER);
  });
});

const refusing = (rejected: string) => async (_: string, init: RequestInit) => {
  const { authorization } = init.headers as Record<string, string>;
  return authorization === `Bearer ${rejected}`
    ? json({ message: 'Not authenticated' }, 401)
    : json({ id: 'c', status: 'ACTIVE' });
};

describe('a token provider', () => {
  it('is called once when a thousand calls have the same token rejected', async () => {
    let renewals = 0;
    const accessToken = async ({ reason }: TokenRequest) => {
      if (reason === 'request') return 'stale';
      renewals++;
      return 'fresh';
    };
    const client = clientFor('https://api.example.com', { accessToken, fetch: refusing('stale') });
    await Promise.all(Array.from({ length: 1_000 }, () => client.card.status()));
    expect(renewals).toBe(1);
  });

  it('that fails for one user still renews the tokens of others', async () => {
    const context = new AsyncLocalStorage<string>();
    const accessToken = async ({ reason }: TokenRequest) => {
      const user = context.getStore();
      if (reason === 'request') return `stale-${user}`;
      if (user === 'a') throw new Error('a is signed out');
      return 'fresh';
    };
    const fetch = async (url: string, init: RequestInit) => {
      const { authorization = '' } = init.headers as Record<string, string>;
      return refusing(authorization.includes('stale') ? authorization.slice(7) : '')(url, init);
    };
    const client = clientFor('https://api.example.com', { accessToken, fetch });
    const status = (user: string) => context.run(user, () => client.card.status());
    expect(await rejection(status('a'))).toMatchObject({ message: 'a is signed out' });
    expect(await status('b')).toMatchObject({ id: 'c' });
  });

  it.each([
    'request',
    'rejected',
  ] as const)('that hangs once for a %s is called again by the next call', async (hangs) => {
    let hasHung = false;
    const accessToken = ({ reason }: TokenRequest): Promise<string> => {
      if (reason === hangs && !hasHung) {
        hasHung = true;
        return new Promise(() => {});
      }
      return Promise.resolve(reason === 'request' ? 'stale' : 'fresh');
    };
    const fetch = refusing(hangs === 'rejected' ? 'stale' : 'none');
    const clock = new FakeClock();
    const options = { accessToken, fetch, clock, totalTimeout: 1_000 };
    const client = clientFor('https://api.example.com', options);
    expect(await rejection(client.card.status())).toMatchObject({
      name: 'TimeoutError',
      phase: 'credentials',
      isRetryable: true,
    });
    expect(await client.card.status()).toMatchObject({ id: 'c' });
  });
});

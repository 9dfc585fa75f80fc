import { expect, it } from 'vitest';
import { createSessions, type SessionsOptions } from '../../src/sessions/index.js';
import { clientFor, fetchFailure, json, rejection, scriptedFetch } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';
import { memoryStore, sessionsWith, settle } from './support.js';

type Renew = NonNullable<SessionsOptions['renew']>;
const LOGIN = { accessToken: 'token-1', userId: 'ada', refreshToken: 'refresh-1' };
const NEXT = { accessToken: 'token-2', refreshToken: 'refresh-2', expiresIn: 3_600_000 };
const GLOBAL = { region: 'global' } as const;

/** Signs in, and asks for a token until the first renewal has outlived `renewTimeout`. */
async function outliveWith(renew: Renew, store = memoryStore()) {
  const { sessions, clock } = sessionsWith({ renew, store });
  const session = await sessions.signIn(LOGIN, GLOBAL);
  const ask = async () => session.accessToken({ reason: 'request' });
  clock.advance(6 * 3_600_000);
  const first = rejection(ask());
  await settle();
  clock.advance(30_000);
  await first;
  return { ask, sessions, clock };
}

type End = { resolve(tokens: typeof NEXT): void; reject(error: unknown): void };

/** A first renewal that outlives `renewTimeout` while another call asks, and whose end the test decides. */
async function outlive(store = memoryStore()) {
  const ends: End[] = [];
  const renew: Renew = async ({ takeRefreshToken }) => {
    await takeRefreshToken();
    return new Promise((resolve, reject) => ends.push({ resolve, reject }));
  };
  const { ask, sessions, clock } = await outliveWith(renew, store);
  // The token is under way, so this call cannot renew it.
  expect(await rejection(ask())).toMatchObject({ code: 'session_not_renewed' });
  return { ends, ask, sessions, clock };
}

it('a late result is used, although another call asked meanwhile', async () => {
  const { ends, ask } = await outlive();
  ends[0]?.resolve(NEXT);
  await settle();
  expect(await ask().catch(String)).toBe('token-2');
});

it('a late failure that left the refresh token unused does not log the user out', async () => {
  const { ends, ask, sessions, clock } = await outlive();
  const notSent = await rejection(
    clientFor('https://api.example.com', {
      fetch: scriptedFetch(
        fetchFailure('ECONNREFUSED', 'connect'),
        fetchFailure('ECONNREFUSED', 'connect'),
      ).fetch,
      retry: false,
    }).card.order(),
  );
  expect(notSent).toMatchObject({ outcome: 'not_sent' });
  ends[0]?.reject(notSent);
  await settle();
  clock.advance(61_000);
  const again = ask().catch(String);
  await settle();
  ends[1]?.resolve(NEXT);
  expect(await again).toBe('token-2');
  expect(sessions.getSnapshot().status).toBe('signed_in');
});

it('a late refusal of the refresh token ends the session', async () => {
  const { ends, sessions } = await outlive();
  const refused = await rejection(
    clientFor('https://api.example.com', {
      fetch: async () => json({ message: 'invalid_grant' }, 400),
    }).card.order(),
  );
  ends[0]?.reject(refused);
  await settle();
  expect(sessions.getSnapshot()).toMatchObject({ status: 'signed_out' });
});

it('a late result is kept if the store fails while it is written', async () => {
  const store = memoryStore();
  const { ends, ask, clock } = await outlive(store);
  store.failing.set = true;
  ends[0]?.resolve(NEXT);
  await settle();
  store.failing.set = false;
  clock.advance(61_000);
  expect(await ask().catch(String)).toBe('token-2');
});

it('a change that began before does not forget tokens that could not be saved', async () => {
  const inner = memoryStore();
  let slow: Promise<void> | undefined;
  const store = {
    ...inner,
    update: async (key: string, change: (t: string | undefined) => string | undefined) => {
      const waits = slow; // this update only
      if (!key.includes('.check.')) slow = undefined;
      inner.update(key, change);
      if (!key.includes('.check.')) await waits;
    },
  };
  const clock = new FakeClock({ auto: false });
  let respond = (_: typeof NEXT) => {};
  const renew = async ({ takeRefreshToken }: { takeRefreshToken(): Promise<unknown> }) => {
    await takeRefreshToken();
    return new Promise<typeof NEXT>((r) => {
      respond = r;
    });
  };
  const sessions = createSessions({ store, clock, renew } as never);
  const session = await sessions.signIn(LOGIN, { region: 'global' });
  const ask = async () => session.accessToken({ reason: 'request' });
  clock.advance(6 * 3_600_000);
  const first = rejection(ask());
  await settle();
  clock.advance(30_000);
  await first;
  const respondFirst = respond;
  let release = () => {};
  slow = new Promise<void>((r) => {
    release = r;
  });
  const second = rejection(ask()); // its update is slow
  await settle();
  inner.failing.set = true;
  respondFirst(NEXT); // and meanwhile the store fails for the result of the first
  await settle();
  inner.failing.set = false;
  release();
  await second;
  await settle();
  clock.advance(61_000);
  expect(await ask().catch(String)).toBe('token-2');
});

it('the tokens of a renewal that ends after signOut are dropped', async () => {
  const { ends, sessions } = await outlive();
  const revoked: unknown[] = [];
  await sessions.signOut(({ accessToken }) => revoked.push(accessToken));
  ends[0]?.resolve(NEXT);
  await settle();
  expect(sessions.getSnapshot()).toMatchObject({ status: 'signed_out', reason: 'signed_out' });
  expect(revoked).toEqual(['token-1']);
});

it('tokens that could not be saved are not given up for a later renewal that fails', async () => {
  const store = memoryStore();
  const ends: End[] = [];
  const renew: Renew = async ({ takeRefreshToken }) => {
    if (ends.length === 0) await takeRefreshToken();
    if (ends.length > 1) throw new Error('a third renewal');
    return new Promise((resolve, reject) => ends.push({ resolve, reject }));
  };
  const { ask, clock } = await outliveWith(renew, store);
  ask().catch(() => undefined);
  await settle();
  expect(ends).toHaveLength(2);
  store.failing.set = true;
  ends[0]?.resolve(NEXT);
  await settle();
  ends[1]?.reject(new Error('offline'));
  await settle();
  store.failing.set = false;
  clock.advance(61_000);
  expect(await ask().catch(String)).toBe('token-2');
});

it('a late refusal does not end a session that was renewed without the refresh token since', async () => {
  const ends: ((error: unknown) => void)[] = [];
  const renew: Renew = async ({ takeRefreshToken }) => {
    if (ends.length > 0) return { accessToken: 'token-2', expiresIn: 3_600_000 };
    await takeRefreshToken();
    return new Promise((_, reject) => ends.push(reject));
  };
  const { ask } = await outliveWith(renew);
  expect(await ask()).toBe('token-2');
  const fetch = async () => json({ message: 'invalid_grant' }, 400);
  ends[0]?.(await rejection(clientFor('https://api.example.com', { fetch }).card.order()));
  await settle();
  expect(await ask().catch(String)).toBe('token-2');
});

it('signOut revokes the tokens of the last renewal, although the store failed then', async () => {
  const store = memoryStore();
  const renew: Renew = async () => {
    store.failing.set = true;
    return NEXT;
  };
  const { sessions, clock } = sessionsWith({ renew, store });
  const session = await sessions.signIn(LOGIN, GLOBAL);
  clock.advance(6 * 3_600_000);
  await rejection((async () => session.accessToken({ reason: 'request' }))());
  store.failing.set = false;
  const revoked: unknown[] = [];
  await sessions.signOut(({ refreshToken }) => revoked.push(refreshToken));
  expect(revoked).toEqual(['refresh-2']);
});

it.each([
  ['that took its refresh token', true],
  ['that did not', false],
])('a late result of a renewal %s does not replace the pair of a later one', async (_, takes) => {
  const ends: End[] = [];
  const renew: Renew = async ({ takeRefreshToken }) => {
    if (ends.length > 0) return { accessToken: 'token-3', refreshToken: 'refresh-3' };
    if (takes) await takeRefreshToken();
    return new Promise((resolve, reject) => ends.push({ resolve, reject }));
  };
  const store = memoryStore();
  const { ask } = await outliveWith(renew, store);
  expect(await ask()).toBe('token-3');
  ends[0]?.resolve(NEXT);
  await settle();
  expect(await ask()).toBe('token-3');
  expect([...store.entries.values()].join()).toContain('refresh-3');
});

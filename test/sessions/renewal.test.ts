import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { type AccessTokenProvider, ConfigurationError, ConnectionError } from '../../src/index.js';
import { createSessions, type SessionsOptions } from '../../src/sessions/index.js';
import { clientFor, json, rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';
import { KEY, memoryStore, sessionsWith, settle, twoRegions } from './support.js';

const HOUR_MS = 60 * 60 * 1000;
const MINUTE_MS = 60_000;
const LOGIN = { accessToken: 'token-1', userId: 'ada', refreshToken: 'refresh-1' };
const GLOBAL = { region: 'global' } as const;
const REQUEST = { reason: 'request' } as const;

type Renew = NonNullable<SessionsOptions['renew']>;

const ask = async (provider: AccessTokenProvider | undefined, rejectedToken?: string) =>
  provider?.(rejectedToken === undefined ? REQUEST : { reason: 'rejected', rejectedToken });

/** Signs in, and makes the token expire. */
async function expired(renew: Renew, options: Partial<SessionsOptions> = {}) {
  const all = sessionsWith({ renew, ...options });
  const session = await all.sessions.signIn(LOGIN, GLOBAL);
  all.clock.advance(6 * HOUR_MS);
  return { ...all, session };
}

/** Returns the error of a login that the service responds to in this way. */
async function loginError(response: Response | Error): Promise<unknown> {
  const fetch = async () => {
    if (response instanceof Error) throw response;
    return response;
  };
  const client = clientFor('https://api.example.com', { fetch, retry: false });
  return rejection(client.auth.login({ email: 'ada@example.com', password: 'secret' }));
}

describe('a renewal', () => {
  it('receives the old tokens, and stores the new ones as a pair, at once', async () => {
    const seen: unknown[] = [];
    const renew: Renew = ({ accessToken, refreshToken, userId, region, expiresAt }) => {
      seen.push({ accessToken, refreshToken, userId, region, expiresAt });
      return { accessToken: 'token-2', refreshToken: 'refresh-2', expiresIn: HOUR_MS };
    };
    const { session, store, clock } = await expired(renew);
    const expiresAt = clock.now();
    expect(await ask(session.accessToken)).toBe('token-2');
    expect(seen).toEqual([{ ...LOGIN, region: 'global', expiresAt }].map(({ ...all }) => all));
    // The login, the start of the renewal, and its result.
    expect(store.written).toHaveLength(3);
    expect(JSON.parse(store.entries.get(KEY) ?? '')).toMatchObject({
      accessToken: 'token-2',
      refreshToken: 'refresh-2',
      userId: 'ada',
      region: 'global',
      expiresAt: clock.now() + HOUR_MS,
      id: session.id,
    });
  });

  it('keeps the function of the session when it learns whose it is', async () => {
    const { sessions, clock } = sessionsWith({
      renew: () => ({ accessToken: 'token-2', userId: 'ada' }),
    });
    const session = await sessions.signIn({ accessToken: 'token-1' }, GLOBAL);
    clock.advance(6 * HOUR_MS);
    expect(await ask(session.accessToken)).toBe('token-2');
    const renewed = sessions.getSnapshot().session;
    expect([session.userId, renewed?.userId]).toEqual([undefined, 'ada']);
    expect(renewed?.accessToken).toBe(session.accessToken);
  });

  it('without a new refresh token keeps the old one', async () => {
    const renew = vi.fn<Renew>(() => ({ accessToken: 'token-2' }));
    const { session, store } = await expired(renew);
    await ask(session.accessToken);
    expect(store.entries.get(KEY)).toContain('"refreshToken":"refresh-1"');
  });

  it('starts five minutes before the token expires', async () => {
    const renew = vi.fn<Renew>(() => ({ accessToken: 'token-2' }));
    const { sessions, clock } = sessionsWith({ renew });
    const session = await sessions.signIn(LOGIN, GLOBAL);
    clock.advance(6 * HOUR_MS - 5 * MINUTE_MS - 1);
    expect(await ask(session.accessToken)).toBe('token-1');
    clock.advance(1);
    expect(await ask(session.accessToken)).toBe('token-2');
    expect(renew).toHaveBeenCalledOnce();
  });

  it('of a token with a short life starts after half of it, not before every call', async () => {
    const renew = vi.fn<Renew>(() => ({ accessToken: 'token-2', expiresIn: 4 * MINUTE_MS }));
    const { sessions, clock } = sessionsWith({ renew });
    const session = await sessions.signIn({ ...LOGIN, expiresIn: 4 * MINUTE_MS }, GLOBAL);
    await ask(session.accessToken);
    expect(renew).not.toHaveBeenCalled();
    clock.advance(2 * MINUTE_MS);
    await ask(session.accessToken);
    await ask(session.accessToken);
    expect(renew).toHaveBeenCalledOnce();
  });

  it('runs once for many calls', async () => {
    const renew = vi.fn<Renew>(async () => {
      await settle();
      return { accessToken: 'token-2' };
    });
    const { session } = await expired(renew);
    const tokens = await Promise.all(Array.from({ length: 100 }, () => ask(session.accessToken)));
    expect(new Set(tokens)).toEqual(new Set(['token-2']));
    expect(renew).toHaveBeenCalledOnce();
  });

  it('after a 401 is used for one retry', async () => {
    const { mock, ada, platforms, revoke } = twoRegions();
    const renew = vi.fn<Renew>(() => ({ accessToken: mock.accessTokenFor(ada) }));
    const { sessions } = sessionsWith({ renew });
    const accessToken = mock.accessTokenFor(ada);
    const session = await sessions.signIn({ accessToken }, GLOBAL);
    revoke(accessToken);
    const userClient = platforms.global.withAccessToken(session.accessToken);
    expect((await userClient.card.status()).status).toBe('ACTIVE');
    expect(mock.requests.map(({ status }) => status)).toEqual([401, 200]);
    expect(renew).toHaveBeenCalledOnce();
  });

  it('does not run for a refused token that has been replaced meanwhile', async () => {
    const renew = vi.fn<Renew>(() => ({ accessToken: 'token-2' }));
    const { sessions } = sessionsWith({ renew });
    const session = await sessions.signIn(LOGIN, GLOBAL);
    expect(await ask(session.accessToken, 'token-0')).toBe('token-1');
    expect(renew).not.toHaveBeenCalled();
    expect(await session.accessToken({ reason: 'rejected' })).toBe('token-2');
  });

  it('runs before the next call when the one after a 401 failed', async () => {
    const renew = vi.fn<Renew>();
    renew.mockRejectedValueOnce(new Error('offline')).mockReturnValue({ accessToken: 'token-2' });
    const { sessions } = sessionsWith({ renew });
    const session = await sessions.signIn(LOGIN, GLOBAL);
    await rejection(ask(session.accessToken, 'token-1'));
    expect(await ask(session.accessToken)).toBe('token-2');
  });
});

describe('a session ends with the reason rejected', () => {
  it('when the service refuses the renewed token as well', async () => {
    const { mock, ada, platforms } = twoRegions();
    const renew = vi.fn<Renew>(() => ({ accessToken: 'not-a-token-of-the-service' }));
    const { sessions, store } = sessionsWith({ renew });
    const session = await sessions.signIn({ accessToken: 'stale', userId: ada.id }, GLOBAL);
    const userClient = platforms.global.withAccessToken(session.accessToken);
    expect(await rejection(userClient.card.freeze())).toMatchObject({ code: 'not_authenticated' });
    await settle();
    expect(sessions.getSnapshot()).toMatchObject({ status: 'signed_out', reason: 'rejected' });
    expect(store.entries.get(KEY)).not.toContain('not-a-token');
    expect(mock.requests).toHaveLength(2);
    expect(renew).toHaveBeenCalledOnce();
    expect(await rejection(userClient.card.freeze())).toMatchObject({ code: 'session_ended' });
  });

  it('but not when a token that was renewed long ago is refused once', async () => {
    const { mock, ada, platforms, revoke } = twoRegions();
    const renew = vi.fn<Renew>(() => ({ accessToken: mock.accessTokenFor(ada) }));
    const { sessions } = sessionsWith({ renew });
    const session = await sessions.signIn({ accessToken: 'stale' }, GLOBAL);
    const userClient = platforms.global.withAccessToken(session.accessToken);
    for (let round = 0; round < 3; round++) {
      expect((await userClient.card.status()).status).toBe('ACTIVE');
      revoke(String(await ask(session.accessToken)));
    }
    expect(sessions.getSnapshot().status).toBe('signed_in');
  });

  it.each([
    ['400 invalid_grant', json({ error: 'invalid_grant' }, 400)],
    ['401', json({ message: 'Not authenticated' }, 401)],
    ['403', json({ message: 'Account is disabled' }, 403)],
    ['400 and asks for a one-time password', json({ message: 'OTP', isOtpRequired: true }, 400)],
    ['200 and asks for a one-time password', json({ isOtpRequired: true }, 200)],
  ])('when the service responds to the renewal with %s', async (_, response) => {
    const error = await loginError(response);
    const { session, sessions } = await expired(() => Promise.reject(error));
    expect(await rejection(ask(session.accessToken))).toMatchObject({
      code: 'session_ended',
      reason: 'rejected',
      outcome: 'not_sent',
      message: expect.stringContaining('the access token was refused or could not be renewed'),
    });
    expect(sessions.getSnapshot()).toMatchObject({ status: 'signed_out', reason: 'rejected' });
  });

  it('when endsSession returns true for an error of the application', async () => {
    const { session } = await expired(() => Promise.reject(new RangeError('gone')), {
      endsSession: (error) => error instanceof RangeError,
    });
    expect(await rejection(ask(session.accessToken))).toMatchObject({ reason: 'rejected' });
  });

  it('when renew returns nothing after a 401, and with expired when the time is over', async () => {
    const { sessions } = sessionsWith({ renew: () => undefined });
    const first = await sessions.signIn(LOGIN, GLOBAL);
    expect(await rejection(ask(first.accessToken, 'token-1'))).toMatchObject({
      reason: 'rejected',
    });
    const { session } = await expired(() => undefined);
    expect(await rejection(ask(session.accessToken))).toMatchObject({ reason: 'expired' });
  });

  it('when renew returns nothing before the token expires, without saying that it was refused', async () => {
    const { sessions, clock } = sessionsWith({ renew: () => undefined });
    const session = await sessions.signIn(LOGIN, GLOBAL);
    clock.advance(6 * HOUR_MS - MINUTE_MS);
    const error = await rejection(ask(session.accessToken));
    expect(error).toMatchObject({ code: 'session_ended', reason: 'rejected' });
    expect(String(error)).not.toContain('the service refused');
    expect(String(error)).toContain('could not be renewed');
  });
});

describe('a failed renewal signs nobody out', () => {
  const passing: [string, () => Promise<unknown>][] = [
    ['a network error', () => loginError(Object.assign(new TypeError('fetch failed')))],
    ['a 500', () => loginError(json({ message: 'oops' }, 500))],
    ['a 503', () => loginError(json({ message: 'later' }, 503))],
    ['a 429', () => loginError(json({ message: 'slow down' }, 429))],
    ['a wrong client key', () => loginError(json({ message: 'Invalid client key' }, 498))],
    [
      'the 401 of a proxy',
      () =>
        loginError(
          new Response('<html>', { status: 401, headers: { 'content-type': 'text/html' } }),
        ),
    ],
    ['an error of the application', async () => new Error('secret token-1')],
    ['nothing at all', async () => undefined],
  ];

  it.each(passing)('for %s, and the next call renews again', async (_, makeError) => {
    const error = await makeError();
    const renew = vi.fn<Renew>(() => Promise.reject(error));
    const { session, sessions } = await expired(renew);
    const thrown = await rejection(ask(session.accessToken));
    expect(thrown).toMatchObject({
      name: 'SessionError',
      code: 'session_not_renewed',
      outcome: 'not_sent',
      isRetryable: true,
    });
    expect(inspect(thrown, { depth: 9, showHidden: true })).not.toMatch(/token-1|refresh-1/);
    expect(sessions.getSnapshot().status).toBe('signed_in');
    renew.mockReturnValueOnce({ accessToken: 'token-2' });
    expect(await ask(session.accessToken)).toBe('token-2');
  });

  it('and a call before the token expires continues with the old token', async () => {
    const renew = vi.fn<Renew>(() => Promise.reject(new Error('offline')));
    const { sessions, clock } = sessionsWith({ renew });
    const session = await sessions.signIn(LOGIN, GLOBAL);
    clock.advance(6 * HOUR_MS - MINUTE_MS);
    expect(await ask(session.accessToken)).toBe('token-1');
    expect(await ask(session.accessToken)).toBe('token-1');
    clock.advance(29_999);
    expect(await ask(session.accessToken)).toBe('token-1');
    expect(renew).toHaveBeenCalledOnce();
    clock.advance(1);
    expect(await ask(session.accessToken)).toBe('token-1');
    expect(renew).toHaveBeenCalledTimes(2);
  });

  it('ends only its own session, not one that another tab has started meanwhile', async () => {
    let refuse = (_: Error) => {};
    const renew: Renew = () =>
      new Promise((_, reject) => {
        refuse = reject;
      });
    const { session, store, clock } = await expired(renew, { endsSession: () => true });
    const waiting = rejection(ask(session.accessToken));
    await settle();
    const other = createSessions({ store, clock });
    await other.signIn({ accessToken: 'token-other', userId: 'grace' }, GLOBAL);
    refuse(new Error('the service refused the refresh token'));
    expect(await waiting).toMatchObject({
      ...{ code: 'session_ended', reason: 'replaced' },
      message: expect.stringContaining('somebody has logged in since'),
    });
    expect(other.getSnapshot().status).toBe('signed_in');
    expect(store.entries.get(KEY)).toContain('token-other');
  });

  it('when it hangs: it is aborted after its time limit, and asked again', async () => {
    const signals: AbortSignal[] = [];
    const renew: Renew = ({ signal }) => {
      signals.push(signal);
      return signals.length === 1 ? new Promise<never>(() => {}) : { accessToken: 'token-2' };
    };
    const { session, sessions, clock } = await expired(renew);
    const waiting = rejection(ask(session.accessToken));
    await settle();
    clock.advance(30_000);
    expect(await waiting).toMatchObject({ code: 'session_not_renewed' });
    expect(signals[0]?.aborted).toBe(true);
    expect(sessions.getSnapshot().status).toBe('signed_in');
    expect(await ask(session.accessToken)).toBe('token-2');
    expect(clock.pending).toBe(0);
  });

  describe('when it hangs before the token expires', () => {
    async function hanging(left = 4 * MINUTE_MS) {
      const ends: ((tokens: { accessToken: string; refreshToken: string }) => void)[] = [];
      const renew: Renew = () => new Promise((resolve) => ends.push(resolve));
      const { sessions, clock } = sessionsWith({ renew });
      const session = await sessions.signIn(LOGIN, GLOBAL);
      clock.advance(6 * HOUR_MS - left);
      return { ends, clock, session, sessions };
    }

    it('a call uses the present token, long before its own time is over', async () => {
      const { session, clock, ends } = await hanging();
      const fetch = async (_: string, { headers }: RequestInit) =>
        json({ id: new Headers(headers).get('authorization'), status: 'ACTIVE' });
      const options = { fetch, clock, accessToken: session.accessToken, totalTimeout: 10_000 };
      const call = clientFor('https://api.example.com', options).card.status();
      await settle();
      clock.advance(9_999);
      expect((await call).id).toBe('Bearer token-1');
      expect(ends).toHaveLength(1);
    });

    it('a call waits for two seconds, the next ones not, and the late result is stored', async () => {
      const { session, clock, ends } = await hanging();
      const tokens: unknown[] = [];
      const note = async () => tokens.push(await ask(session.accessToken));
      void note();
      await settle();
      clock.advance(1_999);
      await settle();
      expect(tokens).toEqual([]);
      clock.advance(1);
      await settle();
      expect(tokens).toEqual(['token-1']);
      expect(await ask(session.accessToken)).toBe('token-1');
      clock.advance(20_000);
      expect(await ask(session.accessToken)).toBe('token-1');
      ends[0]?.({ accessToken: 'token-2', refreshToken: 'refresh-2' });
      await settle();
      expect(await ask(session.accessToken)).toBe('token-2');
      expect(ends).toHaveLength(1);
      expect(clock.pending).toBe(0);
    });

    it('a call whose token expires meanwhile waits for the renewal', async () => {
      const { session, clock, ends } = await hanging(1_000);
      const waiting = ask(session.accessToken);
      await settle();
      clock.advance(2_000);
      await settle();
      ends[0]?.({ accessToken: 'token-2', refreshToken: 'refresh-2' });
      expect(await waiting).toBe('token-2');
      expect(ends).toHaveLength(1);
    });

    it('a call whose token the service refuses meanwhile waits for the renewal', async () => {
      const { session, clock, ends } = await hanging();
      const waiting = ask(session.accessToken);
      await settle();
      const refused = ask(session.accessToken, 'token-1');
      await settle();
      clock.advance(2_000);
      await settle();
      ends[0]?.({ accessToken: 'token-2', refreshToken: 'refresh-2' });
      expect(await Promise.all([waiting, refused])).toEqual(['token-2', 'token-2']);
      expect(ends).toHaveLength(1);
    });
  });

  it('and uses the result that comes after the time limit, so that a new refresh token is not lost', async () => {
    let respond = (_: { accessToken: string }) => {};
    const renew = vi.fn<Renew>(
      () =>
        new Promise((resolve) => {
          respond = resolve;
        }),
    );
    const { session, clock } = await expired(renew);
    const waiting = rejection(ask(session.accessToken));
    await settle();
    clock.advance(30_000);
    await waiting;
    respond({ accessToken: 'token-late' });
    await settle();
    expect(await ask(session.accessToken)).toBe('token-late');
    expect(renew).toHaveBeenCalledOnce();
  });

  it('for a result that is not a token, and the error names the field', async () => {
    const { session, sessions } = await expired(() => ({ accessToken: 'a b' }));
    expect(await rejection(ask(session.accessToken))).toBeInstanceOf(ConfigurationError);
    expect(sessions.getSnapshot().status).toBe('signed_in');
  });

  it('for tokens of another user, which are never used', async () => {
    const { session, sessions, store } = await expired(() => ({
      accessToken: 'token-g',
      userId: 'grace',
    }));
    expect(await rejection(ask(session.accessToken))).toMatchObject({ code: 'session_mismatch' });
    expect(store.written.join()).not.toContain('token-g');
    expect(sessions.getSnapshot().session?.userId).toBe('ada');
  });
});

describe('a renewal whose result the store does not take', () => {
  it('is reported, and written before anything else, without another renewal', async () => {
    const store = memoryStore();
    const renew = vi.fn<Renew>(() => {
      store.failing.set = true;
      return { accessToken: 'token-2', refreshToken: 'refresh-2' };
    });
    const { session, sessions } = await expired(renew, { store });
    for (let call = 0; call < 3; call++) {
      const error = await rejection(ask(session.accessToken));
      expect(error).toMatchObject({ code: 'session_store_failed' });
      // The refresh token was sent.
      expect(String(error)).not.toContain('nothing was sent');
    }
    expect(store.entries.get(KEY)).toContain('refresh-1');
    expect(sessions.getSnapshot().status).toBe('signed_in');
    store.failing.set = false;
    expect(await ask(session.accessToken)).toBe('token-2');
    expect(store.entries.get(KEY)).toContain('refresh-2');
    expect(renew).toHaveBeenCalledOnce();
  });

  it('does not bring its user back when another tab has signed somebody else in meanwhile', async () => {
    let respond = (_: { accessToken: string }) => {};
    const { session, sessions, store, clock } = await expired(
      () =>
        new Promise((resolve) => {
          respond = resolve;
        }),
    );
    const waiting = rejection(ask(session.accessToken));
    await settle();
    const other = createSessions({ store, clock });
    await other.signIn({ accessToken: 'token-g', userId: 'grace' }, GLOBAL);
    expect((await sessions.load()).session?.userId).toBe('grace');
    store.failing.set = true;
    respond({ accessToken: 'token-2' });
    expect(await waiting).toMatchObject({ code: 'session_store_failed' });
    expect(sessions.getSnapshot().session?.userId).toBe('grace');
  });

  it('ends the session on this device all the same, and tells the listeners', async () => {
    const { sessions, store } = sessionsWith();
    const session = await sessions.signIn(LOGIN, GLOBAL);
    const shown: unknown[] = [];
    sessions.subscribe(() => shown.push(sessions.getSnapshot()));
    store.failing.set = true;
    expect(await rejection(ask(session.accessToken, 'token-1'))).toMatchObject({
      code: 'session_store_failed',
    });
    expect(shown).toEqual([{ status: 'signed_out', session: undefined, reason: 'rejected' }]);
  });

  it('is dropped when somebody has signed out meanwhile', async () => {
    const store = memoryStore();
    const renew: Renew = () => {
      store.failing.set = true;
      return { accessToken: 'token-2' };
    };
    const { session, sessions, clock } = await expired(renew, { store });
    expect(await rejection(ask(session.accessToken))).toMatchObject({
      code: 'session_store_failed',
    });
    store.failing.set = false;
    await createSessions({ store, clock }).signOut();
    expect(await rejection(ask(session.accessToken))).toMatchObject({ reason: 'signed_out' });
    expect(sessions.getSnapshot()).toMatchObject({ reason: 'signed_out' });
    expect(store.entries.get(KEY)).not.toContain('token-2');
  });
});

describe('two tabs with one store', () => {
  function twoTabs(renew?: Renew) {
    const clock = new FakeClock({ auto: false });
    const store = memoryStore();
    const tab = () => createSessions({ store, clock, renew });
    return { clock, store, one: tab(), other: tab() };
  }

  it('pick up each other’s login, and the clients of the old one get no token', async () => {
    const { one, other } = twoTabs();
    const first = await one.signIn(LOGIN, GLOBAL);
    expect((await other.load()).session?.id).toBe(first.id);
    const second = await other.signIn(
      { accessToken: 'token-g', userId: 'grace' },
      { region: 'us' },
    );
    expect(await rejection(ask(first.accessToken))).toMatchObject({ reason: 'replaced' });
    expect(one.getSnapshot()).toMatchObject({
      status: 'signed_in',
      session: { id: second.id, region: 'us' },
    });
  });

  it('remember that a session was replaced, also when the one after it has been signed out', async () => {
    const { one, other } = twoTabs();
    const first = await one.signIn(LOGIN, GLOBAL);
    await other.signIn({ accessToken: 'token-g', userId: 'grace' }, GLOBAL);
    await other.signOut();
    expect(await rejection(ask(first.accessToken))).toMatchObject({ reason: 'replaced' });
  });

  it('pick up each other’s renewal and run one at a time', async () => {
    const renew = vi.fn<Renew>(async () => {
      await settle();
      return { accessToken: 'token-2', refreshToken: 'refresh-2' };
    });
    const { one, other, clock } = twoTabs(renew);
    const session = await one.signIn(LOGIN, GLOBAL);
    const same = (await other.load()).session;
    clock.advance(6 * HOUR_MS);
    expect(await Promise.all([ask(session.accessToken), ask(same?.accessToken)])).toEqual([
      'token-2',
      'token-2',
    ]);
    expect(renew).toHaveBeenCalledOnce();
  });

  it('never bring a session back by a renewal that comes after a sign-out', async () => {
    let respond = (_: { accessToken: string }) => {};
    const { one, other, clock, store } = twoTabs(
      () =>
        new Promise((resolve) => {
          respond = resolve;
        }),
    );
    const session = await one.signIn(LOGIN, GLOBAL);
    clock.advance(6 * HOUR_MS);
    const waiting = rejection(ask(session.accessToken));
    await settle();
    await other.signOut();
    respond({ accessToken: 'token-2' });
    expect(await waiting).toMatchObject({
      ...{ code: 'session_ended', reason: 'signed_out' },
      message: expect.stringContaining('the user has signed out, and the call had no effect.'),
    });
    expect(store.entries.get(KEY)).not.toContain('token-2');
  });

  it('never bring an old session back, whatever the clock was at its login', async () => {
    const { other, clock, store } = twoTabs();
    const fast = new FakeClock({ startsAt: clock.now() + 24 * HOUR_MS, auto: false });
    const one = createSessions({ store, clock: fast });
    const first = await one.signIn(LOGIN, GLOBAL);
    store.entries.clear();
    const second = await other.signIn({ accessToken: 'token-g' }, { region: 'us' });
    expect(await rejection(ask(first.accessToken))).toMatchObject({ reason: 'replaced' });
    expect(await ask(second.accessToken)).toBe('token-g');
    expect(store.entries.get(KEY)).toContain('token-g');
  });

  it('end the session when the store has been emptied', async () => {
    const { one, store } = twoTabs();
    const session = await one.signIn(LOGIN, GLOBAL);
    store.entries.clear();
    expect(await rejection(ask(session.accessToken))).toMatchObject({ reason: 'signed_out' });
  });

  it('use the browser’s locks for a renewal, and work without them where they fail', async () => {
    const names: string[] = [];
    const locks = {
      request: async (name: string, work: () => Promise<void>) => {
        names.push(name);
        await work();
      },
    };
    const { clock, store } = twoTabs();
    const renew: Renew = () => ({ accessToken: 'token-2' });
    const session = await createSessions({ store, locks, clock, renew }).signIn(LOGIN, GLOBAL);
    clock.advance(6 * HOUR_MS);
    expect(await ask(session.accessToken)).toBe('token-2');
    expect(names).toEqual(['card-platform-sdk card-platform.session renewal']);
    const denied = { request: () => Promise.reject(new Error('denied')) };
    const { session: same } = await createSessions({ store, locks: denied, clock, renew }).load();
    clock.advance(6 * HOUR_MS);
    expect(await same?.accessToken({ reason: 'request' })).toBe('token-2');
  });
});

it('a session without a user gets its user from the renewal', async () => {
  const { sessions, clock } = sessionsWith({
    renew: () => ({ accessToken: 'token-2', userId: 'ada' }),
  });
  const session = await sessions.signIn({ accessToken: 'token-1' }, GLOBAL);
  clock.advance(6 * HOUR_MS);
  expect(await ask(session.accessToken)).toBe('token-2');
  expect(sessions.getSnapshot().session).toMatchObject({ id: session.id, userId: 'ada' });
});

it('an error of this package keeps its class as the cause', async () => {
  const error = await loginError(new TypeError('fetch failed'));
  const { session } = await expired(() => Promise.reject(error));
  const thrown = await rejection(ask(session.accessToken));
  expect((thrown as Error).cause).toBeInstanceOf(ConnectionError);
});

it.each([
  ['has expired', 6 * HOUR_MS],
  ['is about to expire', 6 * HOUR_MS - MINUTE_MS],
])('a renewal whose lock another page steals goes on, once, and its call gets the token, when the old one %s', async (_, age) => {
  const renew = vi.fn<Renew>(async () => {
    await settle();
    return { accessToken: 'token-2' };
  });
  const locks = {
    request: async (_: string, work: () => Promise<void>) => {
      void work();
      await Promise.reject(new DOMException('The lock was stolen', 'AbortError'));
    },
  };
  const { sessions, clock } = sessionsWith({ renew, locks });
  const session = await sessions.signIn(LOGIN, GLOBAL);
  clock.advance(age);
  expect(await ask(session.accessToken)).toBe('token-2');
  expect(renew).toHaveBeenCalledOnce();
});

it('tokens are not stored for a session that was removed from the store while they were renewed', async () => {
  const store = memoryStore();
  const { session, sessions } = await expired(
    () => {
      store.entries.clear();
      return { accessToken: 'token-2' };
    },
    { store },
  );
  expect(await rejection(ask(session.accessToken))).toMatchObject({ code: 'session_ended' });
  expect(sessions.getSnapshot().status).toBe('signed_out');
  expect(store.entries.get(KEY)).toBeUndefined();
});

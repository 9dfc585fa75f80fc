import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { createSessions } from '../../src/sessions/index.js';
import { rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';
import { asyncStore, KEY, memoryStore, sessionsWith, settle, twoRegions } from './support.js';

const HOUR_MS = 60 * 60 * 1000;
const LOGIN = { accessToken: 'token-1', userId: 'ada', refreshToken: 'refresh-1' };
const GLOBAL = { region: 'global' } as const;

describe('a session', () => {
  it('starts with the result of a login and feeds a client', async () => {
    const { mock, ada, platforms } = twoRegions();
    const { sessions } = sessionsWith();
    const login = await platforms.global.auth.login({ email: ada.email, password: ada.password });
    if (login.phase) throw new Error('onboarding');
    const session = await sessions.signIn(login, GLOBAL);
    expect(session).toMatchObject({ userId: ada.id, region: 'global' });
    const userClient = platforms.global.withAccessToken(session.accessToken);
    expect((await userClient.card.status()).status).toBe('ACTIVE');
    expect(mock.requests.only({ operation: 'card.status' }).headers['authorization']).toBe(
      `Bearer ${login.accessToken}`,
    );
  });

  it('writes token, expiry, region and user as one record, at once', async () => {
    const { sessions, store, clock } = sessionsWith();
    await sessions.signIn(LOGIN, { region: 'us' });
    expect(store.written).toHaveLength(1);
    expect(JSON.parse(store.entries.get(KEY) ?? '')).toMatchObject({
      accessToken: 'token-1',
      refreshToken: 'refresh-1',
      expiresAt: clock.now() + 6 * HOUR_MS,
      region: 'us',
      userId: 'ada',
    });
  });

  it.each([
    ['synchronous', memoryStore()],
    ['asynchronous', asyncStore()],
  ])('continues after a reload with a store that is %s', async (_, store) => {
    const clock = new FakeClock({ auto: false });
    const before = await createSessions({ store, clock }).signIn(LOGIN, GLOBAL);
    const sessions = createSessions({ store, clock });
    const snapshot = await sessions.load();
    expect(snapshot).toMatchObject({ status: 'signed_in', session: { id: before.id } });
    expect(await snapshot.session?.accessToken({ reason: 'request' })).toBe('token-1');
  });

  it('is known at once after a reload with a synchronous store', async () => {
    const { sessions, store, clock } = sessionsWith();
    await sessions.signIn(LOGIN, GLOBAL);
    expect(createSessions({ store, clock }).getSnapshot().status).toBe('signed_in');
    expect(createSessions({ store: asyncStore(store), clock }).getSnapshot().status).toBe(
      'loading',
    );
  });

  it('takes its user from the options when the login returned none', async () => {
    const { sessions } = sessionsWith();
    const session = await sessions.signIn({ accessToken: 't' }, { region: 'us', userId: 'grace' });
    expect(session.userId).toBe('grace');
  });

  it.each([
    ['null', null],
    ['text', 'not json'],
    ['half a record', '{"v":2,"rev":"r","id":"a","region":"us","accessTok'],
    ['a record without a token', '{"v":2,"rev":"r","id":"a","region":"us"}'],
    [
      'a token that no header can carry',
      JSON.stringify({
        v: 2,
        rev: 'r',
        id: 'a',
        region: 'us',
        accessToken: 'a b',
        expiresAt: 1,
        renewAt: 1,
      }),
    ],
    [
      'another region',
      JSON.stringify({
        v: 2,
        rev: 'r',
        id: 'a',
        region: 'eu',
        accessToken: 'ab',
        expiresAt: 1e15,
        renewAt: 1e15,
      }),
    ],
    [
      'another version',
      JSON.stringify({
        v: 1,
        rev: 'r',
        id: 'a',
        region: 'us',
        accessToken: 'ab',
        expiresAt: 1e15,
        renewAt: 1e15,
      }),
    ],
    ['an unknown end', '{"v":2,"rev":"r","id":"a","ended":"eaten"}'],
  ])('is not read from %s', async (_, text) => {
    const store = { ...memoryStore(), get: () => text };
    const { sessions } = sessionsWith({ store });
    expect(sessions.getSnapshot()).toEqual({
      status: 'signed_out',
      session: undefined,
      reason: undefined,
    });
  });
});

describe('the options of sessions', () => {
  it.each([
    ['options', undefined],
    ['options', null],
    ['store', {}],
    ['store', { store: null }],
    ['store', { store: { get: () => null } }],
    ['key', { store: memoryStore(), key: 'a b' }],
    ['key', { store: memoryStore(), key: '' }],
    ['key', { store: memoryStore(), key: 'k'.repeat(201) }],
    ['renew', { store: memoryStore(), renew: 'yes' }],
    ['endsSession', { store: memoryStore(), endsSession: true }],
    ['renewTimeout', { store: memoryStore(), renewTimeout: 0 }],
    ['renewBefore', { store: memoryStore(), renewBefore: -1 }],
    ['storeTimeout', { store: memoryStore(), storeTimeout: Number.NaN }],
    ['maxRecordBytes', { store: memoryStore(), maxRecordBytes: 0 }],
    ['locks', { store: memoryStore(), locks: {} }],
    [
      'clock',
      {
        store: memoryStore(),
        clock: { now: () => Number.NaN, elapsed: () => 0, schedule: () => () => {} },
      },
    ],
    ['reknew', { store: memoryStore(), reknew: () => undefined }],
  ])('refuse a wrong %s: %j', (option, options) => {
    expect(() => createSessions(options as never)).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', option }),
    );
  });
});

it('the smallest accepted values are a key of one letter and records of one byte', () => {
  expect(() => createSessions({ store: memoryStore(), key: 'k', maxRecordBytes: 1 })).not.toThrow();
});

it('the key of a session may have 200 characters', async () => {
  const key = `${'k'.repeat(189)}.session-_9`;
  const { sessions, store } = sessionsWith({ key });
  await sessions.signIn(LOGIN, GLOBAL);
  expect(store.entries.get(key)).toContain('token-1');
});

describe('signing in', () => {
  it.each([
    ['accessToken', { userId: 'ada' }, GLOBAL],
    ['accessToken', { accessToken: 'a b' }, GLOBAL],
    ['accessToken', { accessToken: 'null' }, GLOBAL],
    ['accessToken', null, GLOBAL],
    ['phase', { accessToken: 'a', phase: 'ACCOUNT' }, GLOBAL],
    ['expiresIn', { accessToken: 'a', expiresIn: 0 }, GLOBAL],
    ['expiresIn', { accessToken: 'a', expiresIn: Number.POSITIVE_INFINITY }, GLOBAL],
    ['expiresIn', { accessToken: 'a', expiresIn: '3600' }, GLOBAL],
    ['refreshToken', { accessToken: 'a', refreshToken: ' ' }, GLOBAL],
    ['userId', { accessToken: 'a', userId: 5 }, GLOBAL],
    ['region', { accessToken: 'a' }, {}],
    ['region', { accessToken: 'a' }, undefined],
    ['region', { accessToken: 'a' }, { region: 'eu' }],
    ['user', { accessToken: 'a' }, { region: 'us', user: 'ada' }],
    ['userID', { accessToken: 'a' }, { region: 'us', userID: 'ada' }],
  ])('refuses a wrong %s and writes nothing: %j', async (option, tokens, options) => {
    const { sessions, store } = sessionsWith();
    const error = await rejection(sessions.signIn(tokens as never, options as never));
    expect(error).toMatchObject({ name: 'ConfigurationError', option, outcome: 'not_sent' });
    expect(store.written).toEqual([]);
  });

  it('refuses a login for another user than the named one', async () => {
    const { sessions, store } = sessionsWith();
    const error = await rejection(sessions.signIn(LOGIN, { region: 'us', userId: 'grace' }));
    expect(error).toMatchObject({ code: 'session_mismatch' });
    expect(store.written).toEqual([]);
  });

  it('accepts a record of 2,047 bytes, and none of one byte more', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const bytesAfter = async (length: number) => {
      const { sessions, store } = sessionsWith();
      await sessions.signIn({ accessToken: 'x'.repeat(length) }, GLOBAL);
      return store.entries.get(KEY)?.length ?? 0;
    };
    const rest = 1_000 - (await bytesAfter(1_000));
    expect(await bytesAfter(2_047 + rest)).toBe(2_047);
    const refused = await rejection(bytesAfter(2_048 + rest));
    random.mockRestore();
    expect(refused).toMatchObject({ option: 'maxRecordBytes', outcome: 'not_sent' });
  });

  it('refuses a record that a keychain would truncate, unless the store accepts more', async () => {
    const tokens = { accessToken: 'x'.repeat(2_000) };
    const { sessions, store } = sessionsWith();
    expect(await rejection(sessions.signIn(tokens, GLOBAL))).toMatchObject({
      option: 'maxRecordBytes',
    });
    expect(store.written).toEqual([]);
    const larger = sessionsWith({ maxRecordBytes: 5_000 });
    await larger.sessions.signIn(tokens, GLOBAL);
    expect(larger.sessions.getSnapshot().status).toBe('signed_in');
  });

  it('replaces the previous session, whose clients get no token any more', async () => {
    const { mock, ada, grace, platforms } = twoRegions();
    const { sessions } = sessionsWith();
    const tokensOf = (user: typeof ada) => ({
      accessToken: mock.accessTokenFor(user),
      userId: user.id,
    });
    const first = await sessions.signIn(tokensOf(ada), GLOBAL);
    const asAda = platforms.global.withAccessToken(first.accessToken);
    const second = await sessions.signIn(tokensOf(grace), { region: 'us' });
    expect(await rejection(asAda.card.freeze())).toMatchObject({
      code: 'session_ended',
      reason: 'replaced',
      outcome: 'not_sent',
    });
    expect(mock.requests).toHaveLength(0);
    expect(sessions.getSnapshot()).toMatchObject({ status: 'signed_in', session: second });
    await platforms.us.withAccessToken(second.accessToken).card.freeze();
    expect([ada.card?.status, grace.card?.status]).toEqual(['ACTIVE', 'FROZEN']);
  });

  it('provides no token for a call to another region', async () => {
    const { mock, ada, platforms } = twoRegions();
    const { sessions } = sessionsWith();
    const session = await sessions.signIn({ accessToken: mock.accessTokenFor(ada) }, GLOBAL);
    const mismatch = { name: 'SessionError', code: 'session_mismatch', outcome: 'not_sent' };
    const wrongClient = platforms.us.withAccessToken(session.accessToken);
    expect(await rejection(wrongClient.card.status())).toMatchObject(mismatch);
    const rightClient = platforms.global.withAccessToken(session.accessToken);
    expect(await rejection(rightClient.card.status({ region: 'us' }))).toMatchObject(mismatch);
    const routed = rightClient.delegation.getToken({ region: 'us' });
    expect(await rejection(routed)).toMatchObject(mismatch);
    expect(mock.requests).toHaveLength(0);
  });

  it('provides the token for a call whose query names its region', async () => {
    const { mock, grace, platforms } = twoRegions();
    const { sessions } = sessionsWith();
    const tokens = { accessToken: mock.accessTokenFor(grace) };
    const session = await sessions.signIn(tokens, { region: 'us' });
    const client = platforms.global.withAccessToken(session.accessToken);
    await client.delegation.getToken({ region: 'us' });
    expect(mock.requests).toHaveLength(1);
  });
});

describe('signing out', () => {
  it('removes the tokens from the store, and ends the session with the reason signed_out', async () => {
    const { sessions, store } = sessionsWith();
    const session = await sessions.signIn(LOGIN, GLOBAL);
    await sessions.signOut();
    expect(store.entries.get(KEY)).not.toMatch(/token-1|refresh-1|ada/);
    expect(sessions.getSnapshot()).toMatchObject({ status: 'signed_out', reason: 'signed_out' });
    expect(
      await rejection(Promise.resolve(session.accessToken({ reason: 'request' }))),
    ).toMatchObject({
      code: 'session_ended',
      reason: 'signed_out',
    });
  });

  it('leaves every other key of the store, such as journal entries and delegation states', async () => {
    const { sessions, store } = sessionsWith();
    store.entries.set('journal.1', 'a withdrawal');
    await sessions.signIn(LOGIN, GLOBAL);
    await sessions.signOut();
    expect(store.entries.get('journal.1')).toBe('a withdrawal');
  });

  it('passes the tokens to the function that revokes them, after the session has ended here', async () => {
    const { sessions } = sessionsWith();
    await sessions.signIn(LOGIN, GLOBAL);
    const revoke = vi.fn(({ accessToken, refreshToken, region }) => {
      expect(sessions.getSnapshot().status).toBe('signed_out');
      return [accessToken, refreshToken, region];
    });
    await sessions.signOut(revoke);
    expect(revoke).toHaveReturnedWith(['token-1', 'refresh-1', 'global']);
    await sessions.signOut(revoke);
    expect(revoke).toHaveBeenCalledOnce();
  });

  it('revokes nothing when another tab signs out first, and the store runs the change again', async () => {
    const { sessions, store } = sessionsWith();
    await sessions.signIn(LOGIN, GLOBAL);
    const text = store.entries.get(KEY) ?? '';
    await sessions.signOut();
    const ended = store.entries.get(KEY) ?? '';
    store.entries.set(KEY, text);
    const update: typeof store.update = (key, change) => {
      if (key === KEY) {
        change(text);
        store.entries.set(KEY, ended);
      }
      store.update(key, change);
    };
    const { sessions: late } = sessionsWith({ store: { ...store, update } });
    const revoke = vi.fn();
    await late.signOut(revoke);
    expect(revoke).not.toHaveBeenCalled();
    expect(late.getSnapshot()).toMatchObject({ reason: 'signed_out' });
  });

  it('refuses a revoke that is not a function, and the session continues', async () => {
    const { sessions } = sessionsWith();
    await sessions.signIn(LOGIN, GLOBAL);
    expect(await rejection(sessions.signOut('yes' as never))).toMatchObject({ option: 'revoke' });
    expect(sessions.getSnapshot().status).toBe('signed_in');
  });
});

describe('a session without renew', () => {
  it('ends with the reason expired when its time is over', async () => {
    const { sessions, clock, store } = sessionsWith();
    const session = await sessions.signIn(LOGIN, GLOBAL);
    clock.advance(6 * HOUR_MS - 1);
    expect(await session.accessToken({ reason: 'request' })).toBe('token-1');
    clock.advance(1);
    expect(sessions.getSnapshot()).toMatchObject({ status: 'signed_out', reason: 'expired' });
    const error = await rejection(Promise.resolve(session.accessToken({ reason: 'request' })));
    expect(error).toMatchObject({
      ...{ code: 'session_ended', reason: 'expired' },
      message: expect.stringContaining('the session has expired, and the call had no effect.'),
    });
    expect(store.entries.get(KEY)).not.toContain('token-1');
  });

  it('ends with the reason rejected when the service refuses its token', async () => {
    const { mock, ada, platforms, revoke } = twoRegions();
    const { sessions } = sessionsWith();
    const accessToken = mock.accessTokenFor(ada);
    const session = await sessions.signIn({ accessToken }, GLOBAL);
    revoke(accessToken);
    const userClient = platforms.global.withAccessToken(session.accessToken);
    expect(await rejection(userClient.card.status())).toMatchObject({ reason: 'rejected' });
    expect(sessions.getSnapshot()).toMatchObject({ status: 'signed_out', reason: 'rejected' });
    expect(await rejection(userClient.card.status())).toMatchObject({ code: 'session_ended' });
    expect(mock.requests).toHaveLength(1);
  });

  it('continues after a 403, which refuses one call only', async () => {
    const { mock, ada, platforms } = twoRegions();
    const { sessions } = sessionsWith();
    const session = await sessions.signIn({ accessToken: mock.accessTokenFor(ada) }, GLOBAL);
    mock.fail('card.status', 403);
    const userClient = platforms.global.withAccessToken(session.accessToken);
    expect(await rejection(userClient.card.status())).toMatchObject({ code: 'not_authorized' });
    expect((await userClient.card.status()).status).toBe('ACTIVE');
    expect(sessions.getSnapshot().status).toBe('signed_in');
  });
});

describe('a snapshot', () => {
  it('stays the same object until something changes, and listeners are called once a change', async () => {
    const { sessions } = sessionsWith();
    const listener = vi.fn();
    const { subscribe, getSnapshot } = sessions;
    const stop = subscribe(listener);
    await sessions.signIn(LOGIN, GLOBAL);
    const first = getSnapshot();
    expect(listener).toHaveBeenCalledOnce();
    await first.session?.accessToken({ reason: 'request' });
    await sessions.load();
    expect(getSnapshot()).toBe(first);
    expect(listener).toHaveBeenCalledOnce();
    stop();
    await sessions.signOut();
    expect(listener).toHaveBeenCalledOnce();
  });

  it('calls a listener once a change, also when it replaces itself meanwhile', async () => {
    const { sessions } = sessionsWith();
    let calls = 0;
    let stop = () => {};
    const listener = () => {
      calls++;
      stop();
      if (calls < 10) stop = sessions.subscribe(listener);
    };
    stop = sessions.subscribe(listener);
    await sessions.signIn(LOGIN, GLOBAL);
    expect(calls).toBe(1);
    await sessions.signOut();
    expect(calls).toBe(2);
  });

  it('is not changed by a read of the store that began before a login', async () => {
    const entries = new Map<string, string>();
    const store = memoryStore(entries);
    let respond = () => {};
    let isHeld = false;
    const get = async (key: string) => {
      const text = entries.get(key);
      if (isHeld) {
        isHeld = false;
        await new Promise<void>((resolve) => {
          respond = resolve;
        });
      }
      return text;
    };
    const { sessions } = sessionsWith({ store: { ...store, get } });
    await sessions.load();
    isHeld = true;
    const loading = sessions.load();
    await sessions.signIn(LOGIN, GLOBAL);
    respond();
    expect((await loading).status).toBe('signed_in');
    expect(sessions.getSnapshot().session?.userId).toBe('ada');
  });

  it('calls the other listeners when one throws', async () => {
    const { sessions } = sessionsWith();
    const listener = vi.fn();
    sessions.subscribe(() => {
      throw new Error('listener');
    });
    sessions.subscribe(listener);
    await sessions.signIn(LOGIN, GLOBAL);
    expect(listener).toHaveBeenCalledOnce();
  });

  it('contains no token, and neither do the session and the object to renew', async () => {
    const printed: string[] = [];
    const print = (value: unknown) =>
      printed.push(
        inspect(value, { depth: 9, showHidden: true, getters: true }),
        JSON.stringify(value) ?? '',
        `${{ ...Object(value) }}`,
      );
    const { sessions, clock } = sessionsWith({
      renew: (old) => {
        print(old);
        return { ...LOGIN, accessToken: 'token-2' };
      },
    });
    const session = await sessions.signIn(LOGIN, GLOBAL);
    clock.advance(7 * HOUR_MS);
    expect(await session.accessToken({ reason: 'request' })).toBe('token-2');
    print(sessions);
    print(session);
    print(sessions.getSnapshot());
    await sessions.signOut(print);
    expect(printed).toHaveLength(15);
    expect(printed.join('\n')).not.toMatch(/token-\d|refresh-1/);
  });
});

describe('a store that fails', () => {
  const storeFailed = { name: 'SessionError', code: 'session_store_failed', outcome: 'not_sent' };

  it('rejects the sign-in, and the session before it continues', async () => {
    const { sessions, store } = sessionsWith();
    const first = await sessions.signIn(LOGIN, GLOBAL);
    store.failing.set = true;
    const error = await rejection(sessions.signIn({ accessToken: 'token-2' }, { region: 'us' }));
    expect(error).toMatchObject(storeFailed);
    expect(inspect(error, { showHidden: true })).not.toMatch(/token-\d/);
    store.failing.set = false;
    expect(await first.accessToken({ reason: 'request' })).toBe('token-1');
  });

  it('rejects the sign-out, and the session continues', async () => {
    const { sessions, store } = sessionsWith();
    await sessions.signIn(LOGIN, GLOBAL);
    store.failing.set = true;
    expect(await rejection(sessions.signOut())).toMatchObject(storeFailed);
    expect(sessions.getSnapshot().status).toBe('signed_in');
  });

  it('when it cannot be read makes a call fail before anything is sent', async () => {
    const { mock, ada, platforms } = twoRegions();
    const { sessions, store } = sessionsWith();
    const session = await sessions.signIn({ accessToken: mock.accessTokenFor(ada) }, GLOBAL);
    store.failing.get = true;
    const userClient = platforms.global.withAccessToken(session.accessToken);
    expect(await rejection(userClient.card.freeze())).toMatchObject(storeFailed);
    expect(mock.requests).toHaveLength(0);
    store.failing.get = false;
    await userClient.card.freeze();
  });

  it('at the start is reported by load, and read again later', async () => {
    const store = memoryStore();
    store.failing.get = true;
    const { sessions } = sessionsWith({ store });
    expect(sessions.getSnapshot().status).toBe('loading');
    expect(await rejection(sessions.load())).toMatchObject(storeFailed);
    store.failing.get = false;
    expect((await sessions.load()).status).toBe('signed_out');
  });

  it('by rejecting is reported too', async () => {
    const clock = new FakeClock({ auto: false });
    const rejecting = { ...memoryStore(), get: () => Promise.reject(new Error('disk')) };
    expect(await rejection(createSessions({ store: rejecting, clock }).load())).toMatchObject(
      storeFailed,
    );
  });

  it.each([
    [{ storeTimeout: 5_000 }, 5_000],
    [{}, 30_000],
  ])('by hanging is reported with the options %j after %i ms', async (options, limit) => {
    const clock = new FakeClock({ auto: false });
    const hanging = { ...memoryStore(), get: () => new Promise<string>(() => {}) };
    let error: unknown;
    const loading = rejection(createSessions({ store: hanging, clock, ...options }).load()).then(
      (reason) => {
        error = reason;
      },
    );
    await settle();
    clock.advance(limit - 1);
    await settle();
    expect(error).toBeUndefined();
    clock.advance(1);
    await loading;
    expect(error).toMatchObject(storeFailed);
  });
});

describe('a read of the store while this program changes the session', () => {
  /** Loads from a store of which these first reads are slower than a sign-in of this program. */
  async function loadWith(overtaken: number) {
    const inner = memoryStore();
    let reads = 0;
    let isSlow = false;
    const store = {
      ...inner,
      get: async (key: string) => {
        const text = inner.get(key);
        if (!isSlow || key !== KEY) return text;
        reads++;
        if (reads <= overtaken) {
          await sessions.signIn({ accessToken: `token-${reads}`, userId: `user-${reads}` }, GLOBAL);
          // Another program changes it next: only a later read shows that.
          await createSessions({ store: inner }).signIn(
            { accessToken: 'token-other', userId: `other-${reads}` },
            GLOBAL,
          );
        }
        return text;
      },
    };
    const { sessions } = sessionsWith({ store });
    await settle();
    isSlow = true;
    const { session } = await sessions.load();
    return { userId: session?.userId, reads };
  }

  it('is repeated, so that an old record never takes the place of a newer one', async () => {
    expect(await loadWith(1)).toEqual({ userId: 'other-1', reads: 2 });
    expect(await loadWith(2)).toEqual({ userId: 'other-2', reads: 3 });
  });

  it('is given up after the third time, and the change of this program counts', async () => {
    expect(await loadWith(3)).toEqual({ userId: 'user-3', reads: 3 });
    expect(await loadWith(4)).toEqual({ userId: 'user-3', reads: 3 });
  });
});

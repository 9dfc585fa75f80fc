import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { createErrorResponse } from '../../src/server/index.js';
import { createSessions, type SessionsOptions } from '../../src/sessions/index.js';
import { pageClient } from '../server/support.js';
import { clientFor, json, rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';
import { asyncStore, KEY, memoryStore, sessionsWith, settle } from './support.js';

const HOUR_MS = 60 * 60 * 1000;
const LOGIN = { accessToken: 'token-1', userId: 'ada', refreshToken: 'refresh-1' };
const GLOBAL = { region: 'global' } as const;
const REQUEST = { reason: 'request' } as const;

type Renew = NonNullable<SessionsOptions['renew']>;

/** A service that accepts each refresh token once. */
function service() {
  const sent: string[] = [];
  let error: unknown;
  const renew = vi.fn<Renew>(async ({ takeRefreshToken }) => {
    const refreshToken = await takeRefreshToken();
    if (refreshToken === undefined) return undefined;
    sent.push(refreshToken);
    if (error !== undefined) throw error;
    const next = sent.length + 1;
    return { accessToken: `token-${next}`, refreshToken: `refresh-${next}`, expiresIn: HOUR_MS };
  });
  return {
    sent,
    renew,
    failWith: (next: unknown) => {
      error = next;
    },
  };
}

async function expired(options: Partial<SessionsOptions>, login: object = {}) {
  const all = sessionsWith(options);
  const session = await all.sessions.signIn({ ...LOGIN, ...login }, GLOBAL);
  all.clock.advance(6 * HOUR_MS);
  const ask = async () => session.accessToken(REQUEST);
  return { ...all, session, ask };
}

/** Returns the error of a request that the service responds to in this way. */
async function errorOf(response: Response | Error): Promise<unknown> {
  const fetch = async () => {
    if (response instanceof Error) throw response;
    return response;
  };
  const client = clientFor('https://api.example.com', { fetch, retry: false });
  return rejection(client.auth.login({ email: 'ada@example.com', password: 'secret' }));
}

const HTML = { 'content-type': 'text/html' };
/** What Envoy sends with status 503 when the connection broke before the response of the service. */
const CONNECTION_LOST =
  'upstream connect error or disconnect/reset before headers. reset reason: connection termination';
const lostResponse = () => errorOf(new TypeError('fetch failed'));

/** The same error, as a page receives it from its own server. */
const onPage = (makeError: () => Promise<unknown>) => async () => {
  const error = await makeError();
  const page = pageClient(async () => createErrorResponse(error));
  return rejection(page.request('POST', '/renewal', { body: {} }));
};
const unavailable = () => errorOf(json({ message: 'later' }, 503));

describe('a refresh token that is taken', () => {
  it('is marked in the store before the application receives it', async () => {
    const { renew } = service();
    const { ask, store } = await expired({
      renew: async (session) => {
        await session.takeRefreshToken();
        expect(JSON.parse(store.entries.get(KEY) ?? '').takenAt).toBeTypeOf('number');
        return renew(session);
      },
    });
    expect(await rejection(ask())).toMatchObject({ code: 'session_not_renewed' });
    // The login, the start of the renewal, the mark, and the end of the renewal.
    expect(store.written).toHaveLength(4);
  });

  it('is not given back when the application asks for it twice, because it may have been sent', async () => {
    const taken: unknown[] = [];
    const { ask, clock } = await expired({
      renew: async ({ takeRefreshToken }) => {
        taken.push(await takeRefreshToken());
        taken.push(await takeRefreshToken());
        return undefined;
      },
      keepsRefreshToken: () => true,
    });
    expect(await rejection(ask())).toMatchObject({ code: 'session_not_renewed' });
    clock.advance(60_000);
    expect(await rejection(ask())).toMatchObject({ reason: 'renewal_unknown' });
    expect(taken).toEqual(['refresh-1']);
  });

  it('is replaced together with the access token, in one write that also removes the mark', async () => {
    const { renew, sent } = service();
    const { ask, store } = await expired({ renew });
    expect(await ask()).toBe('token-2');
    expect(sent).toEqual(['refresh-1']);
    expect(store.written).toHaveLength(4);
    const record = JSON.parse(store.entries.get(KEY) ?? '');
    expect(record).toMatchObject({ accessToken: 'token-2', refreshToken: 'refresh-2' });
    expect(record).not.toHaveProperty('takenAt');
  });

  it('is not kept when the renewal brings no new one', async () => {
    const { ask, clock, sessions, store } = await expired({
      renew: async ({ takeRefreshToken }) =>
        (await takeRefreshToken()) === undefined ? undefined : { accessToken: 'token-2' },
    });
    expect(await ask()).toBe('token-2');
    expect(store.entries.get(KEY)).not.toContain('refresh-1');
    clock.advance(6 * HOUR_MS);
    expect(await rejection(ask())).toMatchObject({ code: 'session_ended', reason: 'expired' });
    expect(sessions.getSnapshot()).toMatchObject({ reason: 'expired' });
  });

  it('is taken only once for many calls', async () => {
    const { renew, sent } = service();
    const { ask } = await expired({ renew });
    const tokens = await Promise.all(Array.from({ length: 50 }, ask));
    expect(new Set(tokens)).toEqual(new Set(['token-2']));
    expect(sent).toEqual(['refresh-1']);
  });

  it('is not sent when the store cannot hold the mark', async () => {
    const { renew, sent, failWith } = service();
    const { ask, store, sessions } = await expired({ renew });
    store.failing.set = true;
    expect(await rejection(ask())).toMatchObject({ code: 'session_store_failed' });
    expect(sent).toEqual([]);
    store.failing.set = false;
    failWith(undefined);
    expect(await ask()).toBe('token-2');
    expect(sessions.getSnapshot().status).toBe('signed_in');
  });

  describe('by a store that fails for the mark', () => {
    /** The mark is written before it fails, or not. */
    type Fault = 'rejects' | 'never ends';
    function failingStore(isWritten: boolean, fault: Fault) {
      const inner = memoryStore();
      let isDue = true;
      const update = async (key: string, change: (text?: string) => string | undefined) => {
        const next = change(inner.get(key));
        const isMark = isDue && next?.includes('"takenAt"') === true;
        if (!isMark || isWritten) inner.update(key, () => next);
        if (!isMark) return;
        isDue = false;
        if (fault === 'rejects') throw new Error('connection lost');
        await new Promise(() => {});
      };
      return { ...inner, update };
    }

    it.each([
      ['rejects', true],
      ['rejects', false],
      ['never ends', true],
      ['never ends', false],
    ] as const)('is given back, because nobody received it: the store %s (written: %s)', async (fault, isWritten) => {
      const { renew, sent } = service();
      const store = failingStore(isWritten, fault);
      const options = { renew, store, storeTimeout: 5_000 };
      const { sessions, clock } = sessionsWith(options);
      const session = await sessions.signIn(LOGIN, GLOBAL);
      const ask = async () => session.accessToken(REQUEST);
      clock.advance(6 * HOUR_MS);
      const failed = rejection(ask());
      await settle();
      clock.advance(5_000);
      expect(await failed).toMatchObject({ code: 'session_store_failed' });
      expect(sent).toEqual([]);
      expect(await ask()).toBe('token-2');
      expect(sent).toEqual(['refresh-1']);
    });

    it('is given back also by a renewal that succeeds without it', async () => {
      const store = failingStore(true, 'rejects');
      let renewals = 0;
      const taken: unknown[] = [];
      const { ask, clock } = await expired({
        store,
        renew: async ({ takeRefreshToken }) => {
          renewals++;
          taken.push(await takeRefreshToken().catch((error: Error) => error.name));
          return { accessToken: `token-${renewals + 1}` };
        },
      });
      expect(await ask()).toBe('token-2');
      clock.advance(6 * HOUR_MS);
      expect(await ask()).toBe('token-3');
      expect(taken).toEqual(['SessionError', 'refresh-1']);
    });

    it('is sent once if renew asks again, although the mark was written', async () => {
      const taken: unknown[] = [];
      const take = async (takeRefreshToken: () => Promise<string | undefined>) =>
        taken.push(await takeRefreshToken().catch((error: Error) => error.name));
      const store = failingStore(true, 'rejects');
      const { ask } = await expired({
        store,
        renew: async ({ takeRefreshToken }) => {
          for (let time = 0; time < 3; time++) await take(takeRefreshToken);
          return { accessToken: 'token-2', refreshToken: 'refresh-2' };
        },
      });
      expect(await ask()).toBe('token-2');
      expect(taken).toEqual(['SessionError', 'refresh-1', 'SessionError']);
    });

    it.each([
      true,
      false,
    ])('keeps tokens that renew got in another way (written: %s)', async (isWritten) => {
      const store = failingStore(isWritten, 'rejects');
      const { ask } = await expired({
        store,
        renew: async ({ takeRefreshToken }) => {
          await takeRefreshToken().catch(() => undefined);
          return { accessToken: 'token-of-a-login', refreshToken: 'refresh-new' };
        },
      });
      expect(await ask()).toBe('token-of-a-login');
      const record = JSON.parse(store.entries.get(KEY) ?? '');
      expect(record).toMatchObject({ refreshToken: 'refresh-new' });
      expect(record).not.toHaveProperty('takenAt');
    });
  });

  it('is received once by two requests for it at the same moment', async () => {
    const taken: unknown[] = [];
    const { ask } = await expired({
      store: asyncStore(),
      renew: async ({ takeRefreshToken }) => {
        const both = await Promise.allSettled([takeRefreshToken(), takeRefreshToken()]);
        taken.push(...both.map((one) => (one.status === 'fulfilled' ? one.value : 'none')));
        return { accessToken: 'token-2' };
      },
    });
    expect(await ask()).toBe('token-2');
    expect(taken.filter((one) => one === 'refresh-1').length).toBeLessThanOrEqual(1);
  });

  it('is never printed', async () => {
    let shown = '';
    const { ask } = await expired({
      renew: async (session) => {
        await session.takeRefreshToken();
        shown = inspect(session, { depth: 9, showHidden: true }) + JSON.stringify({ ...session });
        return undefined;
      },
    });
    await rejection(ask());
    expect(shown).toContain('global');
    expect(shown).not.toMatch(/refresh-1|token-1/);
  });
});

describe('after a failed renewal, a taken refresh token', () => {
  it.each([
    ['a 500', () => errorOf(json({ message: 'oops' }, 500))],
    ['a 503', unavailable],
    ['a 503 that a server passed on to its page', onPage(unavailable)],
    ['a 429', () => errorOf(json({ message: 'slow down' }, 429))],
    ['a wrong client key', () => errorOf(json({ message: 'Invalid client key' }, 498))],
  ])('is given back after %s, and the next call renews', async (_, makeError) => {
    const { renew, sent, failWith } = service();
    const { ask, sessions } = await expired({ renew });
    failWith(await makeError());
    expect(await rejection(ask())).toMatchObject({ code: 'session_not_renewed' });
    expect(sessions.getSnapshot().status).toBe('signed_in');
    failWith(undefined);
    expect(await ask()).toBe('token-3');
    expect(sent).toEqual(['refresh-1', 'refresh-1']);
  });

  it('is not sent again after a lost response: the session continues until its token expires', async () => {
    const { renew, sent, failWith } = service();
    const { sessions, clock } = sessionsWith({ renew });
    const session = await sessions.signIn(LOGIN, GLOBAL);
    const ask = async () => session.accessToken(REQUEST);
    clock.advance(6 * HOUR_MS - 60_000);
    failWith(await lostResponse());
    expect(await ask()).toBe('token-1');
    failWith(undefined);
    clock.advance(59_000);
    expect(await ask()).toBe('token-1');
    expect(sessions.getSnapshot().status).toBe('signed_in');
    clock.advance(1_000);
    expect(await rejection(ask())).toMatchObject({
      code: 'session_ended',
      reason: 'renewal_unknown',
      outcome: 'not_sent',
      message: expect.stringContaining('the result of a renewal is not known'),
    });
    expect(sent).toEqual(['refresh-1']);
    expect(sessions.getSnapshot()).toMatchObject({ reason: 'renewal_unknown' });
  });

  it.each([
    ['a 408', () => errorOf(json({ message: 'too slow' }, 408))],
    ['the 502 of a gateway', () => errorOf(json({ message: 'Internal server error' }, 502))],
    ['the 504 of a gateway', () => errorOf(json({ message: 'Endpoint request timed out' }, 504))],
    ['the 524 of a gateway', () => errorOf(json({ title: 'Error 524', status: 524 }, 524))],
    ['the text of a 524', () => errorOf(new Response('error code: 524', { status: 524 }))],
    ['the text of a 503', () => errorOf(new Response(CONNECTION_LOST, { status: 503 }))],
    ['the text of a 500', () => errorOf(new Response('Internal Server Error', { status: 500 }))],
    [
      'the text of a 503 that a server passed on to its page',
      onPage(() => errorOf(new Response(CONNECTION_LOST, { status: 503 }))),
    ],
    [
      'the page of a 503 that a server passed on to its page',
      onPage(() => errorOf(new Response('<html>', { status: 503, headers: HTML }))),
    ],
    ['a text in JSON', () => errorOf(json('"no healthy upstream"', 503))],
    ['an empty 500', () => errorOf(new Response(null, { status: 500 }))],
    ['the page of a 503', () => errorOf(new Response('<html>', { status: 503, headers: HTML }))],
    ['the page of a portal', () => errorOf(new Response('<html>', { status: 200 }))],
    ['an abort', async () => new DOMException('stopped', 'AbortError')],
  ])('is not sent again after %s, because it may be used up', async (_, makeError) => {
    const { renew, sent, failWith } = service();
    const { ask, clock } = await expired({ renew });
    failWith(await makeError());
    expect(await rejection(ask())).toMatchObject({ code: 'session_not_renewed' });
    failWith(undefined);
    clock.advance(60_000);
    expect(await rejection(ask())).toMatchObject({ reason: 'renewal_unknown' });
    expect(sent).toEqual(['refresh-1']);
  });

  it('is not sent again after an error of the application, which proves nothing', async () => {
    const { renew, sent, failWith } = service();
    const { ask, clock } = await expired({ renew });
    failWith(new Error('bug'));
    expect(await rejection(ask())).toMatchObject({ code: 'session_not_renewed' });
    clock.advance(60_000);
    expect(await rejection(ask())).toMatchObject({ reason: 'renewal_unknown' });
    expect(sent).toHaveLength(1);
  });

  it('follows keepsRefreshToken instead when that option is set', async () => {
    const { renew, sent, failWith } = service();
    const { ask } = await expired({ renew, keepsRefreshToken: () => true });
    failWith(await lostResponse());
    await rejection(ask());
    failWith(undefined);
    expect(await ask()).toBe('token-3');
    expect(sent).toEqual(['refresh-1', 'refresh-1']);
  });

  it('is given back later when the store fails at that moment', async () => {
    const { renew, failWith } = service();
    const { ask, store } = await expired({
      renew: async (session) => {
        try {
          return await renew(session);
        } catch (error) {
          store.failing.set = true;
          throw error;
        }
      },
    });
    failWith(await unavailable());
    expect(await rejection(ask())).toMatchObject({ code: 'session_not_renewed' });
    store.failing.set = false;
    failWith(undefined);
    expect(await ask()).toBe('token-3');
  });
});

/** A renewal that takes the refresh token, and lasts until the test finishes it. */
function heldRenewal() {
  const sent: unknown[] = [];
  let release = () => {};
  const renew: Renew = async ({ refreshToken }) => {
    sent.push(refreshToken);
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return { accessToken: 'token-2', refreshToken: 'refresh-2' };
  };
  return { sent, renew, finish: () => release() };
}

describe('two servers with one database', () => {
  it.each([1, 2, 3, 4, 5])('renew once, and both get the new token (%d)', async (steps) => {
    const entries = new Map<string, string>();
    const clock = new FakeClock({ auto: false });
    const { sent, renew, finish } = heldRenewal();
    const server = () =>
      createSessions({ store: asyncStore(memoryStore(entries)), clock, renew, locks: false });
    const [one, other] = [server(), server()];
    const session = await one.signIn(LOGIN, GLOBAL);
    const same = (await other.load()).session;
    clock.advance(6 * HOUR_MS);
    const first = session.accessToken(REQUEST);
    for (let step = 0; step < steps; step++) await new Promise(setImmediate);
    const second = same?.accessToken(REQUEST);
    await settle();
    expect(sent).toEqual(['refresh-1']);
    finish();
    expect(await first).toBe('token-2');
    await clock.advance(500);
    expect(await second).toBe('token-2');
    expect(clock.waits).toEqual([250]);
    expect(sent).toEqual(['refresh-1']);
  });

  it.each([
    -30_000, -1_000, -1, 1, 1_000, 29_999,
  ])('never take over a running renewal when their clocks differ by %d ms', async (difference) => {
    const entries = new Map<string, string>();
    const { sent, renew, finish } = heldRenewal();
    const startsAt = Date.UTC(2026, 0, 1);
    const clocks = [startsAt, startsAt + difference].map(
      (time) => new FakeClock({ startsAt: time, auto: false }),
    );
    const advance = (ms: number) => {
      for (const clock of clocks) clock.advance(ms);
    };
    const [one, other] = clocks.map((clock) =>
      createSessions({ store: asyncStore(memoryStore(entries)), clock, renew, locks: false }),
    );
    const session = await one?.signIn(LOGIN, GLOBAL);
    const same = (await other?.load())?.session;
    advance(7 * HOUR_MS);
    const first = session?.accessToken(REQUEST);
    await settle();
    const second = same?.accessToken(REQUEST);
    for (let second = 0; second < 29; second++) {
      await settle();
      advance(1_000);
    }
    await settle();
    expect(sent).toEqual(['refresh-1']);
    finish();
    expect(await first).toBe('token-2');
    for (let look = 0; look < 3; look++) {
      await settle();
      advance(250);
    }
    expect(await second).toBe('token-2');
    expect(sent).toEqual(['refresh-1']);
    expect(JSON.parse(entries.get(KEY) ?? '')).toMatchObject({ refreshToken: 'refresh-2' });
  });

  // No clock differs by more than the time limit of a renewal.
  it.each([
    ['do not wait for', 2, 'begins in the future by their clock', -30_001, 0],
    ['do not wait for', 2, 'ended long ago by their clock', 30_001, 29_999],
    ['wait for', 1, 'may still be running', 30_000, 29_999],
  ])('%s a renewal (%d sent) that %s: %d ms, after %d ms', async (_, count, __, difference, after) => {
    const entries = new Map<string, string>();
    const { sent, renew } = heldRenewal();
    const startsAt = Date.UTC(2026, 0, 1);
    const clocks = [startsAt, startsAt + difference].map(
      (time) => new FakeClock({ startsAt: time, auto: false }),
    );
    const [one, other] = clocks.map((clock) =>
      createSessions({ store: asyncStore(memoryStore(entries)), clock, renew, locks: false }),
    );
    const session = await one?.signIn(LOGIN, GLOBAL);
    const same = (await other?.load())?.session;
    for (const clock of clocks) clock.advance(7 * HOUR_MS);
    void session?.accessToken(REQUEST);
    await settle();
    for (const clock of clocks) clock.advance(after);
    void same?.accessToken(REQUEST);
    await settle();
    expect(sent).toEqual(Array(count).fill('refresh-1'));
  });

  it('renew once each time, also when the server that waits has renewed before', async () => {
    const entries = new Map<string, string>();
    const clock = new FakeClock({ auto: false });
    const { sent, renew, finish } = heldRenewal();
    const server = (own: Renew) =>
      createSessions({ store: asyncStore(memoryStore(entries)), clock, renew: own, locks: false });
    const quick = vi.fn<Renew>(() => ({ accessToken: 'token-1b', refreshToken: 'refresh-1b' }));
    const one = await server(quick).signIn(LOGIN, GLOBAL);
    clock.advance(6 * HOUR_MS);
    expect(await one.accessToken(REQUEST)).toBe('token-1b');
    clock.advance(6 * HOUR_MS);
    const { session } = await server(renew).load();
    const first = session?.accessToken(REQUEST);
    await settle();
    const second = one.accessToken(REQUEST);
    await settle();
    expect(quick).toHaveBeenCalledOnce();
    finish();
    expect(await first).toBe('token-2');
    clock.advance(250);
    expect(await second).toBe('token-2');
    expect(sent).toEqual(['refresh-1b']);
    expect(quick).toHaveBeenCalledOnce();
  });

  it('do not wait for each other while the token still works', async () => {
    const entries = new Map<string, string>();
    const clock = new FakeClock({ auto: false });
    const { sent, renew, finish } = heldRenewal();
    const server = () =>
      createSessions({ store: asyncStore(memoryStore(entries)), clock, renew, locks: false });
    const [one, other] = [server(), server()];
    const session = await one.signIn(LOGIN, GLOBAL);
    const same = (await other.load()).session;
    clock.advance(6 * HOUR_MS - 60_000);
    const first = session.accessToken(REQUEST);
    await settle();
    expect(await same?.accessToken(REQUEST)).toBe('token-1');
    finish();
    expect(await first).toBe('token-2');
    expect(sent).toEqual(['refresh-1']);
  });

  it('renew after a mark of a clock that was a day ahead or behind', async () => {
    for (const off of [-24 * HOUR_MS, 24 * HOUR_MS]) {
      const { ask, clock, store } = await expired({ renew: () => ({ accessToken: 'token-2' }) });
      const record = JSON.parse(store.entries.get(KEY) ?? '');
      const marked = { ...record, renewingUntil: clock.now() + off, rev: 'marked' };
      store.entries.set(KEY, JSON.stringify(marked));
      expect(await ask()).toBe('token-2');
    }
  });

  it('continue when the one that renews has died', async () => {
    const entries = new Map<string, string>();
    const clock = new FakeClock({ auto: false });
    const server = (renew: Renew) =>
      createSessions({ store: asyncStore(memoryStore(entries)), clock, renew, locks: false });
    const dead = await server(() => new Promise(() => {})).signIn(LOGIN, GLOBAL);
    clock.advance(6 * HOUR_MS);
    Promise.resolve(dead.accessToken(REQUEST)).catch(() => undefined);
    await settle();
    const other = server(() => ({ accessToken: 'token-2' }));
    const same = (await other.load()).session;
    const waiting = Promise.resolve(same?.accessToken(REQUEST)).catch(() => undefined);
    for (let second = 0; second < 30; second++) {
      await settle();
      await clock.advance(1_000);
    }
    await settle();
    expect(await (await other.load()).session?.accessToken(REQUEST)).toBe('token-2');
    await waiting;
  });
});

describe('a renewal that another process has begun', () => {
  const taken = (clock: FakeClock, entries: Map<string, string>) => {
    const record = JSON.parse(entries.get(KEY) ?? '');
    const marked = { ...record, takenAt: clock.now(), rev: 'marked' };
    entries.set(KEY, JSON.stringify(marked));
    return marked;
  };

  it('is waited for, and its tokens are used', async () => {
    const { renew, sent } = service();
    const { ask, clock, store } = await expired({ renew });
    const marked = taken(clock, store.entries);
    expect(await rejection(ask())).toMatchObject({ code: 'session_not_renewed' });
    const renewed = { ...marked, accessToken: 'token-b', rev: 'renewed' };
    store.entries.set(
      KEY,
      JSON.stringify({
        ...renewed,
        takenAt: undefined,
        expiresAt: clock.now() + HOUR_MS,
        renewAt: clock.now() + HOUR_MS,
      }),
    );
    expect(await ask()).toBe('token-b');
    expect(sent).toEqual([]);
  });

  it('ends the session when it takes longer than twice the time limit of a renewal', async () => {
    const { renew, sent } = service();
    const { ask, clock, store, sessions } = await expired({ renew, renewTimeout: 10_000 });
    taken(clock, store.entries);
    clock.advance(19_999);
    expect(await rejection(ask())).toMatchObject({ code: 'session_not_renewed' });
    expect(sessions.getSnapshot().status).toBe('signed_in');
    clock.advance(1);
    expect(await rejection(ask())).toMatchObject({ reason: 'renewal_unknown' });
    expect(sent).toEqual([]);
    expect(store.entries.get(KEY)).not.toContain('refresh-1');
  });

  it('ends the session when its mark is of a clock that was a day ahead or behind', async () => {
    for (const off of [-24 * HOUR_MS, 24 * HOUR_MS]) {
      const { renew, sent } = service();
      const { ask, clock, store } = await expired({ renew });
      const record = JSON.parse(store.entries.get(KEY) ?? '');
      const marked = { ...record, takenAt: clock.now() + off, rev: 'marked' };
      store.entries.set(KEY, JSON.stringify(marked));
      expect(await rejection(ask())).toMatchObject({ reason: 'renewal_unknown' });
      expect(sent).toEqual([]);
    }
  });

  it('ends the session at once when the service refuses its access token long after that', async () => {
    const { renew, sent } = service();
    const { sessions, clock, store } = sessionsWith({ renew });
    const session = await sessions.signIn(LOGIN, GLOBAL);
    taken(clock, store.entries);
    clock.advance(HOUR_MS);
    const rejected = { reason: 'rejected', rejectedToken: 'token-1' } as const;
    const ask = async () => session.accessToken(rejected);
    expect(await rejection(ask())).toMatchObject({ reason: 'renewal_unknown' });
    expect(sent).toEqual([]);
  });

  it('keeps its mark when this renewal fails with an error of its own', async () => {
    const { ask, clock, store } = await expired({
      renew: async ({ takeRefreshToken }) => {
        await takeRefreshToken().catch(() => undefined);
        throw new Error('not the error of takeRefreshToken');
      },
      keepsRefreshToken: () => true,
    });
    const { takenAt } = taken(clock, store.entries);
    expect(await rejection(ask())).toMatchObject({ code: 'session_not_renewed' });
    expect(JSON.parse(store.entries.get(KEY) ?? '')).toMatchObject({ takenAt });
  });

  it('does not stop a renewal that needs no refresh token', async () => {
    const { ask, clock, store } = await expired({
      renew: async () => ({ accessToken: 'token-of-a-login', refreshToken: 'refresh-new' }),
    });
    taken(clock, store.entries);
    expect(await ask()).toBe('token-of-a-login');
    expect(JSON.parse(store.entries.get(KEY) ?? '')).not.toHaveProperty('takenAt');
  });

  it('of another tab with a lock is waited for', async () => {
    const queue = { last: Promise.resolve() as Promise<unknown> };
    const locks = {
      request: (name: string, work: () => Promise<void>) => {
        // Each name has a lock of its own.
        if (!name.endsWith('renewal')) return work();
        const done = queue.last.then(work);
        queue.last = done.catch(() => undefined);
        return done;
      },
    };
    const clock = new FakeClock({ auto: false });
    const entries = new Map<string, string>();
    const { renew, sent } = service();
    const tab = () =>
      createSessions({ store: asyncStore(memoryStore(entries)), clock, locks, renew });
    const [one, other] = [tab(), tab()];
    await one.signIn(LOGIN, GLOBAL);
    await other.load();
    clock.advance(6 * HOUR_MS);
    const ask = async (sessions: typeof one) =>
      sessions.getSnapshot().session?.accessToken(REQUEST);
    expect(await Promise.all([ask(one), ask(other)])).toEqual(['token-2', 'token-2']);
    expect(sent).toEqual(['refresh-1']);
  });
});

describe('a session keeps', () => {
  it('the kind of its tokens, for renew and signOut', async () => {
    const kinds: unknown[] = [];
    const renew: Renew = ({ kind }) => {
      kinds.push(kind);
      return { accessToken: `token-${kinds.length + 1}` };
    };
    const { sessions, session, clock } = await expired({ renew }, { kind: 'oauth2' });
    await session.accessToken(REQUEST);
    clock.advance(6 * HOUR_MS);
    await session.accessToken(REQUEST);
    await sessions.signOut(({ kind }) => kinds.push(kind));
    expect(kinds).toEqual(['oauth2', 'oauth2', 'oauth2']);
  });

  it('the expiry of its refresh token, which is not sent from then on', async () => {
    const { renew, sent } = service();
    const { ask } = await expired({ renew }, { refreshExpiresIn: 6 * HOUR_MS });
    expect(await rejection(ask())).toMatchObject({ code: 'session_ended', reason: 'expired' });
    expect(sent).toEqual([]);
    const { ask: askInTime } = await expired({ renew }, { refreshExpiresIn: 6 * HOUR_MS + 1 });
    expect(await askInTime()).toBe('token-2');
    expect(sent).toEqual(['refresh-1']);
  });

  it.each([
    ['a later one', 12 * HOUR_MS, 'token-3'],
    ['an earlier one', HOUR_MS, undefined],
    ['none', undefined, 'token-3'],
  ])('the expiry of the refresh token that replaced it, which may have %s', async (_, refreshExpiresIn, token) => {
    let renewals = 0;
    const renew: Renew = async ({ takeRefreshToken }) => {
      if ((await takeRefreshToken()) === undefined) return undefined;
      renewals++;
      const next = renewals + 1;
      return { accessToken: `token-${next}`, refreshToken: `refresh-${next}`, refreshExpiresIn };
    };
    const { ask, clock } = await expired({ renew }, { refreshExpiresIn: 7 * HOUR_MS });
    expect(await ask()).toBe('token-2');
    clock.advance(6 * HOUR_MS);
    expect(await ask().catch(() => undefined)).toBe(token);
  });

  it('a kind of 40 characters', async () => {
    const kind = `${'a'.repeat(36)}_.-9`;
    const { sessions } = await expired({}, { kind });
    const revoke = vi.fn(({ kind: kept }) => kept);
    await sessions.signOut(revoke);
    expect(revoke).toHaveReturnedWith(kind);
  });

  it.each([
    ['refreshExpiresIn', 0],
    ['refreshExpiresIn', '60'],
    ['kind', ''],
    ['kind', 'a'.repeat(41)],
    ['kind', 'two words'],
    ['kind', 7],
  ])('nothing of a login whose %s is %j', async (field, value) => {
    const { sessions, store } = sessionsWith();
    const login = sessions.signIn({ ...LOGIN, [field]: value }, GLOBAL);
    expect(await rejection(login)).toMatchObject({ name: 'ConfigurationError', option: field });
    await settle();
    expect(store.written).toEqual([]);
  });

  it.each([
    ['takenAt', 'yesterday'],
    ['renewingUntil', 'tomorrow'],
    ['refreshExpiresAt', null],
    ['expiresAt', '9e15'],
    ['renewAt', null],
    ['refreshToken', ''],
    ['userId', 7],
    ['kind', 1],
  ])('no stored record whose %s is %j', async (field, value) => {
    const { sessions, store, clock } = sessionsWith();
    await sessions.signIn(LOGIN, GLOBAL);
    expect((await createSessions({ store, clock }).load()).status).toBe('signed_in');
    const record = JSON.parse(store.entries.get(KEY) ?? '');
    store.entries.set(KEY, JSON.stringify({ ...record, [field]: value }));
    expect((await createSessions({ store, clock }).load()).status).toBe('signed_out');
  });
});
